import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import type { RedirectedProgram } from '@emu/core/service';
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

/**
 * Returns the received request of a client that requests a WebSocket; it has no body.
 * @param programOf see `PortServer`
 */
export function upgradeRequest(
  incoming: IncomingMessage,
  socket: Duplex,
  programOf: ((localPort: number) => RedirectedProgram | undefined) | undefined,
): GatewayRequest {
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
    program: programOf?.(localPort ?? 0),
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

/** Bytes of a connection that are processed in one turn: some thousands of the shortest frames. */
const TURN_BYTES = 16 * 1024;

/**
 * Reads and ends a connection in its turns, because thousands may send or end at once. Bytes wait while the stream is
 * paused, and reading stops until all have had their turns.
 * @param admit runs a function in a turn that has time
 */
export function takeTurns(socket: Duplex, admit: (step: () => void) => void): void {
  const { push, _read: read, _final: final, _destroy: destroy } = socket;
  const waiting: (Buffer | null)[] = [];
  /** Whether the next chunk has been admitted. */
  let admitted = false;
  /** Bytes that the stream wants to read; undefined for none. */
  let wanted: number | undefined;
  const passOne = (): void => {
    admitted = false;
    if (socket.destroyed) return;
    const chunk = waiting.shift()!;
    wanted = undefined;
    push.call(socket, chunk);
    passNext();
  };
  const passNext = (): void => {
    if (admitted || wanted === undefined) return;
    if (waiting.length === 0) {
      const size = wanted;
      wanted = undefined;
      read.call(socket, size);
      return;
    }
    admitted = true;
    admit(passOne);
  };
  socket.push = (chunk: Buffer | null) => {
    if (chunk === null) waiting.push(null);
    else for (let at = 0; at < chunk.length; at += TURN_BYTES) waiting.push(chunk.subarray(at, at + TURN_BYTES));
    wanted ??= TURN_BYTES;
    passNext();
    return false;
  };
  socket._read = (size) => {
    wanted = size;
    passNext();
  };
  socket._final = (done) => admit(() => final.call(socket, done));
  socket._destroy = (error, done) => {
    endInTurn(socket, admit);
    admit(() => destroy.call(socket, error, done));
  };
}

/** The part of node's handle of a connection that reads and ends. */
interface Handle {
  onread: () => void;
  readStop?(): void;
  close(closed: () => void): void;
}

/**
 * Stops reading at once, and reports the end of a destroyed connection in a turn. node ends the process if bytes arrive
 * between the destruction of a socket and that of its handle.
 */
function endInTurn(socket: Duplex, admit: (step: () => void) => void): void {
  const { _handle: handle } = socket as { _handle?: Handle | null };
  if (!handle) return;
  const { close } = handle;
  handle.onread = () => undefined;
  handle.readStop?.();
  handle.close = (closed) => close.call(handle, () => admit(closed));
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
