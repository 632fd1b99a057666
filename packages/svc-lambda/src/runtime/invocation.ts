/** One invocation of a handler, as its runtime receives it. */
export interface Invocation {
  requestId: string;
  /** Called ARN, with its qualifier. */
  functionArn: string;
  payload: Uint8Array;
  /** Extended `X-Amzn-Trace-Id` of the caller. */
  traceHeader: string;
  /** JSON, decoded from base64. */
  clientContext?: string;
  /** JSON with `cognitoIdentityId` and `cognitoIdentityPoolId`. */
  cognitoIdentity?: string;
  tenantId?: string;
}

/** Receiver of a streamed response. */
export interface ResponseSink {
  /** Called once before the first bytes. */
  begin(contentType: string): void;
  /** Receives bytes; reading from the runtime pauses until it resolves. */
  write(chunk: Uint8Array): Promise<void> | void;
}

/** Outcome of an invocation from its runtime. */
export interface Outcome {
  /** Response or error as JSON; empty if streamed to a sink. */
  payload: Buffer;
  contentType: string;
  /** Whether a sink received the response. */
  streamed: boolean;
  /** Error type of a failure, e.g. `Runtime.ExitError` or the error's class. */
  errorType?: string;
  /** For a failed streamed response: the runtime's error as JSON. */
  errorDetails?: string;
  /** How to install a missing module that AWS's runtimes include. */
  advice?: string;
}

/**
 * Maximum payload of a response in bytes. @see
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const MAX_RESPONSE = 6_291_556;
/** Maximum size of a streamed response in bytes. */
export const MAX_STREAMED_RESPONSE = 200 * 1024 * 1024;

/** Returns the outcome of an error raised by AWS; `message` follows the request id. */
export function platformError(errorType: string, message: string): Outcome {
  return {
    payload: Buffer.from(JSON.stringify({ errorType, errorMessage: message })),
    contentType: 'application/json',
    streamed: false,
    errorType,
  };
}

/** Returns a response above the size limit. */
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
