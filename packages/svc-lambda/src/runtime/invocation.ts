/** One run of a handler, as its runtime is told of it. */
export interface Invocation {
  requestId: string;
  /** ARN as it was called, with its qualifier. */
  functionArn: string;
  payload: Uint8Array;
  /** `X-Amzn-Trace-Id` of the caller, extended. */
  traceHeader: string;
  /** JSON, no longer base64. */
  clientContext?: string;
  /** JSON with `cognitoIdentityId` and `cognitoIdentityPoolId`. */
  cognitoIdentity?: string;
  tenantId?: string;
}

/** Where a response goes while it is still being made. */
export interface ResponseSink {
  /** Told once, before the first bytes. */
  begin(contentType: string): void;
  /** Takes bytes; the runtime is not read further until it resolves. */
  write(chunk: Uint8Array): Promise<void> | void;
}

/** How an invocation ended, as far as its runtime is concerned. */
export interface Outcome {
  /** The response, or the error as JSON; empty where a sink took it. */
  payload: Buffer;
  contentType: string;
  /** Whether a sink took the response. */
  streamed: boolean;
  /** Set where it failed, e.g. `Runtime.ExitError` or the error's own class. */
  errorType?: string;
  /** For a streamed response that failed: what the runtime said of it, as JSON. */
  errorDetails?: string;
}

/** Largest payload of a response, in bytes. @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const MAX_RESPONSE = 6_291_556;
/** Largest streamed response, in bytes. */
export const MAX_STREAMED_RESPONSE = 200 * 1024 * 1024;

/** What AWS answers for an error of its own making; `message` follows the request's id. */
export function platformError(errorType: string, message: string): Outcome {
  return {
    payload: Buffer.from(JSON.stringify({ errorType, errorMessage: message })),
    contentType: 'application/json',
    streamed: false,
    errorType,
  };
}

/** A response that is larger than a response may be. */
export const responseTooLarge = (): Outcome => ({
  payload: Buffer.from(
    JSON.stringify({
      errorMessage: `Response payload size exceeded maximum allowed payload size (${MAX_RESPONSE} bytes).`,
      errorType: 'Function.ResponseSizeTooLarge',
    }),
  ),
  contentType: 'application/json',
  streamed: false,
  errorType: 'Function.ResponseSizeTooLarge',
});
