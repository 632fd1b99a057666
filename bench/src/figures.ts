import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { alternate, type Figure } from './measure.ts';
import { call, type LoadRequest, load, type Server, startBare, startEmu } from './processes.ts';
import { createQueue, depth, fill, receiveAndDelete, send, sqs, sts } from './requests.ts';

/** How long and how often to measure. */
export interface Effort {
  rounds: number;
  /** Seconds of load per round. */
  seconds: number;
  /** Messages of the long queue. */
  messages: number;
}

/** A benchmark: one figure or several. */
export type Benchmark = (effort: Effort) => Promise<Figure[]>;

const RECEIVED = JSON.stringify({
  Messages: [
    {
      MessageId: '5fea7756-0ea4-451a-a703-a558b933e274',
      ReceiptHandle: 'x'.repeat(180),
      MD5OfBody: 'f'.repeat(32),
      Body: 'x'.repeat(100),
    },
  ],
});
const SENT = JSON.stringify({ MD5OfMessageBody: 'f'.repeat(32), MessageId: '5fea7756-0ea4-451a-a703-a558b933e274' });

/** Starts servers, runs `work` and stops them, whatever happens. */
async function withServers<T>(starts: Promise<Server>[], work: (...servers: Server[]) => Promise<T>): Promise<T> {
  const servers = await Promise.all(starts);
  try {
    return await work(...servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Runs `work` with a fresh directory, which is removed afterwards. */
async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'emu-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const persistent = (folder: string): string[] => ['--storage-mode', 'persistent', '--data-path', folder];

/** Requests per second of two servers in turns, after both have warmed up. */
async function compareLoad(
  effort: Effort,
  [one, oneRequests]: [Server, LoadRequest[]],
  [other, otherRequests]: [Server, LoadRequest[]],
  before: () => Promise<void> = async () => {},
): Promise<Pick<Figure, 'value' | 'reference' | 'ratio' | 'rounds'>> {
  const measure = (server: Server, requests: LoadRequest[], seconds: number) => async (): Promise<number> => {
    if (server === one) await before();
    return (await load(server, requests, { seconds })).perSecond;
  };
  await measure(one, oneRequests, 2)();
  await measure(other, otherRequests, 2)();
  return alternate(
    effort.rounds,
    measure(one, oneRequests, effort.seconds),
    measure(other, otherRequests, effort.seconds),
  );
}

const besideBare =
  (
    name: string,
    fixed: string,
    prepare: (emu: Server) => Promise<{ requests: LoadRequest[]; before?: () => Promise<void> }>,
  ): Benchmark =>
  (effort) =>
    withServers([startEmu(), startBare(fixed)], async (emu, bare) => {
      const { requests, before } = await prepare(emu!);
      const figures = await compareLoad(effort, [emu!, requests], [bare!, requests], before);
      return [{ name, unit: 'req/s', target: { atLeast: 0.5 }, ...figures }];
    });

const persistentSend: Benchmark = (effort) =>
  withFolder((folder) =>
    withServers([startEmu(...persistent(folder)), startEmu()], async (disk, memory) => {
      const requests = async (server: Server): Promise<LoadRequest[]> => [send(await createQueue(server, 'bench'))];
      const figures = await compareLoad(effort, [disk!, await requests(disk!)], [memory!, await requests(memory!)]);
      return [
        { name: 'SendMessage, persistent beside memory mode', unit: 'req/s', target: { atLeast: 0.5 }, ...figures },
      ];
    }),
  );

const startUp: Benchmark = async ({ rounds }) => {
  const ready = (start: () => Promise<Server>) => async (): Promise<number> => {
    const server = await start();
    await server.stop();
    return server.readyAfter;
  };
  const figures = await alternate(rounds * 3, ready(startEmu), ready(startBare));
  return [{ name: 'start-up until the first answer', unit: 'ms', target: { atMost: 2.5 }, ...figures }];
};

const idleMemory: Benchmark = async ({ rounds }) => {
  const resident = (start: () => Promise<Server>) => (): Promise<number> =>
    withServers([start()], async (server) => {
      await setTimeout(1000);
      return server!.memory() / 2 ** 20;
    });
  const figures = await alternate(rounds, resident(startEmu), resident(startBare));
  return [{ name: 'idle resident memory', unit: 'MiB', target: { atMost: 1.6 }, ...figures }];
};

const longQueue: Benchmark = (effort) =>
  withServers([startEmu(), startEmu()], async (full, empty) => {
    const [longUrl, shortUrl] = [await createQueue(full!, 'bench'), await createQueue(empty!, 'bench')];
    await fill(full!, longUrl, effort.messages);
    const cycle = (url: string): LoadRequest[] => [send(url), ...receiveAndDelete(url)];
    const figures = await compareLoad(effort, [full!, cycle(longUrl)], [empty!, cycle(shortUrl)]);
    const left = await depth(full!, longUrl);
    if (left < effort.messages / 2) throw new Error(`the long queue has only ${left} messages left`);
    const name = `send, receive and delete with ${effort.messages.toLocaleString('en-US')} messages beside an empty queue`;
    return [{ name, unit: 'req/s', target: { atLeast: 0.5 }, ...figures }];
  });

/** Bytes of the files that changes are appended to. */
function journalBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/snapshot|toml/.test(entry.name))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

const CHANGES = 50;

/** Bytes that one change writes, from the growth of the journal over some changes. */
const bytesPerChange = (messages: number, operation: 'SendMessage' | 'ReceiveMessage'): Promise<number> =>
  withFolder((folder) =>
    withServers([startEmu(...persistent(folder))], async (emu) => {
      const url = await createQueue(emu!, 'bench');
      await fill(emu!, url, messages);
      const request = operation === 'SendMessage' ? send(url) : sqs('ReceiveMessage', { QueueUrl: url });
      // A journal that is folded into its snapshot meanwhile says nothing: measure again.
      for (;;) {
        const before = journalBytes(folder);
        for (let change = 0; change < CHANGES; change++) await call(emu!, request);
        const grown = journalBytes(folder) - before;
        if (grown > 0) return grown / CHANGES;
      }
    }),
  );

const changeSize: Benchmark = async () => {
  const figures: Figure[] = [];
  for (const operation of ['SendMessage', 'ReceiveMessage'] as const) {
    const figure = await alternate(
      1,
      () => bytesPerChange(100_000, operation),
      () => bytesPerChange(100, operation),
    );
    const name = `bytes written by one ${operation}, with 100,000 messages beside 100`;
    figures.push({ name, unit: 'bytes', target: { atMost: 1.1 }, ...figure });
  }
  return figures;
};

/** Every benchmark by its name on the command line. */
export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  send: besideBare('SQS SendMessage', SENT, async (emu) => ({ requests: [send(await createQueue(emu, 'bench'))] })),
  receive: besideBare('SQS ReceiveMessage and DeleteMessage', RECEIVED, async (emu) => {
    const url = await createQueue(emu, 'bench');
    const before = async (): Promise<void> => {
      if ((await depth(emu, url)) < 150_000) await fill(emu, url, 200_000);
    };
    return { requests: receiveAndDelete(url), before };
  }),
  identity: besideBare('STS GetCallerIdentity', '{}', async () => ({ requests: [sts('GetCallerIdentity')] })),
  persistent: persistentSend,
  startup: startUp,
  memory: idleMemory,
  'long-queue': longQueue,
  'change-size': changeSize,
};
