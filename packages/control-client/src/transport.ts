import { ApiError, HttpError } from './errors.ts';
import type { ControlParams, ControlRouteName, ControlRoutes, JsonRouteName, RoutesAnswering } from './routes.ts';

/** Part of a `fetch` response that the client reads. */
export interface FetchResponse {
  readonly status: number;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Part of `fetch` that the client requires; the platform's own is compatible. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
) => Promise<FetchResponse>;

/** Input of a route: path parameters, query and body, if the route has them. */
export type RouteInput<Name extends ControlRouteName> = (keyof ControlParams<Name> extends never
  ? unknown
  : { params: ControlParams<Name> }) &
  Pick<ControlRoutes[Name], Extract<keyof ControlRoutes[Name], 'query' | 'body'>>;

/** The input as an argument, optional if all its parts are. */
export type RouteArguments<Name extends ControlRouteName> =
  Partial<RouteInput<Name>> extends RouteInput<Name> ? [input?: RouteInput<Name>] : [input: RouteInput<Name>];

/** A route's input without types. */
interface UntypedInput {
  params?: Readonly<Record<string, string>>;
  query?: object;
  body?: unknown;
}

/** Sends requests of control routes to one emulator. */
export class Transport {
  private readonly baseUrl: string;

  /**
   * @param baseUrl `http:` or `https:` URL of the emulator; its path is kept, query and fragment are removed
   * @param fetch sends the requests
   * @throws TypeError for another value
   */
  constructor(
    baseUrl: string | URL,
    private readonly fetch: Fetch,
  ) {
    const { protocol, origin, pathname } = new URL(baseUrl);
    if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`${baseUrl} is not an HTTP URL`);
    this.baseUrl = origin + pathname.replace(/\/+$/, '');
  }

  /**
   * Returns the URL of a route with encoded parameters and query. Undefined query members are omitted.
   * @throws TypeError for the path parameters `''`, `.` and `..`, which a URL cannot contain as a segment
   */
  url<Name extends ControlRouteName>(route: Name, ...[input]: RouteArguments<Name>): string {
    return this.target(route, input ?? {}).url;
  }

  /** Requests a route with a JSON response. @throws ApiError, HttpError (as rejections) */
  async json<Name extends JsonRouteName>(
    route: Name,
    ...[input]: RouteArguments<Name>
  ): Promise<ControlRoutes[Name]['response']> {
    const text = await this.send(route, input ?? {}, (response) => response.text());
    try {
      return JSON.parse(text) as ControlRoutes[Name]['response'];
    } catch (error) {
      throw new HttpError(route, 'the answer is not JSON', error);
    }
  }

  /** Requests a route with a text response. @throws ApiError, HttpError (as rejections) */
  async text<Name extends RoutesAnswering<string>>(route: Name, ...[input]: RouteArguments<Name>): Promise<string> {
    return this.send(route, input ?? {}, (response) => response.text());
  }

  /** Requests a route with a binary response. @throws ApiError, HttpError (as rejections) */
  async bytes<Name extends RoutesAnswering<Uint8Array>>(
    route: Name,
    ...[input]: RouteArguments<Name>
  ): Promise<Uint8Array> {
    return this.send(route, input ?? {}, async (response) => new Uint8Array(await response.arrayBuffer()));
  }

  private async send<Result>(
    route: string,
    input: UntypedInput,
    read: (response: FetchResponse) => Promise<Result>,
  ): Promise<Result> {
    const { method, url } = this.target(route, input);
    const init: Parameters<Fetch>[1] = { method, headers: {} };
    if (input.body instanceof Uint8Array) {
      init.headers['content-type'] = 'application/gzip';
      init.body = input.body as Uint8Array<ArrayBuffer>;
    } else if (input.body !== undefined) {
      init.headers['content-type'] = 'application/json';
      init.body = JSON.stringify(input.body);
    }
    const response = await attempt(route, `no answer from ${this.baseUrl}`, () => this.fetch(url, init));
    if (response.status < 400) return attempt(route, 'the answer broke off', () => read(response));
    const body = await attempt(route, 'the answer broke off', () => response.text());
    throw new ApiError(route, response.status, parseIfJson(body));
  }

  private target(route: string, { params = {}, query = {} }: UntypedInput): { method: string; url: string } {
    const space = route.indexOf(' ');
    const path = route.slice(space + 1).replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query as Record<string, unknown>))
      if (value !== undefined) search.append(name, String(value));
    const queryString = search.toString();
    return { method: route.slice(0, space), url: this.baseUrl + path + (queryString && `?${queryString}`) };
  }
}

/** Encodes a path parameter as one segment. */
function segment(name: string, value: string | undefined): string {
  if (!value || value === '.' || value === '..') throw new TypeError(`${JSON.stringify(value)} cannot be a ${name}`);
  return encodeURIComponent(value);
}

/** Converts a failure of a request step into an HttpError. */
async function attempt<Result>(route: string, failure: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw new HttpError(route, failure, error);
  }
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
