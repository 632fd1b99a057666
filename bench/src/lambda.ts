import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type Benchmark, withServers } from './compare.ts';
import { alternate, median } from './measure.ts';
import { call, type LoadRequest, load, onCore, type Server, startBare, startEmu } from './processes.ts';

const HEADERS = {
  'content-type': 'application/json',
  authorization: `AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/lambda/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
};
const EVENT = JSON.stringify({ key: 'value' });
/** Invokes the function of `startFunctions`. */
export const invoke: LoadRequest = { path: '/2015-03-31/functions/echo/invocations', headers: HEADERS, body: EVENT };
/** Milliseconds that a warm invocation may add to a request to a bare server. */
const WARM_MARGIN = 3;
const THROUGHPUT = 1000;

/** Starts emu with functions as processes, even if the machine has a container engine. */
export async function startFunctions(): Promise<Server> {
  process.env.EMULATOR_LAMBDA_BACKEND = 'process';
  const server = await startEmu();
  const Code = { ZipFile: zipOf('index.js', 'exports.handler = async (event) => event;').toString('base64') };
  const Role = 'arn:aws:iam::123456789012:role/bench';
  const body = JSON.stringify({ FunctionName: 'echo', Runtime: 'nodejs20.x', Handler: 'index.handler', Role, Code });
  await call(server, { path: '/2015-03-31/functions', headers: HEADERS, body });
  await setTimeout(500);
  await call(server, invoke);
  return server;
}

/** Returns the median latency of many sequential requests in milliseconds. */
export async function medianOf(server: Server, request: LoadRequest, count: number): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const started = performance.now();
    await call(server, request);
    times.push(performance.now() - started);
  }
  return median(times);
}

const warm: Benchmark = ({ rounds }) =>
  withServers([startFunctions(), startBare(EVENT)], async (emu, bare) => {
    await medianOf(emu!, invoke, 300);
    await medianOf(bare!, invoke, 300);
    const figures = await alternate(
      rounds,
      () => medianOf(emu!, invoke, 500),
      async () => (await medianOf(bare!, invoke, 500)) + WARM_MARGIN,
    );
    const name = `Lambda: median warm invocation, beside a bare round trip and ${WARM_MARGIN} ms`;
    return [{ name, unit: 'ms', target: { atMost: 1 }, ...figures }];
  });

const throughput: Benchmark = ({ rounds, seconds }) =>
  withServers([startFunctions()], async (emu) => {
    await load(emu!, [invoke], { seconds: 2 });
    const figures = await alternate(
      rounds,
      async () => (await load(emu!, [invoke], { seconds })).perSecond,
      async () => THROUGHPUT,
    );
    return [{ name: 'Lambda: warm invocations', unit: 'req/s', target: { atLeast: 1 }, ...figures }];
  });

/** Ratio of warm invocations to a bare server's requests if every core is busy with other work. */
const BUSY_SHARE = 1 / 40;

const busy: Benchmark = ({ rounds, seconds }) =>
  withServers([startFunctions(), startBare(EVENT)], async (emu, bare) => {
    const others = Array.from({ length: availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    );
    try {
      await load(emu!, [invoke], { seconds: 2 });
      const figures = await alternate(
        rounds,
        async () => (await load(emu!, [invoke], { seconds })).perSecond,
        async () => (await load(bare!, [invoke], { seconds })).perSecond * BUSY_SHARE,
      );
      const name = 'Lambda: warm invocations of 16 clients on a busy machine, beside a fortieth of a bare server';
      return [{ name, unit: 'req/s', target: { atLeast: 1 }, ...figures }];
    } finally {
      for (const other of others) other.kill('SIGKILL');
    }
  });

const cold: Benchmark = ({ rounds }) =>
  withServers([startFunctions()], async (emu) => {
    const evict: LoadRequest = { path: '/_emulator/lambda/echo/evict-container', headers: {}, body: '' };
    const coldStart = async (): Promise<number> => {
      await call(emu!, evict);
      const started = performance.now();
      await call(emu!, invoke);
      return performance.now() - started;
    };
    const figures = await alternate(rounds * 4, coldStart, nodeStart);
    return [{ name: 'Lambda: cold start beside node -e 0', unit: 'ms', target: { atMost: 2 }, ...figures }];
  });

/** Measures start and exit time of node in milliseconds, on emu's core. */
function nodeStart(): Promise<number> {
  const [command, args] = onCore(0, ['-e', '0']);
  const started = performance.now();
  const child = spawn(command, args, { stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', () => resolve(performance.now() - started)));
}

/** Creates a .zip archive of one uncompressed file. */
export function zipOf(name: string, content: string): Buffer {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt32LE(crc32(bytes), 10);
  header.writeUInt32LE(bytes.length, 14);
  header.writeUInt32LE(bytes.length, 18);
  header.writeUInt16LE(name.length, 22);
  const entry = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), bytes]);
  const attributes = Buffer.alloc(14);
  attributes.writeUInt32LE((0o100644 << 16) >>> 0, 6);
  const directory = Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), header, attributes, Buffer.from(name)]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(entry.length, 12);
  return Buffer.concat([entry, directory, Buffer.from('PK\x05\x06'), end]);
}

/** Benchmarks of running functions. */
export const lambdaBenchmarks: Readonly<Record<string, Benchmark>> = {
  'lambda-warm': warm,
  'lambda-throughput': throughput,
  'lambda-busy': busy,
  'lambda-cold': cold,
};
