import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';

/** A request to AWS, or to another server. */
export interface OutgoingRequest {
  readonly method: string;
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number | undefined;
  /** Percent-encoded. */
  readonly path: string;
  /** Percent-encoded, without the question mark. */
  query: string;
  /** By lower-case name, with `host`. */
  headers: Record<string, string>;
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  readonly http2: boolean;
}

/** A response whose body is still arriving. */
export interface IncomingResponse {
  readonly status: number;
  /** By lower-case name, without those of the connection. */
  readonly headers: Record<string, string | string[]>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A server that did not respond. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

/** Headers of a connection, which a proxy does not pass on. */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Whether a header belongs to a connection instead of a message. @param name in lower case */
export const isOfConnection = (name: string): boolean => OF_CONNECTION.has(name);

/** Sends requests on connections that stay open. */
export class Sender {
  private readonly http = new HttpAgent({ keepAlive: true, noDelay: true });
  private readonly https = new HttpsAgent({ keepAlive: true, noDelay: true });
  private readonly sessions = new Map<string, ClientHttp2Session>();

  /**
   * Sends a request and returns the head of its response as soon as it arrives.
   * @param signal aborts the request and its response
   * @throws NoResponse if the server cannot be reached or closes the connection
   */
  send(request: OutgoingRequest, signal: AbortSignal): Promise<IncomingResponse> {
    return request.http2 ? this.sendHttp2(request, signal) : this.sendHttp1(request, signal);
  }

  /** Closes all connections. */
  close(): void {
    this.http.destroy();
    this.https.destroy();
    for (const session of this.sessions.values()) session.destroy();
  }

  private sendHttp1(request: OutgoingRequest, signal: AbortSignal, again = true): Promise<IncomingResponse> {
    const { method, hostname, port, body, secure } = request;
    return new Promise((resolve, reject) => {
      const outgoing = (secure ? httpsRequest : httpRequest)({
        method,
        hostname,
        port,
        path: targetOf(request),
        headers: request.headers,
        agent: secure ? this.https : this.http,
        signal,
        setHost: false,
      });
      let responded = false;
      outgoing.on('response', (response) => {
        responded = true;
        resolve(received(response));
      });
      // An error after the response is one of its body.
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        if (responded) return;
        // The server may close an idle connection while it is taken for a request, which it has not read then.
        const repeatable = body === undefined || body instanceof Uint8Array;
        if (again && repeatable && outgoing.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted)
          resolve(this.sendHttp1(request, signal, false));
        else reject(new NoResponse(`${hostname} did not respond: ${error.message}`, { cause: error }));
      });
      sendBody(outgoing, body);
    });
  }

  private async sendHttp2(request: OutgoingRequest, signal: AbortSignal): Promise<IncomingResponse> {
    const { host = request.hostname, ...headers } = request.headers;
    const stream = this.session(request).request(
      {
        ...headers,
        [constants.HTTP2_HEADER_METHOD]: request.method,
        [constants.HTTP2_HEADER_PATH]: targetOf(request),
        [constants.HTTP2_HEADER_AUTHORITY]: host,
        [constants.HTTP2_HEADER_SCHEME]: request.secure ? 'https' : 'http',
      },
      { signal, endStream: request.body === undefined },
    );
    return new Promise((resolve, reject) => {
      let responded = false;
      stream.on('response', (head) => {
        responded = true;
        const entries = Object.entries(head).filter(([name]) => !name.startsWith(':'));
        resolve({
          status: Number(head[constants.HTTP2_HEADER_STATUS]),
          headers: Object.fromEntries(entries) as Record<string, string | string[]>,
          body: stream,
        });
      });
      stream.on('error', (error) => {
        if (!responded) reject(new NoResponse(`${host} did not respond: ${error.message}`, { cause: error }));
      });
      if (request.body !== undefined) sendBody(stream, request.body);
    });
  }

  private session({ secure, hostname, port }: OutgoingRequest): ClientHttp2Session {
    const origin = `${secure ? 'https' : 'http'}://${hostname}${port === undefined ? '' : `:${port}`}`;
    const known = this.sessions.get(origin);
    if (known && !known.closed && !known.destroyed) return known;
    const session = connect(origin);
    this.sessions.set(origin, session);
    const forget = (): void => {
      if (this.sessions.get(origin) === session) this.sessions.delete(origin);
    };
    // The streams of the session get its error.
    session.on('error', forget).on('close', forget).on('goaway', forget);
    session.unref();
    return session;
  }
}

const targetOf = ({ path, query }: OutgoingRequest): string => (query === '' ? path : `${path}?${query}`);

function sendBody(outgoing: NodeJS.WritableStream, body: OutgoingRequest['body']): void {
  if (body === undefined) {
    outgoing.end();
    return;
  }
  if (body instanceof Uint8Array) {
    outgoing.end(body);
    return;
  }
  const source = Readable.from(body, { objectMode: false });
  const { destroy } = outgoing as unknown as { destroy(error: Error): void };
  source.on('error', (error) => destroy.call(outgoing, error));
  outgoing.on('close', () => source.destroy());
  source.pipe(outgoing);
}

function received(response: IncomingMessage): IncomingResponse {
  const entries = Object.entries(response.headers).filter(([name]) => !isOfConnection(name));
  return {
    status: response.statusCode!,
    headers: Object.fromEntries(entries) as Record<string, string | string[]>,
    body: response,
  };
}
