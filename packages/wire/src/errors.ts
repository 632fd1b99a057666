import { endsOf } from './shortened.ts';

/** Additional members of an error, by their names in the error's shape. */
export type ErrorMembers = Record<string, unknown>;

/** Properties of an error that differ from its model, or without a model. */
export interface AwsErrorOptions {
  /** HTTP status; by default that of the error's shape, otherwise 400 (500 for server faults). */
  status?: number;
  /** Members of the error's shape besides the message. */
  members?: ErrorMembers;
  /** Name of the message on the wire, if the service spells it differently than the error's shape. */
  messageKey?: string;
  /** Response headers of the error. */
  headers?: Record<string, string>;
  /** Whether a REST response consists of the status and headers only, as of the servers before a service. */
  bodyless?: true;
  /** Cause of this error, which is logged and never sent. */
  cause?: unknown;
}

/** Limit of the characters of a message, as messages repeat values of requests. */
const MAX_MESSAGE = 32 * 1024;

/**
 * An error for the caller of an operation. `code` is the name of the error's shape in the model, or an AWS code that
 * the model does not list (`ValidationException`, `AccessDenied`, …).
 */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly status: number | undefined;
  readonly members: ErrorMembers | undefined;
  readonly messageKey: string | undefined;
  readonly headers: Record<string, string> | undefined;
  readonly bodyless: boolean;

  constructor(code: string, message: string, options: AwsErrorOptions = {}) {
    super(endsOf(message, MAX_MESSAGE), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.members = options.members;
    this.messageKey = options.messageKey;
    this.headers = options.headers;
    this.bodyless = options.bodyless ?? false;
  }
}

/**
 * Creates an error that a handler throws.
 * @param code name of the error's shape, or an AWS code without a shape
 * @param message for the caller
 */
export function awsError(code: string, message: string, options?: AwsErrorOptions): AwsError {
  return new AwsError(code, message, options);
}

/** {@link awsError} for the codes of one service. */
export type ErrorsOf<Code extends string> = (code: Code, message: string, options?: AwsErrorOptions) => AwsError;
