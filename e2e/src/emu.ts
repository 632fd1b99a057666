import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const EXECUTABLE = fileURLToPath(new URL('../../apps/cli/bin/emu.js', import.meta.url));
const BUILT = fileURLToPath(new URL('../../apps/cli/dist', import.meta.url));

/** Options of an emulator. */
export interface EmuOptions {
  /** Flags besides the address, e.g. `['--verify-sigv4']`. */
  args?: readonly string[];
  /** Environment variables besides those of this process. */
  env?: Record<string, string>;
  /** Data directory: persistent mode. */
  dataPath?: string;
  /** Address to listen on; by default of the loopback interface. */
  host?: string;
  /** Working directory; by default that of this process. */
  cwd?: string;
}

/** An emulator running in its own process. */
export interface Emu extends AsyncDisposable {
  /** E.g. `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** Last part of its standard output and standard error. */
  output(): string;
  /** Ends it with SIGTERM, as a user does. Resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
}

/** Limit of kept output in characters. */
const MAX_OUTPUT = 20_000;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts the built CLI on a free port and waits until it is healthy.
 * @throws Error with its output if it ends or is not healthy within 30 seconds
 */
export async function startEmu(options: EmuOptions = {}): Promise<Emu> {
  if (!existsSync(BUILT)) throw new Error('apps/cli is not built: run `node build.mjs` there first');
  const port = await freePort();
  const persistence = options.dataPath ? ['--storage-mode', 'persistent', '--data-path', options.dataPath] : [];
  const args = [
    EXECUTABLE,
    '--addr',
    `${options.host ?? '127.0.0.1'}:${port}`,
    ...persistence,
    ...(options.args ?? []),
  ];
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT);
    });
  const ended = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await healthy(url, child);
  } catch (error) {
    await end('SIGKILL');
    throw new Error(`emu did not start: ${String(error)}\n${output}`);
  }
  return {
    url,
    port,
    output: () => output,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
    },
  };
}

async function healthy(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 1500; attempt++) {
    if (child.exitCode !== null) throw new Error(`exit code ${child.exitCode}`);
    const response = await fetch(`${url}/_emulator/health`).catch(() => undefined);
    if (response?.ok) {
      await response.arrayBuffer();
      return;
    }
    await sleep(20);
  }
  throw new Error('not healthy after 30 seconds');
}

/** Returns an unused port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Creates a directory that is removed with the scope in which it is declared. */
export function temporaryDirectory(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'emu-e2e-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
