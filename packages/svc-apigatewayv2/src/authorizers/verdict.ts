/** Caller context from a JWT. */
export interface JwtContext {
  readonly kind: 'jwt';
  /** Claims as text. */
  readonly claims: Readonly<Record<string, string>>;
  /** Scopes both required by the route and present in the token; null if the route requires none. */
  readonly scopes: readonly string[] | null;
  readonly context?: undefined;
}

/** Caller context from a function. */
export interface LambdaContext {
  readonly kind: 'lambda';
  readonly context: Readonly<Record<string, unknown>>;
  readonly principalId?: string;
  /** API key returned by the function. */
  readonly usageIdentifierKey?: string | undefined;
}

/** Context of an authorized caller. */
export type AuthorizerContext = JwtContext | LambdaContext;

/** Verdict of a function: simple, or a policy that is evaluated for each route. */
export type AuthorizerVerdict =
  | { readonly allowed: boolean; readonly policy?: undefined; readonly context: LambdaContext }
  | { readonly allowed?: undefined; readonly policy: string; readonly context: LambdaContext };

const MESSAGES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
} as const;

/** Rejection of a request, with the response to the caller and the reason for the log. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: 400 | 401 | 403 | 429 | 500,
    /** `$context.error.responseType`, for example `UNAUTHORIZED`. */
    readonly responseType: string,
    /** Reason in the log. */
    readonly reason: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(MESSAGES[status]);
  }
}

/** Returns the rejection of a caller without identity. */
export const unauthorized = (reason: string, headers?: Readonly<Record<string, string>>): Refusal =>
  new Refusal(401, 'UNAUTHORIZED', reason, headers);
/** Returns the rejection of a caller without permission. */
export const forbidden = (reason: string, headers?: Readonly<Record<string, string>>): Refusal =>
  new Refusal(403, 'ACCESS_DENIED', reason, headers);
/** Returns the rejection after a failure of the authorizer. */
export const undecided = (reason: string): Refusal => new Refusal(500, 'AUTHORIZER_FAILURE', reason);
