/** What a JWT says of the caller. */
export interface JwtContext {
  readonly kind: 'jwt';
  /** As text, as API Gateway hands them on. */
  readonly claims: Readonly<Record<string, string>>;
  /** Scopes that the route asks for and the token has; null where the route asks for none. */
  readonly scopes: readonly string[] | null;
  readonly context?: undefined;
}

/** What a function says of the caller. */
export interface LambdaContext {
  readonly kind: 'lambda';
  readonly context: Readonly<Record<string, unknown>>;
  readonly principalId?: string;
  /** API key that the function names. */
  readonly usageIdentifierKey?: string | undefined;
}

/** What an authorizer says of a caller that it lets in. */
export type AuthorizerContext = JwtContext | LambdaContext;

/** What a function decided: by yes or no, or by a policy that is asked about each route. */
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

/** Why a request may not go on: what the caller is answered, and what is logged. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: 400 | 401 | 403 | 429 | 500,
    /** E.g. `UNAUTHORIZED`, as `$context.error.responseType` has it. */
    readonly responseType: string,
    /** What the log says of it. */
    readonly reason: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(MESSAGES[status]);
  }
}

/** The caller has not said who it is. */
export const unauthorized = (reason: string, headers?: Readonly<Record<string, string>>): Refusal =>
  new Refusal(401, 'UNAUTHORIZED', reason, headers);
/** The caller may not do this. */
export const forbidden = (reason: string, headers?: Readonly<Record<string, string>>): Refusal =>
  new Refusal(403, 'ACCESS_DENIED', reason, headers);
/** Nobody can say whether the caller may do this. */
export const undecided = (reason: string): Refusal => new Refusal(500, 'AUTHORIZER_FAILURE', reason);
