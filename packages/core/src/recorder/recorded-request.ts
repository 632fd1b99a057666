/** A recorded request or call between services. */
export interface RecordedRequest {
  /** Ascending number in the order of recording. */
  readonly sequence: number;
  readonly requestId: string;
  /** Id of the request that caused it. */
  readonly cause: string | undefined;
  /** The calling service; undefined for a client's request. */
  readonly via: string | undefined;
  /** Host name of AWS in a request that a program sent to AWS and that was redirected to emu. */
  readonly host: string | undefined;
  /** ARN of that program, such as a function. */
  readonly redirectedFrom: string | undefined;
  /** Empty if the request named an unknown service. */
  readonly service: string;
  /** Empty if the request named none. */
  readonly operation: string;
  readonly accountId: string;
  readonly region: string;
  /** ARN of the caller. */
  readonly caller: string;
  /** Emulated time of its arrival, in epoch milliseconds. */
  readonly receivedAt: number;
  /** Milliseconds until the response was known. */
  readonly duration: number;
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly errorMessage: string | undefined;
  /** The input, cut and with masked secrets. */
  readonly input: unknown;
  /** The output in the same form; null for an error. */
  readonly output: unknown;
}
