/** A request or a call between services, as it was recorded. */
export interface RecordedRequest {
  /** Its place in the order of recording; grows. */
  readonly sequence: number;
  readonly requestId: string;
  /** Id of the request that caused it. */
  readonly cause: string | undefined;
  /** The service that called; undefined for a client's request. */
  readonly via: string | undefined;
  readonly service: string;
  /** Empty where the request named none. */
  readonly operation: string;
  readonly accountId: string;
  readonly region: string;
  /** ARN of the caller. */
  readonly caller: string;
  /** Emulated time of its arrival, in epoch milliseconds. */
  readonly receivedAt: number;
  /** Milliseconds until the answer was known. */
  readonly duration: number;
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly errorMessage: string | undefined;
  /** The input, cut and with secrets masked. */
  readonly input: unknown;
  /** The same of the output; null where there was an error. */
  readonly output: unknown;
}
