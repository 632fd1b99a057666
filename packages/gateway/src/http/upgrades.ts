import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import type { GatewayRequest, GatewayResponse } from '../request/gateway-request.ts';
import { clientCertificateOf } from './node-request.ts';
import { LINGER } from './node-response.ts';

/** First bytes of a client that requests a WebSocket with the first request of a connection. */
const HANDSHAKE = /\r\nupgrade:[ \t]*websocket[ \t]*\r\n/i;

/**
 * Whether a connection begins with the handshake of a WebSocket. Clients send its head in one piece. Other protocols
 * that a client may offer, such as HTTP/2, are declined by a response in HTTP/1.1.
 * @param bytes the first bytes from the client
 */
export const isHandshake = (bytes: Buffer): boolean => bytes[0] === 0x47 && HANDSHAKE.test(bytes.toString('latin1'));

/** Returns the received request of a client that requests a WebSocket; it has no body. */
export function upgradeRequest(incoming: IncomingMessage, socket: Duplex): GatewayRequest {
  let signal: AbortSignal | undefined;
  const { remoteAddress, localPort, encrypted } = incoming.socket as IncomingMessage['socket'] & {
    encrypted?: boolean;
  };
  return {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    body: {
      bytes: async () => new Uint8Array(0),
      async *stream() {},
    },
    remoteAddress,
    localPort,
    secure: encrypted === true,
    get clientCertificate() {
      return encrypted ? clientCertificateOf(incoming.socket as Partial<TLSSocket>) : undefined;
    },
    signal() {
      signal ??= signalOf(socket);
      return signal;
    },
  };
}

/** Response to a request for a WebSocket whose head is malformed. */
export const MALFORMED_UPGRADE: GatewayResponse = { status: 400, headers: {}, body: '' };

/** Returns a signal that a connection has closed. The closing of thousands is cheap without signals. */
function signalOf(socket: Duplex): AbortSignal {
  if (socket.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  return gone.signal;
}

/**
 * Ends a connection in its turn, because thousands may end at once.
 * @param admit runs a function in a turn that has time
 */
export function endInTurn(socket: Duplex, admit: (end: () => void) => void): void {
  const { push, _final: final, _destroy: destroy } = socket;
  socket.push = (...chunk) => {
    if (chunk[0] !== null) return push.apply(socket, chunk);
    admit(() => push.call(socket, null));
    return false;
  };
  socket._final = (done) => admit(() => final.call(socket, done));
  socket._destroy = (error, done) => admit(() => destroy.call(socket, error, done));
}

/** Refuses a WebSocket with a response and ends the connection. */
export async function refuseUpgrade(socket: Duplex, { status, headers, body, drop }: GatewayResponse): Promise<void> {
  if (drop) {
    socket.destroy();
    return;
  }
  const whole = typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body as Uint8Array) : undefined;
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...lines.filter((line) => !/^(?:connection|content-length|transfer-encoding):/i.test(line)),
    ...(whole ? [`content-length: ${whole.length}`] : []),
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  if (whole) socket.end(whole);
  // The body ends with the connection.
  else await pipeline(body as AsyncIterable<Uint8Array>, socket);
  discardInput(socket);
}

/** Discards what the client still sends, for a while: without a reader, its end of the connection would stay open. */
function discardInput(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}
