import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from './emu.ts';
import { type Outcome, type RunOptions, variablesOf } from './programs.ts';

const PROGRAM = fileURLToPath(new URL('../python/cli/commands.py', import.meta.url));
/** Timeout of a command in milliseconds. */
const LIMIT = 300_000;

/** A Python process that runs commands of the AWS CLI, each in a fork and possibly concurrently. */
export class CliProcess {
  private readonly child: ChildProcess;
  private readonly directory = temporaryDirectory();
  private readonly running = new Map<number, { ended(code: number): void; failed(error: Error): void }>();
  private errors = '';
  private last = 0;

  constructor() {
    this.child = spawn('python3', [PROGRAM], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stderr!.on('data', (chunk: Buffer) => {
      this.errors += chunk;
    });
    // A process that ended before its command was written is detected by its exit.
    this.child.stdin!.on('error', () => undefined);
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      const { id, code } = JSON.parse(line) as { id: number; code: number };
      this.running.get(id)?.ended(code);
      this.running.delete(id);
    });
    const gone = (cause: string): void => {
      for (const { failed } of this.running.values()) failed(new Error(`${PROGRAM} ${cause}: ${this.errors}`));
      this.running.clear();
    };
    this.child.once('error', (error) => gone(error.message));
    this.child.once('close', (code) => gone(`ended with ${code}`));
  }

  /** Runs `aws` with arguments to its end, at most five minutes. */
  async run(args: readonly string[], { cwd, env }: RunOptions = {}): Promise<Outcome> {
    const id = ++this.last;
    const out = join(this.directory.path, String(id));
    mkdirSync(out);
    const request = { id, args, env: variablesOf(env), cwd: cwd ?? process.cwd(), out };
    let limit: NodeJS.Timeout | undefined;
    const code = await new Promise<number>((resolve, reject) => {
      this.running.set(id, { ended: resolve, failed: reject });
      limit = setTimeout(() => reject(new Error(`aws ${args.join(' ')} has not ended`)), LIMIT);
      this.child.stdin!.write(`${JSON.stringify(request)}\n`);
    }).finally(() => clearTimeout(limit));
    const outcome = {
      code,
      stdout: readFileSync(join(out, 'stdout'), 'utf8'),
      stderr: readFileSync(join(out, 'stderr'), 'utf8'),
    };
    rmSync(out, { recursive: true });
    return outcome;
  }

  /** Ends it and removes its files. */
  async end(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const closed = once(this.child, 'close');
      this.child.stdin!.end();
      await closed;
    }
    this.directory[Symbol.dispose]();
  }
}
