import { AwsChunkedDecoder, collect, isAwsChunked, unframedHeaders } from '@emu/gateway/proxy';
import {
  type EventMessage,
  encodeEventHeaders,
  encodeEventMessage,
  type HeaderValues,
  readEventMessages,
} from '@emu/wire';
import { type Call, MAX_BUFFERED } from './recognition.ts';
import { isOfConnection } from './sender.ts';
import { type EventSigner, mayLeaveBodyUnsigned, UNSIGNED_PAYLOAD } from './signing.ts';
import { Tap } from './tap.ts';

const HASH = 'x-amz-content-sha256';
const UNSIGNED_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
const SIGNED_EVENTS = 'STREAMING-AWS4-HMAC-SHA256-EVENTS';
/** Headers that the proxy sets itself, or that belong to the signature of the client. */
const OWN_HEADERS = new Set(['host', 'x-amz-date', 'x-amz-security-token', 'expect', 'accept-encoding']);

/** The body of a request on its way, and the headers with which it is sent. */
export interface SentBody {
  /** By lower-case name, without those of the connection and of the client's signature. */
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** Copies the first bytes of a streamed body, without framing. */
  readonly tap: Tap | undefined;
  /** Takes the signer of an event stream's messages, once the request is signed. */
  readonly signEvents?: (signer: EventSigner) => void;
}

/**
 * Prepares the body of a request: streams are passed on, everything else is read, because its hash is part of the signature.
 * Chunks that the client has signed are passed on unsigned, and events are signed anew.
 * @param limit most bytes of a stream that are copied for a recording
 * @throws PayloadTooLarge for a body over the limit of buffered ones
 */
export async function prepareBody(call: Call, limit: number): Promise<SentBody> {
  const { request, wire, scope, modelled } = call;
  const headers = plainHeaders(request.headers);
  // The authorization of an unsigned request belongs to the application.
  if (scope) delete headers.authorization;
  if (wire.body.length > 0) return whole(headers, wire.body);
  if (!hasBody(call)) return { headers, body: undefined, tap: undefined };
  if (isAwsChunked(request.headers)) return chunked(call, headers, limit);
  if (headers[HASH] === SIGNED_EVENTS || isEventStream(headers)) return events(call, headers, limit);
  const streams = modelled ? modelled.protocol.streams(modelled.operation) : true;
  const needsHash = scope !== undefined && !scope.presigned && headers[HASH] === undefined;
  const service = call.aws?.signingName ?? scope?.service ?? '';
  if (!streams || (needsHash && !mayLeaveBodyUnsigned(service)))
    return whole(headers, await collect(request.body.stream(), MAX_BUFFERED));
  if (needsHash) headers[HASH] = UNSIGNED_PAYLOAD;
  const tap = new Tap(limit);
  return { headers, body: tap.copying(request.body.stream()), tap };
}

/** Returns the headers that are passed on. A trace header of the client is part of what it sends. */
function plainHeaders(headers: HeaderValues): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || OWN_HEADERS.has(name) || isOfConnection(name)) continue;
    out[name] = Array.isArray(value) ? value.join(name === 'cookie' ? '; ' : ', ') : value;
  }
  return out;
}

function hasBody({ request }: Call): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length !== undefined) return length !== '0';
  return coding !== undefined || (request.http2 === true && request.method !== 'GET' && request.method !== 'HEAD');
}

const whole = (headers: Record<string, string>, body: Uint8Array): SentBody => ({
  headers: { ...headers, 'content-length': String(body.length) },
  body,
  tap: undefined,
});

const isEventStream = (headers: Record<string, string>): boolean =>
  headers['content-type'] === 'application/vnd.amazon.eventstream';

/** Passes on a body in chunks. Unsigned ones are unchanged; of signed ones, the signatures are removed. */
function chunked({ request }: Call, headers: Record<string, string>, limit: number): SentBody {
  const tap = new Tap(limit);
  const length = headers['x-amz-decoded-content-length'];
  const decoded = (source: AsyncIterable<Uint8Array>): AwsChunkedDecoder =>
    new AwsChunkedDecoder(source, length === undefined ? undefined : Number(length));
  if (headers[HASH] === UNSIGNED_TRAILER) {
    const framed = new Tap(limit + FRAMING);
    tap.fill = async () => copyUntilCut(decoded(framed), tap, length);
    return { headers, body: framed.copying(request.body.stream()), tap };
  }
  const source = decoded(request.body.stream());
  if (headers[HASH]!.endsWith('-TRAILER')) {
    const { 'content-length': _, ...rest } = headers;
    return { headers: { ...rest, [HASH]: UNSIGNED_TRAILER }, body: framed(tap.copying(source), source), tap };
  }
  const {
    'x-amz-decoded-content-length': _,
    'x-amz-trailer': __,
    ...rest
  } = plainHeaders(unframedHeaders(headers)) as Record<string, string>;
  return { headers: { ...rest, [HASH]: UNSIGNED_PAYLOAD }, body: tap.copying(source), tap };
}

/** Bytes of framing that a copy of a chunked body may contain in addition. */
const FRAMING = 64 * 1024;

/** Decodes the copied start of a chunked body. */
async function copyUntilCut(source: AsyncIterable<Uint8Array>, tap: Tap, length: string | undefined): Promise<void> {
  try {
    for await (const bytes of source) tap.add(bytes);
    tap.end();
  } catch {
    // The copy ends within a chunk.
  }
  if (length !== undefined) tap.length = Number(length);
}

/** Frames a body in chunks without signatures, with the trailers that its decoder has found. */
async function* framed(
  bytes: AsyncIterable<Uint8Array>,
  { trailers }: AwsChunkedDecoder,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of bytes) {
    if (piece.length === 0) continue;
    yield Buffer.from(`${piece.length.toString(16)}\r\n`);
    yield piece;
    yield Buffer.from('\r\n');
  }
  const lines = [...trailers].filter(([name]) => name !== 'x-amz-trailer-signature');
  yield Buffer.from(`0\r\n${lines.map(([name, value]) => `${name}:${value}\r\n`).join('')}\r\n`);
}

/** Passes on an event stream, whose messages are signed one by one. */
function events({ request }: Call, headers: Record<string, string>, limit: number): SentBody {
  const tap = new Tap(limit);
  let signEvents!: (signer: EventSigner) => void;
  const signer = new Promise<EventSigner>((resolve) => {
    signEvents = resolve;
  });
  const source = request.body.stream();
  const { 'content-length': _, ...rest } = headers;
  return { headers: { ...rest, [HASH]: SIGNED_EVENTS }, body: signedAgain(source, signer, tap), tap, signEvents };
}

async function* signedAgain(
  source: AsyncIterable<Uint8Array>,
  signing: Promise<EventSigner>,
  tap: Tap,
): AsyncGenerator<Uint8Array, void, undefined> {
  const signer = await signing;
  const signed = async (payload: Uint8Array): Promise<Uint8Array> => {
    const date = new Date();
    const headers: EventMessage['headers'] = new Map([[':date', { type: 'timestamp', value: date }]]);
    const signature = await signer.next(encodeEventHeaders(headers), payload, date);
    headers.set(':chunk-signature', { type: 'binary', value: signature });
    return encodeEventMessage({ headers, payload });
  };
  for await (const message of readEventMessages(source)) {
    const inner = isSigned(message) ? message.payload : encodeEventMessage(message);
    if (inner.length === 0) break;
    tap.add(inner);
    yield await signed(inner);
  }
  tap.end();
  yield await signed(new Uint8Array());
}

const isSigned = ({ headers }: EventMessage): boolean =>
  headers.has(':chunk-signature') && !headers.has(':message-type');
