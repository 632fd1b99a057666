import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternate, type Figure, median } from './measure.ts';
import { type LoadRequest, load, type Server, startBare, startEmu } from './processes.ts';

/** Duration and number of measurements. */
export interface Effort {
  rounds: number;
  /** Seconds of load per round. */
  seconds: number;
  /** Number of messages in the long queue. */
  messages: number;
}

/** A benchmark with one or several figures. */
export type Benchmark = (effort: Effort) => Promise<Figure[]>;

/** Starts servers, runs `work` and stops them in any case. */
export async function withServers<T>(
  starts: Promise<Server>[],
  work: (...servers: Server[]) => Promise<T>,
): Promise<T> {
  const servers = await Promise.all(starts);
  try {
    return await work(...servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Runs `work` with a new directory, which is removed afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'emu-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prepares a round of load and returns its requests. */
export type Prepare = (server: Server) => Promise<LoadRequest[]>;

/** Requests per second of two servers in turns, after a warm-up of both. */
export async function compareLoad(
  effort: Effort,
  [one, prepareOne]: [Server, Prepare],
  [other, prepareOther]: [Server, Prepare],
): Promise<Pick<Figure, 'value' | 'reference' | 'ratio' | 'processorRatio' | 'rounds'>> {
  const measure = (server: Server, prepare: Prepare, seconds: number, times: number[]) => async (): Promise<number> => {
    const requests = await prepare(server);
    const { perSecond, processorTime } = await load(server, requests, { seconds });
    if (processorTime !== undefined) times.push(processorTime);
    return perSecond;
  };
  await measure(one, prepareOne, WARM_UP, [])();
  await measure(other, prepareOther, WARM_UP, [])();
  const [times, otherTimes]: number[][] = [[], []];
  const figures = await alternate(
    effort.rounds,
    measure(one, prepareOne, effort.seconds, times!),
    measure(other, prepareOther, effort.seconds, otherTimes!),
  );
  return { ...figures, ...(times!.length && { processorRatio: median(otherTimes!) / median(times!) }) };
}

/** Warm-up time in seconds. */
const WARM_UP = 2;

/**
 * Requests per second of emu compared with the bare server.
 * @param fixed response of the bare server
 * @param atLeast target ratio
 */
export const besideBare =
  (name: string, fixed: string, makePrepare: () => Prepare, atLeast = 0.5): Benchmark =>
  (effort) =>
    withServers([startEmu(), startBare(fixed)], async (emu, bare) => {
      const prepare = makePrepare();
      // The bare server receives the same requests and ignores their content.
      let latest: LoadRequest[] = [];
      const remember: Prepare = async (server) => {
        latest = await prepare(server);
        return latest;
      };
      const figures = await compareLoad(effort, [emu!, remember], [bare!, async () => latest]);
      return [{ name, unit: 'req/s', target: { atLeast }, ...figures }];
    });
