import { ContainerError } from '@emu/core/service';
import type { RuntimeEngine } from './engine.ts';

/** Error of an engine's client. */
interface EngineFailure {
  statusCode?: number;
  reason?: string;
  json?: { message?: string; cause?: string };
  code?: string;
  message: string;
}

/** Whether the engine reported that an object does not exist. */
export const isMissing = (error: unknown): boolean => (error as EngineFailure).statusCode === 404;

/** Whether the engine reported a conflict: the object exists, is in use, or is in the wrong state. */
export const isConflict = (error: unknown): boolean => (error as EngineFailure).statusCode === 409;

/** Returns the message of the engine. */
export function engineWords(error: unknown): string {
  const { json, message } = error as EngineFailure;
  return (json?.message ?? message).trim();
}

/** Messages of engines and runtimes for a command that cannot run. */
const NO_COMMAND =
  /executable file.*not found|no such file or directory|permission denied|exec format error|not found in \$PATH/i;

/** Codes of connections that failed because nothing listens at the engine's address any more. */
const GONE: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE']);

/**
 * Returns the error of a request to the engine, and reports an engine that no longer responds.
 * @returns ContainerError `unavailable` for such an engine; other errors unchanged
 */
export function requestError(engine: RuntimeEngine, error: unknown): unknown {
  const { code, statusCode } = error as EngineFailure;
  if (error instanceof ContainerError || statusCode !== undefined || !GONE.has(code)) return error;
  engine.lost();
  return new ContainerError('unavailable', `the container engine does not respond: ${engineWords(error)}`, {
    cause: error,
  });
}

/** Returns the error for a container that could not be started. */
export function startError(engine: RuntimeEngine, name: string, failure: unknown): ContainerError {
  const error = requestError(engine, failure);
  if (error instanceof ContainerError) return error;
  const words = engineWords(error);
  const reason = NO_COMMAND.test(words) ? 'command' : 'engine';
  return new ContainerError(reason, `${name} cannot be started: ${words}`, { cause: error });
}
