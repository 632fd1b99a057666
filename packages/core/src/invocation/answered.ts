import type { Answered } from '../plugin/observer.ts';
import type { Invocation } from '../services/invocation.ts';

/** Result of an invocation: its output, or its error with the status of the response. */
export type Outcome = Pick<Answered, 'output' | 'status' | 'errorCode' | 'errorMessage'>;

/**
 * Returns the fields of a completed invocation for observers and the recorder.
 * @param receivedAt emulated time of its arrival, in epoch milliseconds
 * @param started `performance.now()` at its arrival
 * @param via the calling service, for a call between services
 */
export const answeredInvocation = <Via extends string | undefined>(
  { service, operation, requestId, cause, principal, accountId, region, input, secrets }: Invocation,
  { output, status, errorCode, errorMessage }: Outcome,
  receivedAt: number,
  started: number,
  via: Via,
) => ({
  service,
  operation,
  requestId,
  cause,
  principal,
  accountId,
  region,
  input,
  output,
  status,
  errorCode,
  errorMessage,
  receivedAt,
  duration: performance.now() - started,
  via,
  secrets,
});
