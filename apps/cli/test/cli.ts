import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../bin/emu.js', import.meta.url));

/** Environment of a test, without this machine's settings of emu or AWS. */
export const cleanEnv = (extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(EMULATOR|AWS)_/.test(name))),
  ...extra,
});

/** Result of a finished command. */
export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running command. */
export class Running {
  stdout = '';
  stderr = '';
  readonly finished: Promise<Finished>;
  private readonly watchers = new Set<() => void>();

  constructor(readonly child: ChildProcess) {
    const collect = (stream: 'stdout' | 'stderr') => (chunk: Buffer) => {
      this[stream] += chunk;
      for (const watcher of this.watchers) watcher();
    };
    child.stdout!.on('data', collect('stdout'));
    child.stderr!.on('data', collect('stderr'));
    this.finished = new Promise((resolve) =>
      child.on('close', (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr })),
    );
  }

  /**
   * Resolves to the match when an output matches, standard output by default. Rejects when the command ends without a
   * match, and after 30 seconds.
   */
  waitFor(pattern: RegExp, output: 'stdout' | 'stderr' = 'stdout'): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(limit);
        this.watchers.delete(look);
      };
      const fail = (what: string): void => {
        end();
        reject(new Error(`${what} without ${pattern}: ${this.stdout}${this.stderr}`));
      };
      const look = (): void => {
        const match = pattern.exec(this[output]);
        if (!match) return;
        end();
        resolve(match);
      };
      const limit = setTimeout(() => fail('30 seconds'), 30_000);
      this.watchers.add(look);
      void this.finished.then(({ code }) => fail(`ended with ${code}`));
      look();
    });
  }
}

/** Starts the built emu. */
export const emu = (args: readonly string[], env: NodeJS.ProcessEnv = {}, options: SpawnOptions = {}): Running =>
  new Running(spawn(process.execPath, [BIN, ...args], { env: cleanEnv(env), stdio: 'pipe', ...options }));

/** Runs the built emu to its end. */
export const run = (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Finished> => emu(args, env).finished;

/** A started emulator and its URL. */
export interface Started extends AsyncDisposable {
  running: Running;
  url: string;
  port: string;
  addr: string;
}

/** Starts an emulator on a free port; `await using` ends it. */
export async function started(args: readonly string[] = [], env?: NodeJS.ProcessEnv): Promise<Started> {
  const running = emu(['--addr', '127.0.0.1:0', ...args], env);
  const [, url, port] = await running.waitFor(/ready on (http:\/\/127\.0\.0\.1:(\d+))/);
  return {
    running,
    url: url!,
    port: port!,
    addr: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      running.child.kill('SIGKILL');
      await running.finished;
    },
  };
}

/** Returns an unused port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
