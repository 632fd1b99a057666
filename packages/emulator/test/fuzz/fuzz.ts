import { type RawRequest, type RawResponse, sendRaw } from '@emu/gateway/testing';
import { BYTE_MUTATIONS } from '../../../wire/test/fuzz/bytes.ts';
import { type BuiltRequest, EXTREMES, GRAMMAR_MUTATIONS, Grammar } from '../../../wire/test/fuzz/grammar.ts';
import { Memory } from '../../../wire/test/fuzz/memory.ts';
import type { Random } from '../../../wire/test/fuzz/random.ts';
import { Tally } from '../../../wire/test/fuzz/tally.ts';
import type { EmbeddedEmulator } from '../../src/embed.ts';
import { createEmulator, SERVICE_NAMES } from '../../src/index.ts';
import { SERVICES } from '../../src/services.ts';
import { loadLazily } from './lazy.ts';
import { createPlanes, planeRequest, planeSocket } from './planes.ts';

/** Result of a run. */
export interface FuzzReport {
  requests: number;
  /** Responses by status. */
  statuses: Record<number, number>;
  /** Number of uses of each mutation. */
  mutations: Tally;
  /**
   * Requests by operation, each as `<service> <protocol> <operation>`, by numeric member, with ` <member>` after that,
   * and by data plane.
   */
  operations: Tally;
  /** Failures, each once, as text with the request. */
  problems: string[];
}

/** Timeout of a request in milliseconds. Some operations wait for up to 20 s by themselves. */
const PATIENCE = 30_000;
const MAX_PROBLEMS = 20;

/** Rounds after which the state is removed, so that a long run does not fill the memory. */
const ROUNDS_PER_STATE = 10;
/** Requests of each data plane per round. */
const REQUESTS_PER_PLANE = 20;

/** What a run sends requests to. */
interface Target {
  name: string;
  /** Sends one request. Resolves to a description and its response, undefined if there is none in time. */
  send(): Promise<{ shown: string; response: RawResponse | undefined; request?: RawRequest }>;
}

/**
 * Sends broken requests to every operation of every service and to every data plane, and checks that each response is
 * an AWS error and that memory stays bounded. Each round calls every operation in each of its protocols once, and once
 * for each of its numeric members with an extreme value, in another order.
 * @param until ends the run; called before each round except the first two
 * @param begin called with the name of the target before each request
 */
export async function fuzz(
  random: Random,
  until: () => boolean,
  begin: (name: string) => void = () => {},
): Promise<FuzzReport> {
  const emu = await createEmulator({ logLevel: 'error', settings: { EMULATOR_LAMBDA_BACKEND: 'process' } });
  const mutations = new Tally([...BYTE_MUTATIONS, ...GRAMMAR_MUTATIONS]);
  const report: FuzzReport = { requests: 0, statuses: {}, mutations, operations: new Tally(), problems: [] };
  try {
    const operations = await operationTargets(emu, random, mutations);
    await loadLazily(emu, SERVICES);
    const listener = await emu.listen();
    const memory = new Memory();
    let planes: Target[] = [];
    for (let round = 0; round < 2 || !until(); round++) {
      if (round < 2 || round % ROUNDS_PER_STATE === 0) {
        await emu.reset();
        planes = await planeTargets(emu, listener.port, random, mutations);
        if (round === 1) memory.warm();
      }
      for (const { name, send } of random.shuffled([...operations, ...planes])) {
        begin(name);
        const { shown, response, request } = await send();
        report.requests++;
        report.operations.add(name);
        report.statuses[response?.status ?? 0] = (report.statuses[response?.status ?? 0] ?? 0) + 1;
        const problem = (response ? problemOf(request?.method, response) : 'no answer') ?? memory.grown();
        if (problem) report.problems.push(`${name}: ${problem}: ${shown} -> ${response?.text.slice(0, 300)}`);
        if (report.problems.length >= MAX_PROBLEMS) return report;
      }
    }
    // Released resources of requests are freed by then. The rest is leaked memory.
    await emu.reset();
    const leaked = memory.leaked();
    if (leaked) report.problems.push(leaked);
  } finally {
    await emu.close();
  }
  return report;
}

/** Returns every operation in each protocol, and each of its numeric members. */
async function operationTargets(emu: EmbeddedEmulator, random: Random, mutations: Tally): Promise<Target[]> {
  const targets: Target[] = [];
  for (const service of SERVICE_NAMES) {
    const { model } = (await emu.kernel.service(service)).codec;
    const grammar = new Grammar(model, random, mutations);
    const target = (name: string, next: () => BuiltRequest): Target => ({
      name,
      send: async () => {
        const { body, ...rest } = next();
        return sent(emu, { ...rest, chunks: [body] });
      },
    });
    for (const protocol of model.metadata.protocols)
      for (const operation of Object.keys(model.operations)) {
        const name = `${service} ${protocol} ${operation}`;
        targets.push(target(name, () => grammar.broken(operation, protocol)));
        for (const path of grammar.numbers(operation)) {
          let turn = random.below(EXTREMES.length);
          const next = (): BuiltRequest =>
            grammar.extreme(operation, protocol, path, EXTREMES[turn++ % EXTREMES.length]!);
          targets.push(target(`${name} ${path.join('.')}`, next));
        }
      }
  }
  return targets;
}

/** Creates the data planes, and returns requests of each. */
async function planeTargets(emu: EmbeddedEmulator, port: number, random: Random, mutations: Tally): Promise<Target[]> {
  const planes = await createPlanes(emu);
  const sockets = planes.find(({ name }) => name === 'WebSocket API')!;
  const targets = planes.map(
    (plane): Target => ({ name: plane.name, send: () => sent(emu, planeRequest(plane, random, mutations)) }),
  );
  targets.push({
    name: 'WebSocket',
    send: async () => {
      const status = await planeSocket(port, sockets, random, mutations);
      const response = { status: status ?? 0, headers: {}, text: '', bytes: Buffer.alloc(0) };
      return { shown: 'upgrade', response: status === undefined ? undefined : response };
    },
  });
  return targets.flatMap((target) => Array.from({ length: REQUESTS_PER_PLANE }, () => target));
}

async function sent(emu: EmbeddedEmulator, request: RawRequest): ReturnType<Target['send']> {
  return { shown: shown(request), response: await answered(sendRaw(emu, request)), request };
}

function problemOf(method: string | undefined, { status, text, headers }: RawResponse): string | undefined {
  if (status >= 500 && status !== 501) return `status ${status}`;
  if (status < 400 || method === 'HEAD' || text === '') return undefined;
  const type = headers['content-type'] ?? '';
  if (type.includes('json')) {
    try {
      JSON.parse(text);
    } catch {
      return 'an error response that is not JSON';
    }
  } else if (type.includes('xml') && !/<Error(Response)?[\s>]|<ErrorResponse|<Response>/.test(text))
    return 'an error response without an XML error';
  return undefined;
}

async function answered(response: Promise<RawResponse>): Promise<RawResponse | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE);
  });
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(timer);
  }
}

const shown = ({ method, target, headers, chunks = [] }: RawRequest): string =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 600)} ${Buffer.concat(
    chunks.map((chunk) => Buffer.from(chunk)),
  )
    .toString('latin1')
    .slice(0, 600)}`;
