import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const BARE = here('./bare-server.mjs');
const BARE_STREAMS = here('./bare-streams.mjs');
const DYNALITE = here('./dynalite-server.mjs');
const KINESALITE = here('./kinesalite-server.mjs');
const FRONT = here('./front-server.mjs');
const LOAD = here('./load.mjs');
const STREAM_LOAD = here('./stream-load.mjs');
const EMU = here('../../apps/cli/bin/emu.js');

/** Pins servers to one core and the load to another, if the machine supports it. */
const pinned = ((): boolean => {
  if (process.platform !== 'linux' || availableParallelism() < 2) return false;
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
export const onCore = (core: number, args: readonly string[]): [string, string[]] =>
  pinned ? ['taskset', ['-c', String(core), process.execPath, ...args]] : [process.execPath, [...args]];

/** A server being measured. */
export interface Server {
  url: string;
  pid: number;
  /** Milliseconds from its start to its first response. */
  readyAfter: number;
  /** Resident memory in bytes. */
  memory(): number;
  /** Whether it still runs. */
  running(): boolean;
  /** Used CPU time in milliseconds; undefined if the system does not report it. */
  processorTime(): number | undefined;
  stop(): Promise<void>;
}

/** One request of the load. */
export interface LoadRequest {
  /** POST by default. */
  method?: string;
  /** `/` by default. */
  path?: string;
  headers: Record<string, string>;
  body: string;
}

/** Result of a round of load. */
export interface LoadResult {
  perSecond: number;
  total: number;
  failed: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** The server's CPU time per request in milliseconds; undefined if the system does not report it. */
  processorTime?: number | undefined;
}

/** Starts the bare server. */
export const startBare = (json = '{}'): Promise<Server> => startServer((port) => [BARE, String(port), json], '/');

/**
 * Starts the bare server for streaming: writes bodies of PUTs to a file, and returns as many bytes for a GET as its
 * path says.
 */
export const startBareStreams = (): Promise<Server> => startServer((port) => [BARE_STREAMS, String(port)], '/0');

/** Starts dynalite, with its tables in memory. */
export const startDynalite = (): Promise<Server> => startServer((port) => [DYNALITE, String(port)], '/');

/** Starts kinesalite, with its streams in memory. */
export const startKinesalite = (): Promise<Server> => startServer((port) => [KINESALITE, String(port)], '/', 403);

/** Starts all services behind emu's listener, or behind a server that passes all requests to the Hono application. */
export const startFront = (front: 'raw' | 'hono'): Promise<Server> =>
  startServer((port) => [FRONT, String(port), front], '/_emulator/health');

/** Starts emu as a user does. */
export const startEmu = (...flags: string[]): Promise<Server> => startServer(emuArgs(flags), '/_emulator/health');

/** Starts emu on all cores, for work outside of its main thread. */
export const startEmuOnAllCores = (...flags: string[]): Promise<Server> =>
  startServer(emuArgs(flags), '/_emulator/health', 200, false);

const emuArgs =
  (flags: readonly string[]) =>
  (port: number): string[] => [EMU, '--addr', `127.0.0.1:${port}`, '--log-level', 'error', ...flags];

/**
 * @param status of GET requests for the path once it is ready
 * @param isPinned whether it runs on one core, if the machine supports it
 */
async function startServer(
  args: (port: number) => string[],
  path: string,
  status = 200,
  isPinned = true,
): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [command, commandArgs] = isPinned ? onCore(0, args(port)) : [process.execPath, args(port)];
  const started = performance.now();
  const child = spawn(command, commandArgs, { stdio: ['ignore', 'ignore', 'inherit'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (!(await answers(url + path, status))) {
    if (child.exitCode !== null) throw new Error(`${commandArgs.join(' ')} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return {
    url,
    pid: child.pid!,
    readyAfter: performance.now() - started,
    memory: () => residentMemory(child),
    running: () => child.exitCode === null && child.signalCode === null,
    processorTime: () => processorTime(child),
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** Puts load on a server for some seconds. @throws Error at the first failing request */
export async function load(
  server: Server,
  requests: readonly LoadRequest[],
  options: { seconds: number; connections?: number },
): Promise<LoadResult> {
  await answer(server, requests[0]!);
  const before = server.processorTime();
  const [command, args] = onCore(1, [LOAD, JSON.stringify({ connections: 16, ...options, url: server.url, requests })]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const result = JSON.parse(output) as LoadResult;
  if (result.failed) throw new Error(`${result.failed} of ${result.total} requests to ${server.url} failed`);
  const after = server.processorTime();
  if (before !== undefined && after !== undefined) result.processorTime = (after - before) / result.total;
  return result;
}

/** Uploads or downloads a body repeatedly for some seconds. @returns bytes per second */
export async function stream(
  server: Server,
  options: { method: 'GET' | 'PUT'; path: string; bytes: number; seconds: number },
): Promise<number> {
  const [command, args] = onCore(1, [STREAM_LOAD, JSON.stringify({ ...options, url: server.url })]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  return (JSON.parse(output) as { perSecond: number }).perSecond;
}

/** Sends one request and returns its JSON response. @throws Error if it fails */
export async function call(server: Server, request: LoadRequest): Promise<Record<string, unknown>> {
  const text = await answer(server, request);
  return (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
}

async function answer(server: Server, { method = 'POST', path = '/', headers, body }: LoadRequest): Promise<string> {
  const response = await fetch(server.url + path, { method, headers, ...(body !== '' && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${server.url} answered ${response.status} ${text}`);
  return text;
}

function residentMemory({ pid }: ChildProcess): number {
  if (process.platform === 'linux')
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}

/** Milliseconds per clock tick of CPU time in Linux. */
const TICK = 10;

function processorTime({ pid }: ChildProcess): number | undefined {
  if (process.platform !== 'linux') return undefined;
  // The command, in parentheses, may contain spaces; utime and stime are the 14th and 15th field.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

function answers(url: string, status: number): Promise<boolean> {
  return new Promise((resolve) => {
    request(url, (response) => {
      response.resume();
      resolve(response.statusCode === status);
    })
      .on('error', () => resolve(false))
      .end();
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
