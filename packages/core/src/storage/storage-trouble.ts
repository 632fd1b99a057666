import type { Logger } from '../base/log.ts';
import { DirectoryLost } from './directory-lost.ts';
import { isFileError } from './file-system.ts';

/** Milliseconds between two log lines. */
const LOG_INTERVAL = 60_000;

/** Time of each log's last line, in milliseconds of `performance.now()`. */
const lastLogged = new WeakMap<Logger, number>();

/**
 * Returns the message for a change that failed because the disk is full or the data directory is gone.
 * @returns undefined for any other error
 */
export function storageProblem(error: unknown): string | undefined {
  if (error instanceof DirectoryLost) return error.message;
  if (isFileError(error, 'ENOSPC')) return 'The disk that holds the state of the emulator is full (ENOSPC)';
  if (isFileError(error, 'EDQUOT')) return "The user's quota of the disk that holds the state is used up (EDQUOT)";
  return undefined;
}

/** Whether an error is caused by a failing disk, which affects every request. */
export const isStorageFailure = (error: unknown): boolean => isFileError(error, 'EIO');

/** Logs trouble with the disk, at most once a minute, as every request may meet it. */
export function reportStorageTrouble(log: Logger, message: string, error: unknown): void {
  const now = performance.now();
  const last = lastLogged.get(log);
  if (last !== undefined && now - last < LOG_INTERVAL) return;
  lastLogged.set(log, now);
  log.error(message, { error });
}
