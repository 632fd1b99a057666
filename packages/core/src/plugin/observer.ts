import type { Principal } from '../identity/principal.ts';
import type { HttpDetails } from './http.ts';

/** What an observer is told of and when, as a manifest says it. */
export interface Observation {
  /** The requests of the observer's own service, or those of every service. */
  readonly requests: 'own' | 'all';
  /**
   * `before-answer`: the answer waits for the observer, whose failure fails the request. `after-answer`: it is told when
   * the answer has been sent, and its failure is only logged.
   */
  readonly when: 'before-answer' | 'after-answer';
  /** Told only while a state of the service asks for it by `ServiceHandle.observeRequests`. */
  readonly onDemand?: true;
}

/** What is known of any request that has been answered. */
export interface Answered {
  /** emu's name of the service. */
  readonly service: string;
  /** Empty where the request named none. */
  readonly operation: string;
  readonly requestId: string;
  /** See `OperationContext.cause`. */
  readonly cause: string | undefined;
  readonly principal: Principal;
  readonly accountId: string;
  /** Region of the request. */
  readonly region: string;
  /** The input; undefined where it could not be decoded. What streams in it has been read, and must not be changed. */
  readonly input: unknown;
  /** The output; undefined where the answer is an error. What streams in it is for the client to read. */
  readonly output: unknown;
  /** HTTP status; of a call between services, that of a request with the same outcome. */
  readonly status: number;
  /** Code of the error that was answered. */
  readonly errorCode: string | undefined;
  readonly errorMessage: string | undefined;
  /** Emulated time of the request's arrival, in epoch milliseconds. */
  readonly receivedAt: number;
  /** Milliseconds until the answer was known. */
  readonly duration: number;
}

/** An API request that has been answered, as a service's own access log tells it. */
export interface AnsweredHttpRequest extends Answered {
  readonly http: HttpDetails;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Bytes of the response's body; undefined where it is a stream of unknown length. */
  readonly bytesSent: number | undefined;
  readonly via: undefined;
}

/** A call between services that has ended. */
export interface AnsweredCall extends Answered {
  readonly http: undefined;
  /** The service that called; undefined for the program that the emulator is embedded in. */
  readonly via: string | undefined;
}

/** A request, or a call between services, that has been answered. */
export type AnsweredRequest = AnsweredHttpRequest | AnsweredCall;
