import { ApiError, HttpError } from './errors.ts';

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

/** Parts of a request. Undefined members of the query are omitted. */
export interface RouteInput {
  params?: Readonly<Record<string, string>>;
  query?: object | undefined;
  body?: unknown;
}

/** Format of a response. */
export type ResponseFormat = 'json' | 'text' | 'bytes';

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
  url(route: string, input: RouteInput): string {
    return this.target(route, input).url;
  }

  /** Requests a route and reads its response. @throws ApiError, HttpError, TypeError (as rejections) */
  async send(route: string, format: ResponseFormat, input: RouteInput): Promise<unknown> {
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
    if (response.status < 400) return read(route, format, response);
    const body = await attempt(route, 'the answer broke off', () => response.text());
    throw new ApiError(route, response.status, parseIfJson(body));
  }

  private target(route: string, { params = {}, query = {} }: RouteInput): { method: string; url: string } {
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

/** Reads the body of a successful response. */
async function read(route: string, format: ResponseFormat, response: FetchResponse): Promise<unknown> {
  if (format === 'bytes')
    return new Uint8Array(await attempt(route, 'the answer broke off', () => response.arrayBuffer()));
  const text = await attempt(route, 'the answer broke off', () => response.text());
  return format === 'text' ? text : attempt(route, 'the answer is not JSON', async () => JSON.parse(text));
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
