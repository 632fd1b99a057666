import { ContainerError } from '@emu/core/service';

/** What an engine's client rejects with. */
interface EngineFailure {
  statusCode?: number;
  reason?: string;
  json?: { message?: string; cause?: string };
  code?: string;
  message: string;
}

/** Whether an engine said that something does not exist. */
export const isMissing = (error: unknown): boolean => (error as EngineFailure).statusCode === 404;

/** Whether an engine said that something is there already, in use, or not in the state for it. */
export const isConflict = (error: unknown): boolean => (error as EngineFailure).statusCode === 409;

/** An engine's own words. */
export function engineWords(error: unknown): string {
  const { json, message } = error as EngineFailure;
  return (json?.message ?? message).trim();
}

/** Words of engines and their runtimes for a command that cannot be run. */
const NO_COMMAND =
  /executable file.*not found|no such file or directory|permission denied|exec format error|not found in \$PATH/i;

/** What a container that could not be started is reported as. */
export function startError(name: string, error: unknown): ContainerError {
  if (error instanceof ContainerError) return error;
  const words = engineWords(error);
  const { code } = error as EngineFailure;
  const reason =
    code === 'ECONNREFUSED' || code === 'ENOENT' ? 'unavailable' : NO_COMMAND.test(words) ? 'command' : 'engine';
  return new ContainerError(reason, `${name} cannot be started: ${words}`, { cause: error });
}
