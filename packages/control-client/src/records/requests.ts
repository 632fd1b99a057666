import type { Timestamp } from './common.ts';

/** A completed request of a client or call between services. */
export interface RequestRecord {
  /** Position in the order of completion; increasing. */
  sequence: number;
  requestId: string;
  /** Id of the request that caused it. */
  cause?: string | undefined;
  /** Calling service; absent for a client's request. */
  via?: string | undefined;
  /** Host name of AWS in a request that a function sent to AWS and that was redirected to emu. */
  host?: string | undefined;
  /** ARN of that function. */
  redirectedFrom?: string | undefined;
  /** emu's name of the service, e.g. `sqs`; empty if the redirected request named an unknown one. */
  service: string;
  /** Name of the operation as in AWS; empty if the request named none, and for requests to APIs, websites and URLs. */
  operation: string;
  accountId: string;
  region: string;
  /** ARN of the caller. */
  caller: string;
  /** Emulated time. */
  receivedAt: Timestamp;
  /** Milliseconds until the response was complete. */
  duration: number;
  /** HTTP status; for a call between services, that of an equivalent request. */
  status: number;
  errorCode?: string | undefined;
  errorMessage?: string | undefined;
  /** Input, shortened to about 2,000 characters, with masked secrets; null if it could not be decoded. */
  input: unknown;
  /** Output in the same form; null for an error. */
  output: unknown;
}

/** A request with the calls that it caused. */
export interface RequestTree extends RequestRecord {
  caused: RequestTree[];
}

/** Filter of requests. Absent members match all. */
export interface RequestQuery {
  service?: string;
  operation?: string;
  account_id?: string;
  /** Only requests with an error response. */
  errors?: boolean;
  /** Only requests after this `sequence`. */
  since?: number;
}
