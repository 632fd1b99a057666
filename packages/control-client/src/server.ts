import type {
  ControlMethod,
  ControlParams,
  ControlPath,
  ControlQuery,
  ControlResult,
  ControlRouteName,
  HttpRouteName,
} from './routes.ts';

/** A deeply read-only value, such as stored state. */
export type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

/** Names of a route's query parameters. */
type QueryNames<Name extends ControlRouteName> = keyof NonNullable<ControlQuery<Name>> & string;

/** Query of a request, limited to the parameters of the route. */
export interface ControlQueryOf<Name extends ControlRouteName> extends URLSearchParams {
  get(name: QueryNames<Name>): string | null;
  getAll(name: QueryNames<Name>): string[];
  has(name: QueryNames<Name>): boolean;
}

/** A request for a route's handler. Its body is `unknown`, because client data must be validated. */
export interface ControlRequestOf<Name extends ControlRouteName> {
  readonly params: Readonly<ControlParams<Name>>;
  readonly query: ControlQueryOf<Name>;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** Base URL that the client used, without trailing slash. */
  readonly endpoint: string;
}

/** Result of a route's handler: JSON, or bytes with a content type. */
export type ControlAnswerOf<Name extends HttpRouteName> =
  ControlResult<Name> extends string | Uint8Array
    ? { status?: number; contentType: string; body: Uint8Array | AsyncIterable<Uint8Array> }
    : { status?: number; json: DeepReadonly<ControlResult<Name>> };

/**
 * A control route as declared by a server, with the types of the client. `Service` is the server's argument for the
 * handler besides the request.
 */
export interface ControlRouteOf<Name extends HttpRouteName, Service = unknown> {
  method: ControlMethod<Name>;
  path: ControlPath<Name>;
  handle(request: ControlRequestOf<Name>, service: Service): ControlAnswerOf<Name> | Promise<ControlAnswerOf<Name>>;
}

/** Declares a server's route by its name. `Route` is the server's own type of routes. */
export type DeclareRoute<Service, Route> = <Name extends HttpRouteName>(
  name: Name,
  handle: ControlRouteOf<Name, Service>['handle'],
) => Route;
