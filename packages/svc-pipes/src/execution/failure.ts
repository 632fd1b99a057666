import { AwsError } from '@emu/wire';

/** Failure of a step, as logged. */
export interface Failure {
  readonly message: string;
  readonly status: number;
  /** Called service, as in ARNs. */
  readonly service: string;
  readonly details?: string;
}

/** A failed step of a pipe. */
export class StepFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** Returns the failure of a call. @throws Error for an internal error of emu */
export function failureOf(error: unknown, service: string): Failure {
  if (error instanceof StepFailure) return error.failure;
  if (!(error instanceof AwsError)) throw error;
  const { message, status = 400, code } = error;
  return { message, status, service, details: code };
}
