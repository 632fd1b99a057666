/** Extra members of an error, by their names in the error's shape. */
export type ErrorMembers = Record<string, unknown>;

/** Where a model does not say what an error looks like. */
export interface AwsErrorOptions {
  /** HTTP status; by default that of the error's shape, else 400 (500 for server faults). */
  status?: number;
  /** Members of the error's shape besides the message. */
  members?: ErrorMembers;
  /** Name of the message on the wire, where the service spells it otherwise than the error's shape does. */
  messageKey?: string;
  /** Headers sent with the error. */
  headers?: Record<string, string>;
  /** What led to this error; logged, never sent. */
  cause?: unknown;
}

/**
 * An error that the caller of an operation sees. `code` is the name of the error's shape in the model, or the code
 * itself where AWS sends one that the model does not list (`ValidationException`, `AccessDenied`, …).
 */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly status: number | undefined;
  readonly members: ErrorMembers | undefined;
  readonly messageKey: string | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(code: string, message: string, options: AwsErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.members = options.members;
    this.messageKey = options.messageKey;
    this.headers = options.headers;
  }
}

/**
 * Makes an error for a handler to throw.
 * @param code name of the error's shape, or a code AWS sends without a shape
 * @param message the sentence the caller reads
 */
export function awsError(code: string, message: string, options?: AwsErrorOptions): AwsError {
  return new AwsError(code, message, options);
}
