import type { Principal } from '../identity/principal.ts';
import type { HttpFacts } from './http.ts';

/** An API request that has been answered, as a service's own access log tells it. */
export interface AnsweredRequest {
  /** Empty where the request named none. */
  readonly operation: string;
  readonly requestId: string;
  readonly principal: Principal;
  /** Region of the request. */
  readonly region: string;
  readonly http: HttpFacts;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly status: number;
  /** Code of the error that was answered. */
  readonly errorCode: string | undefined;
  /** Bytes of the response's body; undefined where it is a stream of unknown length. */
  readonly bytesSent: number | undefined;
  /** Emulated time of the request's arrival, in epoch milliseconds. */
  readonly receivedAt: number;
  /** Milliseconds until the answer was known. */
  readonly duration: number;
}
