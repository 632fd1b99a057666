import type {
  ControlMethod,
  ControlParams,
  ControlPath,
  ControlQuery,
  ControlResult,
  ControlRouteName,
  HttpRouteName,
} from './routes.ts';

/** A value whose every part is read-only, as state is kept. */
export type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

/** Names a route's query may have. */
type QueryNames<Name extends ControlRouteName> = keyof NonNullable<ControlQuery<Name>> & string;

/** The query of a request, in which only the names the route knows can be asked for. */
export interface ControlQueryOf<Name extends ControlRouteName> extends URLSearchParams {
  get(name: QueryNames<Name>): string | null;
  getAll(name: QueryNames<Name>): string[];
  has(name: QueryNames<Name>): boolean;
}

/** A request as a route's handler gets it. Its body is `unknown`: what a client sends has to be checked. */
export interface ControlRequestOf<Name extends ControlRouteName> {
  readonly params: Readonly<ControlParams<Name>>;
  readonly query: ControlQueryOf<Name>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** Base URL the caller reached the server by; no trailing slash. */
  readonly endpoint: string;
}

/** What a route's handler returns: the route's JSON, or bytes of a content type where its answer is not JSON. */
export type ControlAnswerOf<Name extends HttpRouteName> =
  ControlResult<Name> extends string | Uint8Array
    ? { status?: number; contentType: string; body: Uint8Array | AsyncIterable<Uint8Array> }
    : { status?: number; json: DeepReadonly<ControlResult<Name>> };

/**
 * A control route as a server declares it, held to the types the client has of it. `Service` is what the server
 * hands to the handler besides the request.
 */
export interface ControlRouteOf<Name extends HttpRouteName, Service = unknown> {
  method: ControlMethod<Name>;
  path: ControlPath<Name>;
  handle(request: ControlRequestOf<Name>, service: Service): ControlAnswerOf<Name> | Promise<ControlAnswerOf<Name>>;
}
