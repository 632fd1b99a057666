import type { Logger } from '@emu/core/service';
import type { Emulator } from '@emu/emulator';
import type { RunningServer } from './running-server.ts';
import { guardSignals } from './signal-guard.ts';

/** Timeout for writing all state in milliseconds. Without shutdown scripts, the exit takes less than two seconds. */
const CLOSE_WITHIN = 1_800;
/** Timeout for the shutdown scripts in milliseconds. */
const HOOKS_WITHIN = 2_000;
/** Milliseconds from a signal to the end of the process, even if its main thread is busy. */
const END_WITHIN = 4_800;
/** Milliseconds from a second signal to the end of a process whose main thread is busy. */
const END_AGAIN_WITHIN = 200;
/** Milliseconds in which signals count as one, because a terminal and a package manager may both send theirs. */
const SAME_SIGNAL = 100;

const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/**
 * Closes the emulator on signals. The first signal writes all state and exits with 0; a second one exits immediately. A
 * process whose main thread is busy is killed after five seconds.
 */
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
  const signals = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  for (const signal of signals) process.on(signal, onSignal);
  const times = { within: END_WITHIN, again: END_AGAIN_WITHIN, same: SAME_SIGNAL };
  guardSignals(
    signals,
    times,
    (start) => server.emulator.kernel.beforeLoading(start),
    (error) => server.log.warn('with this version of Node.js, signals do not end emu while it is busy', { error }),
  );
}

/**
 * Runs the shutdown scripts and closes the emulator. Resolves to the exit code. A timeout loses nothing: acknowledged
 * changes are in the journals, and the next start writes the snapshots.
 */
export async function closeInTime({
  emulator,
  log,
  hooks,
  url,
}: Pick<RunningServer, 'log' | 'hooks' | 'url'> & {
  emulator: Pick<Emulator, 'close'> & { kernel: Pick<Emulator['kernel'], 'persistent'> };
}): Promise<number> {
  if (hooks) await Promise.race([hooks.end(url), new Promise((resolve) => setTimeout(resolve, HOOKS_WITHIN))]);
  const timeout = new Promise<'late'>((resolve) => setTimeout(resolve, CLOSE_WITHIN, 'late'));
  try {
    if ((await Promise.race([emulator.close(), timeout])) === 'late')
      log.warn(
        emulator.kernel.persistent
          ? 'shutting down took too long; the next start finishes writing snapshots'
          : 'shutting down took too long; the remaining work ends with the process',
      );
    return 0;
  } catch (error) {
    log.error('the state could not be written', { error });
    return 1;
  }
}

/** Logs errors outside of any request, after which emu continues. */
export function keepRunning(log: Logger): void {
  process.on('uncaughtException', (error, origin) => log.error(origin, { error }));
  // The reader of our output has ended, as in `emu | head`.
  const ignoreClosedPipe = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error;
  };
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);
}
