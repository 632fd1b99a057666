import type { HeaderValues } from '@emu/wire';
import { collect } from '../body/payload.ts';
import { ClientGone, type GatewayRequest, PayloadTooLarge, type RequestBody } from '../request/gateway-request.ts';

/** A request of the fetch API as a received request. Its target comes from the URL, whose dot segments are resolved. */
export class FetchRequest implements GatewayRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderValues;
  readonly body: RequestBody;
  readonly remoteAddress = undefined;
  readonly localPort = undefined;
  readonly secure: boolean;

  constructor(private readonly request: Request) {
    const { protocol, host, pathname, search } = new URL(request.url);
    this.method = request.method;
    this.target = pathname + search;
    this.headers = { host, ...Object.fromEntries(request.headers) };
    this.body = new FetchBody(request);
    this.secure = protocol === 'https:';
  }

  /** Aborts with `ClientGone`, as a request on a socket does, whatever reason the caller gives. */
  signal = (): AbortSignal => {
    const { signal } = this.request;
    const gone = new AbortController();
    const leave = (): void => gone.abort(new ClientGone({ cause: signal.reason }));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    return gone.signal;
  };
}

class FetchBody implements RequestBody {
  constructor(private readonly request: Request) {}

  async bytes(limit: number): Promise<Uint8Array> {
    const length = this.request.headers.get('content-length');
    if (length !== null && Number(length) > limit) throw new PayloadTooLarge(limit);
    return collect(this.stream(), limit);
  }

  async *stream(): AsyncGenerator<Uint8Array, void, undefined> {
    const { body } = this.request;
    if (!body) return;
    try {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) yield chunk;
    } catch (cause) {
      throw new ClientGone({ cause });
    }
  }
}
