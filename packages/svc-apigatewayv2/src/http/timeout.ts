import type { Clock } from '@emu/core/service';

/** Timeout of an integration. */
export class LateAnswer extends Error {
  override readonly name = 'LateAnswer';
}

/**
 * Runs a function with a timeout of emulated time.
 * @param limit milliseconds
 * @param caller aborted when the caller disconnects
 * @throws LateAnswer; errors of `run`
 */
export async function withTimeout<T>(
  clock: Clock,
  limit: number,
  caller: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  let timer: ReturnType<Clock['after']> | undefined;
  const lateness = new Promise<never>((_, reject) => {
    timer = clock.after(limit, () => {
      reject(new LateAnswer('The integration did not answer in time.'));
      late.abort();
    });
  });
  try {
    return await Promise.race([run(AbortSignal.any([late.signal, caller])), lateness]);
  } finally {
    timer?.cancel();
  }
}
