import { constants, getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { FromHost, ProgramModule, RunProgram, ToHost } from './messages.ts';

/** Address of this module, which the emulator starts in a process of its own. */
export const url: string = import.meta.url;

/**
 * Ends the process when the emulator has ended or the memory outside of the JavaScript heap exceeds the limit: the main
 * thread cannot look while a program runs. It is text because a separate file would have to be found from the sources,
 * the built package and bundles.
 */
const GUARD = `
const { workerData: { parent, limit, every } } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > limit) process.kill(process.pid, 'SIGKILL');
}, every);
`;
const GUARD_INTERVAL = 100;

const programs = new Map<string, Promise<RunProgram<unknown, unknown>>>();

const failure = (error: unknown): FromHost => ({
  error: error instanceof Error ? (error.stack ?? error.message) : String(error),
});

async function answerTo(message: ToHost): Promise<FromHost> {
  try {
    if ('load' in message) {
      const loading = import(message.load).then((module: ProgramModule<unknown, unknown>) => module.load());
      programs.set(message.load, loading);
      await loading;
      return { loaded: true };
    }
    const run = await programs.get(message.run)!;
    return { output: await run(message.input) };
  } catch (error) {
    return failure(error);
  }
}

/**
 * Runs programs for the parent process, one at a time.
 * @param limit maximum resident memory of this process, in bytes
 */
export function serve(limit: number): void {
  new Worker(GUARD, { eval: true, workerData: { parent: process.ppid, limit, every: GUARD_INTERVAL } });
  // Requests come before programs.
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  // Ctrl-C in a terminal reaches all its processes. The emulator ends this one when it needs it no more.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  process.on('message', async (message: ToHost) => {
    const answer = await answerTo(message);
    try {
      process.send?.(answer);
    } catch (error) {
      // An output that cannot be cloned.
      process.send?.(failure(error));
    }
  });
}
