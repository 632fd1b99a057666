import type { ResponseFormat, RouteInput, Transport } from './transport.ts';

/** Names of the parameters in a path template. */
export type PathParameterNames<Path extends string> = Path extends `${string}{${infer Parameter}}${infer Rest}`
  ? Parameter | PathParameterNames<Rest>
  : never;

/** Input of one route: a value of each path parameter, query and body. */
type InputOf<Name extends string> = RouteInput &
  ([PathParameterNames<Name>] extends [never] ? unknown : { params: Record<PathParameterNames<Name>, string> });

/** Key of a method's route. */
export const ROUTE: unique symbol = Symbol('route');

/** The route of a method. */
interface MethodRoute<Name extends string, Input, Answer> {
  /** Method and path template, e.g. `GET /_emulator/sqs/messages`. `WS` stands for a WebSocket. */
  readonly name: Name;
  /** Exists only in types. */
  readonly types?: readonly [input: Input, answer: Answer];
}

/** A method of the client that requests a route. */
export interface RouteMethod<Name extends string, Args extends unknown[], Input, Answer, Result> {
  (...args: Args): Result;
  readonly [ROUTE]?: MethodRoute<Name, Input, Answer>;
}

/** Any method for a route. */
export type AnyRouteMethod = RouteMethod<string, never[], unknown, unknown, unknown>;

/** Control routes of one area by the name of the client's method. */
export type Table = Readonly<Record<string, AnyRouteMethod>>;

/** Declares a method for a route with a response of the type `Answer`. */
interface Declare<Answer> {
  /** @param name method and path template of a route without parameters, query and body */
  <Name extends string>(
    name: [PathParameterNames<Name>] extends [never] ? Name : never,
  ): RouteMethod<Name, [], unknown, Answer, Promise<Answer>>;
  /**
   * @param name method and path template
   * @param input converts the arguments of the method to the parts of the request
   * @param result converts the response to the result of the method; unchanged by default
   */
  <Name extends string, Args extends unknown[], Input extends InputOf<Name>, Result = Answer>(
    name: Name,
    input: (...args: Args) => Input,
    result?: (answer: Answer) => Result,
  ): RouteMethod<Name, Args, Input, Answer, Promise<Result>>;
}

/** Object of a client with the methods of a table. */
interface Area {
  readonly transport: Transport;
}

const declare = <Answer>(format: ResponseFormat): Declare<Answer> =>
  ((name: string, input?: (...args: unknown[]) => RouteInput, result?: (answer: unknown) => unknown) => {
    async function method(this: Area, ...args: unknown[]): Promise<unknown> {
      const answer = await this.transport.send(name, format, input?.(...args) ?? {});
      return result ? result(answer) : answer;
    }
    return Object.assign(method, { [ROUTE]: { name } });
  }) as unknown as Declare<Answer>;

/** Declares a method for a route with a JSON response: `json<Answer>()('GET /_emulator/…')`. */
export const json = <Answer>(): Declare<Answer> => declare('json');

/** Declares a method for a route with a text response. */
export const text: Declare<string> = declare('text');

/** Declares a method for a route with a binary response. */
export const bytes: Declare<Uint8Array> = declare('bytes');

/** Declares a method that returns the `ws:` or `wss:` URL of a WebSocket and sends nothing. */
export function webSocket<Name extends `WS ${string}`, Args extends unknown[], Input extends InputOf<Name>>(
  name: Name,
  input: (...args: Args) => Input,
): RouteMethod<Name, Args, Input, never, string> {
  function method(this: Area, ...args: Args): string {
    return this.transport.url(name, input(...args)).replace(/^http/, 'ws');
  }
  return Object.assign(method as (...args: Args) => string, { [ROUTE]: { name } });
}

/**
 * Type of the methods of a table. It is the table's own type, because editors show no doc comments of mapped members.
 */
export type MethodsOf<Methods extends Table> = Methods;

/** Returns an object with the methods of a table. */
export function methodsOf<Methods extends Table>(table: Methods, transport: Transport): MethodsOf<Methods> {
  const area: Area & Methods = { transport, ...table };
  return area;
}

/** A member of a route; optional if it may be undefined. */
type Part<Input, Key extends string> = Key extends keyof Input
  ? undefined extends Input[Key]
    ? { [Name in Key]?: Exclude<Input[Key], undefined> }
    : { [Name in Key]: Input[Key] }
  : unknown;

type Flat<Type> = { [Key in keyof Type]: Type[Key] };

/** The route of a method in types. */
type RouteOf<Method extends AnyRouteMethod> = NonNullable<Method[typeof ROUTE]>;

type TypesOf<Types extends readonly [input: unknown, answer: unknown]> = Flat<
  Part<Types[0], 'query'> & Part<Types[0], 'body'> & { response: Types[1] }
>;

/** Methods of a table, or of a union of tables. */
type MethodOf<Methods> = Methods extends Table ? Methods[keyof Methods] : never;

/** Types of the `query`, `body` and `response` of the routes of tables, a union, by the name of the route. */
export type RoutesOf<Methods extends Table> = {
  [Route in RouteOf<MethodOf<Methods>> as Route['name']]: TypesOf<NonNullable<Route['types']>>;
};
