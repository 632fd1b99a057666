import { AwsError } from '@emu/wire';

/** How an attempt to deliver ended. */
export type Outcome =
  | { readonly delivered: true; readonly statusCode?: number }
  | {
      readonly delivered: false;
      readonly error: string;
      /** Whether it may go better later: what the endpoint refuses it refuses again. */
      readonly retriable: boolean;
      readonly statusCode?: number;
    };

export const DELIVERED: Outcome = { delivered: true };

const NOT_IMPLEMENTED = 501;

/**
 * The outcome of a call to another service that failed. AWS does not try again what is the caller's fault, as a queue that
 * was deleted or that does not let SNS in; a service that emu does not have never gets the message either.
 */
export function failureOf(error: unknown): Outcome {
  if (!(error instanceof AwsError)) throw error;
  const status = error.status ?? 400;
  return {
    delivered: false,
    error: `${error.code}: ${error.message}`,
    retriable: status >= 500 && status !== NOT_IMPLEMENTED,
  };
}
