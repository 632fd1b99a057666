import type { ContainerExit } from '@emu/core/service';
import { type Outcome, platformError } from './invocation.ts';

/**
 * Returns AWS's error for a timeout.
 * @param timeout seconds
 */
export const timeoutOutcome = (requestId: string, timeout: number): Outcome =>
  platformError(
    'Sandbox.Timedout',
    `RequestId: ${requestId} Error: Task timed out after ${timeout.toFixed(2)} seconds`,
  );

/** Returns AWS's error for an exited runtime process. */
export function exitOutcome({ code, signal, outOfMemory }: ContainerExit, requestId: string): Outcome {
  const how =
    signal || outOfMemory
      ? `with error: signal: ${SIGNALS[signal ?? 'SIGKILL'] ?? signal?.toLowerCase().slice(3)}`
      : code
        ? `with error: exit status ${code}`
        : 'without providing a reason';
  const type = outOfMemory ? 'Runtime.OutOfMemory' : 'Runtime.ExitError';
  return platformError(type, `RequestId: ${requestId} Error: Runtime exited ${how}`);
}

/** Signal names in Go, as in AWS's messages. */
const SIGNALS: Partial<Record<NodeJS.Signals, string>> = {
  SIGABRT: 'aborted',
  SIGBUS: 'bus error',
  SIGFPE: 'floating point exception',
  SIGHUP: 'hangup',
  SIGILL: 'illegal instruction',
  SIGINT: 'interrupt',
  SIGKILL: 'killed',
  SIGPIPE: 'broken pipe',
  SIGQUIT: 'quit',
  SIGSEGV: 'segmentation fault',
  SIGTERM: 'terminated',
  SIGTRAP: 'trace/breakpoint trap',
};

/** A program that the package lacks, such as a bootstrap: a function error rather than a request error. */
export class MissingProgram extends Error {
  override readonly name = 'MissingProgram';
}
