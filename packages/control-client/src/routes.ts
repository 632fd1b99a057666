import type { clock } from './routes/clock.ts';
import type { core, dns } from './routes/core.ts';
import type { faultEnds, faults } from './routes/faults.ts';
import type { requests } from './routes/requests.ts';
import type { state } from './routes/state.ts';
import type { PathParameterNames, RoutesOf } from './table.ts';
import type * as TABLES from './tables.ts';

type Tables =
  | (typeof TABLES)[keyof typeof TABLES]
  | typeof core
  | typeof dns
  | typeof clock
  | typeof faults
  | typeof faultEnds
  | typeof requests
  | typeof state;

/**
 * Every control route: its method and path template, with the types of its `query`, its JSON `body` (both optional if
 * they can be omitted) and its `response`. A `response` of type `Uint8Array` or `string` stands for bytes or text
 * instead of JSON.
 */
export type ControlRoutes = RoutesOf<Tables>;

/** Name of a control route: method, space, path template, e.g. `GET /_emulator/sqs/messages`. */
export type ControlRouteName = keyof ControlRoutes;

/** Names of the HTTP routes. The others are WebSockets. */
export type HttpRouteName = Exclude<ControlRouteName, `WS ${string}`>;

/** A route's HTTP method. */
export type ControlMethod<Name extends ControlRouteName> = Name extends `${infer Method} ${string}` ? Method : never;

/** A route's path template, e.g. `/_emulator/sqs/{queue_name}/force-dlq`. */
export type ControlPath<Name extends ControlRouteName> = Name extends `${string} ${infer Path}` ? Path : never;

/** A route's path parameters, decoded. */
export type ControlParams<Name extends ControlRouteName> = { [Parameter in PathParameterNames<Name>]: string };

/** A part of a route; undefined if the route lacks it. */
type Part<Name extends ControlRouteName, Key extends 'query' | 'body'> = Key extends keyof ControlRoutes[Name]
  ? ControlRoutes[Name][Key]
  : undefined;

/** A route's query. Includes `undefined` if it is optional; only `undefined` if the route has none. */
export type ControlQuery<Name extends ControlRouteName> = Part<Name, 'query'>;

/** A route's JSON body. Includes `undefined` if it is optional; only `undefined` if the route has none. */
export type ControlBody<Name extends ControlRouteName> = Part<Name, 'body'>;

/** Response of a route with a status below 400. */
export type ControlResult<Name extends ControlRouteName> = ControlRoutes[Name]['response'];

/** Names of the routes with a response type. */
export type RoutesAnswering<Answer> = {
  [Name in HttpRouteName]: ControlResult<Name> extends Answer ? Name : never;
}[HttpRouteName];

/** Names of the routes with a JSON response. */
export type JsonRouteName = Exclude<HttpRouteName, RoutesAnswering<string | Uint8Array>>;
