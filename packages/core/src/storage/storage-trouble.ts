import type { Logger } from '../base/log.ts';
import { DirectoryLost } from './directory-lost.ts';
import { isFileError } from './file-system.ts';

/** Milliseconds in which the log is told once. */
const QUIET = 60_000;

/** When each log was last told, in milliseconds of `performance.now()`. */
const lastTold = new WeakMap<Logger, number>();

/**
 * What to say of an error that a change met because the disk takes nothing more for now: it is full, or the data directory
 * is gone.
 * @returns undefined for any other error
 */
export function storageProblem(error: unknown): string | undefined {
  if (error instanceof DirectoryLost) return error.message;
  if (isFileError(error, 'ENOSPC')) return 'The disk that holds the state of the emulator is full (ENOSPC)';
  if (isFileError(error, 'EDQUOT')) return "The user's quota of the disk that holds the state is used up (EDQUOT)";
  return undefined;
}

/** Whether an error comes of a disk that does not work, which every request may meet. */
export const isStorageFailure = (error: unknown): boolean => isFileError(error, 'EIO');

/** Tells the log of trouble with the disk, once a minute whoever meets it, for each request may. */
export function reportStorageTrouble(log: Logger, message: string, error: unknown): void {
  const now = performance.now();
  const last = lastTold.get(log);
  if (last !== undefined && now - last < QUIET) return;
  lastTold.set(log, now);
  log.error(message, { error });
}
