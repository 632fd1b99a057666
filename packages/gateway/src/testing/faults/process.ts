import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** An emulator in a process of its own, which a test can kill. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
}

/**
 * Starts a program that calls `serve`, from its TypeScript source.
 * @param values settings for the program, by name
 * @throws Error with its output if it ends instead of listening
 */
export async function startServerProcess(
  program: string,
  dataPath: string,
  values: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const args = ['--conditions=emu-source', '--import', 'tsx', program, dataPath, JSON.stringify(values)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    return { url: await firstLine(child), pid: child.pid!, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** Returns the current or peak resident memory of a process in bytes, on Linux only; 0 for one that has ended. */
export const residentBytes = (pid: number, figure: 'VmRSS' | 'VmHWM' = 'VmRSS'): number =>
  1024 *
  Number(new RegExp(`^${figure}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);

async function firstLine(child: ChildProcess): Promise<string> {
  let errors = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const lines = createInterface({ input: child.stdout! });
  for await (const line of lines) return line;
  throw new Error(`the emulator ended: ${errors}`);
}
