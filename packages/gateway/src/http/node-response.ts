import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { GatewayResponse } from '../request/request.ts';
import type { NodeRequest, NodeResponse } from './node-request.ts';

/** Milliseconds that a connection with an unread request stays open for its response to be read. */
const LINGER = 2000;
/** Most bytes of an unread request that are taken and dropped meanwhile. */
const LINGER_BYTES = 16 * 1024 * 1024;

/** Milliseconds that a client may leave a streamed response unread before it is given up. */
const STALL = 300_000;

/** Header fields that HTTP/2 forbids. */
const CONNECTION_FIELDS = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

const hasNoBody = (status: number): boolean => status === 204 || status === 304 || status < 200;

/**
 * Writes a response.
 * @param closing whether the connection is to end after it
 * @returns for a streamed body, a promise of its end, rejected with what its source threw
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
  // A model spells the header so; anybody else may leave it out.
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
 * Prepares what happens after a response to a request that may not have been read, and its headers for that.
 * @param closing whether the connection is to end after it
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

/** Ends a connection, or a stream of HTTP/2, without an answer. */
function cut(response: NodeResponse): void {
  if (isHttp2(response)) response.stream.destroy();
  else response.socket?.destroy();
}

/** Takes off what HTTP/2 has no place for, and tells the client to stop sending what nobody will read. */
function prepareHttp2(request: NodeRequest, response: Http2ServerResponse, headers: GatewayResponse['headers']): void {
  for (const name of Object.keys(headers)) if (CONNECTION_FIELDS.has(name.toLowerCase())) delete headers[name];
  const { stream } = response;
  if (!request.complete) stream.once('finish', () => stream.close());
}

/**
 * Ends the connection after the response. Where the request has not been read, what still arrives is dropped for a
 * while: closing at once would reset the connection, and the client might never see the response.
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

/** Bytes of a stream that may wait for the client to take them. */
const AHEAD = 256 * 1024;

/** Writes a stream as fast as the client takes it. */
async function pump(response: NodeResponse, body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of body) {
      if (response.destroyed) return;
      const { writableLength } = response as ServerResponse;
      // Some is kept ready, so that the connection has work while the next piece is read.
      if (!(response as ServerResponse).write(chunk) && !(writableLength + chunk.length < AHEAD))
        await drained(response);
    }
    response.end();
  } catch (error) {
    // The head is out: cutting the connection is the only way to tell the client that the body is incomplete. What was
    // written goes out before, or the client would not see the head either.
    if ((response as ServerResponse).writableNeedDrain) await drained(response);
    response.destroy();
    throw error;
  }
}

/** Waits until the client has taken what was written; one that takes nothing for long is cut off. */
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

/** Responses that are complete but for being sent. */
let ending: [NodeResponse, string | Uint8Array][] = [];
/** How many there were in the turn before. */
let endingBefore = 0;
/** Most responses that wait for each other. */
const MOST_ENDING = 16;
/** Milliseconds that a response waits for others: turns of the event loop may be long. */
const LONGEST_ENDING = 1;
/** Bytes of a body that goes out in one piece with its head: text does, and text of one byte a character is those bytes. */
const SHORT = 16 * 1024;
const latin1Of = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
/** When the first of them was complete, of `performance.now()`. */
let endingSince = 0;

/**
 * Sends a response with the others that become ready, once a turn of the event loop brings no more of them: each write may
 * wake a client that waits for it, and waking one per write costs the system more than the write.
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
  if (ready > endingBefore && ready < MOST_ENDING && performance.now() - endingSince < LONGEST_ENDING) {
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

/** Lets a body's source free what it holds, without reading it. */
async function abandon(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}
