import { constants } from 'node:os';
import { Worker } from 'node:worker_threads';

/**
 * Program of the worker thread. It is text because a separate file would have to be found from the sources and bundles.
 * Node gives `process.on` signals to the main thread only. A handle of libuv receives them in any thread; Node.js 20 to 24
 * show it to a thread with `--expose-internals`.
 */
const PROGRAM = `
const { workerData: { signals, within, again, same } } = require('node:worker_threads');
const { Signal } = require('internal/test/binding').internalBinding('signal_wrap');
const end = (after) => setTimeout(() => process.kill(process.pid, 'SIGKILL'), after);
let since;
const onSignal = () => {
  if (since === undefined) end(within);
  else if (performance.now() - since > same) end(again);
  since ??= performance.now();
};
for (const signal of signals) {
  const handle = new Signal();
  handle.onsignal = onSignal;
  handle.start(signal);
}
`;

/** Times of a guard in milliseconds. */
export interface GuardTimes {
  /** From the first signal to the end of the process. */
  readonly within: number;
  /** From a second signal to the end of the process. */
  readonly again: number;
  /** Period in which signals count as one. */
  readonly same: number;
}

/**
 * Kills the process some time after a signal, from a thread of its own, if the main thread is too busy to handle it.
 * Journals contain all acknowledged changes by then. Without the internal interface of Node.js that it uses, it has no
 * effect.
 * @param beforeWork calls its argument before anything can keep the main thread busy; until then, the thread and its 8 MB
 * are saved
 * @param failed called if it has no effect
 */
export function guardSignals(
  signals: readonly (keyof typeof constants.signals)[],
  times: GuardTimes,
  beforeWork: (start: () => void) => void,
  failed: (error: unknown) => void,
): void {
  const start = (): void => {
    const worker = new Worker(PROGRAM, {
      eval: true,
      env: {},
      execArgv: ['--expose-internals', '--no-warnings'],
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
      workerData: { ...times, signals: signals.map((signal) => constants.signals[signal]) },
    });
    worker.on('error', failed);
    worker.unref();
  };
  beforeWork(() => {
    try {
      start();
    } catch (error) {
      // This version of Node.js has no such argument.
      failed(error);
    }
  });
}
