import { AwsError } from '@emu/wire';

/** Why a step of a pipe failed, as its log tells it. */
export interface Failure {
  readonly message: string;
  readonly status: number;
  /** Service that was called, as its ARNs name it. */
  readonly service: string;
  readonly details?: string;
}

/** A step of a pipe that failed. */
export class StepFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** What went wrong with a call. @throws Error what is a mistake of emu's own */
export function failureOf(error: unknown, service: string): Failure {
  if (error instanceof StepFailure) return error.failure;
  if (!(error instanceof AwsError)) throw error;
  const { message, status = 400, code } = error;
  return { message, status, service, details: code };
}
