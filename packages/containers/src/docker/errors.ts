import { ContainerError } from '@emu/core/service';

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

/** Returns the error for a container that could not be started. */
export function startError(name: string, error: unknown): ContainerError {
  if (error instanceof ContainerError) return error;
  const words = engineWords(error);
  const { code } = error as EngineFailure;
  const reason =
    code === 'ECONNREFUSED' || code === 'ENOENT' ? 'unavailable' : NO_COMMAND.test(words) ? 'command' : 'engine';
  return new ContainerError(reason, `${name} cannot be started: ${words}`, { cause: error });
}
