import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { GatewayResponse } from '../request/gateway-request.ts';
import type { NodeRequest, NodeResponse } from './node-request.ts';

/** Milliseconds for which a connection with an unread request stays open after its response. */
export const LINGER = 2000;
/** Largest part of an unread request, in bytes, that is discarded meanwhile. */
const LINGER_BYTES = 16 * 1024 * 1024;

/** Milliseconds for which a client may leave a streamed response unread before the connection is cut. */
const STALL = 300_000;

/** Header fields that HTTP/2 forbids. */
const CONNECTION_FIELDS = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

const hasNoBody = (status: number): boolean => status === 204 || status === 304 || status < 200;

/**
 * Writes a response.
 * @param closing whether the connection ends after it
 * @returns for a streamed body, a promise of its end, which rejects with the error of its source
 */
export function writeResponse(
  request: NodeRequest,
  response: NodeResponse,
  answer: GatewayResponse,
  closing: boolean,
): Promise<void> | undefined {
  const { status, headers, body, drop } = answer;
  if (drop) {
    cut(response);
    return undefined;
  }
  const whole = typeof body === 'string' || body instanceof Uint8Array;
  if (response.destroyed || response.headersSent) return whole ? undefined : abandon(body);
  const isHead = request.method === 'HEAD';
  const bodiless = isHead || hasNoBody(status);
  // Models define this spelling; other responses may omit the header.
  if (whole && !hasNoBody(status) && headers['Content-Length'] === undefined && !(isHead && hasLength(headers)))
    headers['content-length'] = String(typeof body === 'string' ? Buffer.byteLength(body) : body.length);
  prepareEnd(request, response, headers, closing);
  (response as ServerResponse).writeHead(status, headers);
  if (!bodiless) {
    if (!whole) return pump(response, body);
    endSoon(response, body);
    return undefined;
  }
  response.end();
  return whole ? undefined : abandon(body);
}

/**
 * Prepares the end of a response to a request that may be unread, and its headers.
 * @param closing whether the connection ends after it
 */
export function prepareEnd(
  request: NodeRequest,
  response: NodeResponse,
  headers: GatewayResponse['headers'],
  closing: boolean,
): void {
  if (isHttp2(response)) prepareHttp2(request, response, headers);
  else if (closing || !request.complete) closeAfter(request, response, headers);
}

const isHttp2 = (response: NodeResponse): response is Http2ServerResponse => 'stream' in response;

function hasLength(headers: GatewayResponse['headers']): boolean {
  for (const name in headers) if (name.toLowerCase() === 'content-length') return true;
  return false;
}

/** Ends a connection, or a stream of HTTP/2, without a response. */
function cut(response: NodeResponse): void {
  if (isHttp2(response)) response.stream.destroy();
  else response.socket?.destroy();
}

/** Removes headers that HTTP/2 forbids, and asks the client to stop sending a request that is not read. */
function prepareHttp2(request: NodeRequest, response: Http2ServerResponse, headers: GatewayResponse['headers']): void {
  for (const name of Object.keys(headers)) if (CONNECTION_FIELDS.has(name.toLowerCase())) delete headers[name];
  const { stream } = response;
  if (!request.complete) stream.once('finish', () => stream.close());
}

/**
 * Ends the connection after the response. The rest of an unread request is discarded for a while: an immediate close
 * would reset the connection, and the client might miss the response.
 */
function closeAfter(request: NodeRequest, response: ServerResponse, headers: GatewayResponse['headers']): void {
  headers.connection = 'close';
  const { socket } = request;
  if (request.complete || !socket) return;
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER);
    socket.once('close', () => clearTimeout(timer));
  };
  response.once('finish', () => {
    let dropped = 0;
    request.on('data', (chunk: Uint8Array) => {
      dropped += chunk.length;
      if (dropped > LINGER_BYTES) socket.destroy();
    });
    request.on('error', () => socket.destroy());
    request.resume();
  });
}

/** Bytes of a stream that may wait for the client. */
const AHEAD = 256 * 1024;

/** Writes a stream at the speed of the client. */
async function pump(response: NodeResponse, body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of body) {
      if (response.destroyed) return;
      const { writableLength } = response as ServerResponse;
      // Buffer some bytes, so that the connection is busy while the next chunk is read.
      if (!(response as ServerResponse).write(chunk) && !(writableLength + chunk.length < AHEAD))
        await drained(response);
    }
    response.end();
  } catch (error) {
    // The head has been sent, so that only a cut connection shows that the body is incomplete. Written bytes are sent
    // first, because the client would otherwise miss the head.
    if ((response as ServerResponse).writableNeedDrain) await drained(response);
    response.destroy();
    throw error;
  }
}

/** Waits until the client has read the written bytes. Cuts off a client that reads nothing for long. */
function drained(response: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      resolve();
    };
    const timer = setTimeout(() => response.destroy(), STALL);
    if (response.destroyed) done();
    else response.on('drain', done).on('close', done);
  });
}

/** Complete responses that wait to be sent. */
let ending: [NodeResponse, string | Uint8Array][] = [];
/** Their number in the previous turn. */
let endingBefore = 0;
/** Largest number of waiting responses. */
const MAX_ENDING = 16;
/** Milliseconds for which a response waits for others, because turns of the event loop may be long. */
const LONGEST_ENDING = 1;
/**
 * Bytes of a body that is sent in one piece with its head, as text. Text with one byte per character consists of these
 * bytes.
 */
const SHORT = 16 * 1024;
const latin1Of = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
/** Completion of the first of them, by `performance.now()`. */
let endingSince = 0;

/**
 * Sends a response together with the others that are ready, as soon as a turn of the event loop adds none. Each write
 * may wake a client, and waking clients one by one costs the system more than the writes.
 */
function endSoon(response: NodeResponse, body: string | Uint8Array): void {
  if (ending.length === 0) {
    endingSince = performance.now();
    setImmediate(endAll);
  }
  ending.push([response, body]);
}

function endAll(): void {
  const ready = ending.length;
  if (ready > endingBefore && ready < MAX_ENDING && performance.now() - endingSince < LONGEST_ENDING) {
    endingBefore = ready;
    setImmediate(endAll);
    return;
  }
  const batch = ending;
  ending = [];
  endingBefore = 0;
  for (const [response, body] of batch)
    if (typeof body !== 'string' && body.length <= SHORT) response.end(latin1Of(body), 'latin1');
    else response.end(body);
}

/** Lets a body's source release its resources without reading it. */
async function abandon(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}
