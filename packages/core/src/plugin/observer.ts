import type { Principal } from '../identity/principal.ts';
import type { HttpDetails } from './http.ts';

/** Subscription of an observer in its manifest. */
export interface Observation {
  /** The requests of the observer's own service, or those of every service. */
  readonly requests: 'own' | 'all';
  /**
   * `before-answer`: the response waits for the observer, whose failure fails the request. `after-answer`: the observer
   * is called after the response was sent, and its failure is only logged.
   */
  readonly when: 'before-answer' | 'after-answer';
  /** Whether it is called only while a state of the service subscribes by `ServiceHandle.observeRequests`. */
  readonly onDemand?: true;
}

/** Common fields of answered requests. */
export interface Answered {
  /** emu's name of the service. */
  readonly service: string;
  /** Empty if the request named none. */
  readonly operation: string;
  readonly requestId: string;
  /** See `OperationContext.cause`. */
  readonly cause: string | undefined;
  readonly principal: Principal;
  readonly accountId: string;
  /** Region of the request. */
  readonly region: string;
  /** The input; undefined if it could not be decoded. Its streams are already read, and must not be changed. */
  readonly input: unknown;
  /** The output; undefined for an error. Only the client may read its streams. */
  readonly output: unknown;
  /** HTTP status; for a call between services, that of a request with the same result. */
  readonly status: number;
  /** Code of the returned error. */
  readonly errorCode: string | undefined;
  readonly errorMessage: string | undefined;
  /** Emulated time of the request's arrival, in epoch milliseconds. */
  readonly receivedAt: number;
  /** Milliseconds until the response was known. */
  readonly duration: number;
  /** See `CallOptions.secrets`. */
  readonly secrets?: readonly string[] | undefined;
}

/** An answered API request, with the fields of a service's access log. */
export interface AnsweredHttpRequest extends Answered {
  readonly http: HttpDetails;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Bytes of the response's body; undefined where it is a stream of unknown length. */
  readonly bytesSent: number | undefined;
  readonly via: undefined;
}

/** A completed call between services. */
export interface AnsweredCall extends Answered {
  readonly http: undefined;
  /** The calling service; undefined for the program that embeds the emulator. */
  readonly via: string | undefined;
}

/** A completed request or call between services. */
export type AnsweredRequest = AnsweredHttpRequest | AnsweredCall;
