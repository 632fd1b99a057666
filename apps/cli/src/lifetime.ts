import type { Logger } from '@emu/core/service';
import type { RunningServer } from './running-server.ts';

/** Longest time for writing everything out, in milliseconds; the whole exit takes less than two seconds. */
const CLOSE_WITHIN = 1_800;
/** Milliseconds in which signals count as one: a terminal and a package manager above us may both send theirs. */
const SAME_SIGNAL = 100;

const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** The first signal writes everything out and exits with 0; a second one exits at once. */
export function closeOnSignals(server: RunningServer): void {
  let since: number | undefined;
  const onSignal = (signal: keyof typeof SIGNALS): void => {
    if (since !== undefined) {
      if (performance.now() - since > SAME_SIGNAL) process.exit(128 + SIGNALS[signal]);
      return;
    }
    since = performance.now();
    server.log.info(`${signal}: shutting down`);
    void closeInTime(server).then((code) => process.exit(code));
  };
  for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) process.on(signal, onSignal);
}

/** Longest time for the scripts that run before the end, in milliseconds. */
const HOOKS_WITHIN = 10_000;

/**
 * Runs the scripts for the end, and closes the emulator; resolves with the exit code. When time runs out nothing is lost: what was acknowledged is in the
 * journals, and only folding them into snapshots is left to the next start.
 */
export async function closeInTime({ emulator, log, hooks, url }: RunningServer): Promise<number> {
  if (hooks) await Promise.race([hooks.end(url), new Promise((resolve) => setTimeout(resolve, HOOKS_WITHIN))]);
  const timeout = new Promise<'late'>((resolve) => setTimeout(resolve, CLOSE_WITHIN, 'late'));
  try {
    if ((await Promise.race([emulator.close(), timeout])) === 'late')
      log.warn('shutting down took too long; the next start finishes writing snapshots');
    return 0;
  } catch (error) {
    log.error('the state could not be written out', { error });
    return 1;
  }
}

/** A defect that no request owns is logged, and emu goes on serving. */
export function keepRunning(log: Logger): void {
  process.on('uncaughtException', (error, origin) => log.error(origin, { error }));
  // Whoever read our output has gone, as in `emu | head`; there is nobody to tell.
  const ignoreClosedPipe = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error;
  };
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);
}
