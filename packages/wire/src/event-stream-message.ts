import { crc32 } from 'node:zlib';
import { bufferOf } from './bytes.ts';

/** Value of a header with its type on the wire. */
export type EventHeader =
  | { type: 'boolean'; value: boolean }
  | { type: 'byte' | 'short' | 'integer'; value: number }
  | { type: 'long'; value: bigint }
  | { type: 'binary'; value: Uint8Array }
  | { type: 'string'; value: string }
  | { type: 'timestamp'; value: Date }
  | { type: 'uuid'; value: string };

/** A message of an event stream. */
export interface EventMessage {
  headers: Map<string, EventHeader>;
  payload: Uint8Array;
}

/** Bytes that are not a valid event stream. */
export class EventStreamError extends Error {
  override readonly name = 'EventStreamError';
}

/** Length of a message, length of its headers, and their checksum. */
const PRELUDE = 12;
/** Minimum size of a message: prelude and checksum. */
const SMALLEST = 16;
const MAX_HEADERS = 128 * 1024;
/** AWS's payload limit of a message in bytes. */
const MAX_PAYLOAD = 24 * 1024 * 1024;

function encodeHeader(name: string, header: EventHeader): Buffer {
  const key = Buffer.from(name, 'utf8');
  if (key.length === 0 || key.length > 255) throw new RangeError(`the name of header ${name} is too long`);
  return Buffer.concat([Buffer.from([key.length]), key, encodeValue(header)]);
}

/** Writes a value with its type number, and its length if variable. */
function encodeValue(header: EventHeader): Buffer {
  const sized = (type: number, bytes: Uint8Array): Buffer => {
    if (bytes.length > 0xffff) throw new RangeError('a header value is too long');
    return Buffer.concat([Buffer.from([type, bytes.length >> 8, bytes.length & 0xff]), bytes]);
  };
  const fixed = (type: number, length: number, write: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.alloc(1 + length);
    bytes[0] = type;
    write(bytes);
    return bytes;
  };
  switch (header.type) {
    case 'boolean':
      return Buffer.from([header.value ? 0 : 1]);
    case 'byte':
      return fixed(2, 1, (bytes) => bytes.writeInt8(header.value, 1));
    case 'short':
      return fixed(3, 2, (bytes) => bytes.writeInt16BE(header.value, 1));
    case 'integer':
      return fixed(4, 4, (bytes) => bytes.writeInt32BE(header.value, 1));
    case 'long':
      return fixed(5, 8, (bytes) => bytes.writeBigInt64BE(header.value, 1));
    case 'binary':
      return sized(6, header.value);
    case 'string':
      return sized(7, Buffer.from(header.value, 'utf8'));
    case 'timestamp':
      return fixed(8, 8, (bytes) => bytes.writeBigInt64BE(BigInt(header.value.getTime()), 1));
    case 'uuid':
      return Buffer.concat([Buffer.from([9]), Buffer.from(header.value.replaceAll('-', ''), 'hex')]);
  }
}

/**
 * Encodes the headers of a message, of which signatures of messages contain the date.
 * @throws RangeError for a name or a value that is too long
 */
export const encodeEventHeaders = (headers: EventMessage['headers']): Uint8Array =>
  Buffer.concat([...headers].map(([name, header]) => encodeHeader(name, header)));

/**
 * Encodes a message.
 * @see https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export function encodeEventMessage({ headers, payload }: EventMessage): Uint8Array {
  const head = encodeEventHeaders(headers);
  if (head.length > MAX_HEADERS || payload.length > MAX_PAYLOAD) throw new RangeError('an event is too large');
  const message = Buffer.alloc(SMALLEST + head.length + payload.length);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(head.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  message.set(head, PRELUDE);
  message.set(payload, PRELUDE + head.length);
  message.writeUInt32BE(crc32(message.subarray(0, -4)), message.length - 4);
  return message;
}

/** Reads the headers of a message. Every length is checked against the available bytes. */
function decodeHeaders(bytes: Buffer): Map<string, EventHeader> {
  const headers = new Map<string, EventHeader>();
  let position = 0;
  const take = (length: number): Buffer => {
    if (position + length > bytes.length) throw new EventStreamError('a header exceeds the headers');
    position += length;
    return bytes.subarray(position - length, position);
  };
  while (position < bytes.length) {
    const name = take(take(1)[0]!).toString('utf8');
    headers.set(name, decodeValue(take(1)[0]!, take));
  }
  return headers;
}

function decodeValue(type: number, take: (length: number) => Buffer): EventHeader {
  switch (type) {
    case 0:
    case 1:
      return { type: 'boolean', value: type === 0 };
    case 2:
      return { type: 'byte', value: take(1).readInt8() };
    case 3:
      return { type: 'short', value: take(2).readInt16BE() };
    case 4:
      return { type: 'integer', value: take(4).readInt32BE() };
    case 5:
      return { type: 'long', value: take(8).readBigInt64BE() };
    case 6:
      return { type: 'binary', value: new Uint8Array(take(take(2).readUInt16BE())) };
    case 7:
      return { type: 'string', value: take(take(2).readUInt16BE()).toString('utf8') };
    case 8:
      return { type: 'timestamp', value: new Date(Number(take(8).readBigInt64BE())) };
    case 9: {
      const hex = take(16).toString('hex');
      return { type: 'uuid', value: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
    }
    default:
      throw new EventStreamError(`a header has the unknown type ${type}`);
  }
}

/** Returns the length of the message from its prelude. */
function lengthOf(prelude: Buffer, maxPayload: number): number {
  const length = prelude.readUInt32BE(0);
  const headers = prelude.readUInt32BE(4);
  // Checked before the lengths are used, so that damaged data is not read as a message of gigabytes.
  if (crc32(prelude.subarray(0, 8)) !== prelude.readUInt32BE(8))
    throw new EventStreamError('a prelude has a wrong checksum');
  if (length < SMALLEST || headers > length - SMALLEST) throw new EventStreamError('a message has invalid lengths');
  if (headers > MAX_HEADERS || length - headers - SMALLEST > maxPayload)
    throw new EventStreamError('a message is too large');
  return length;
}

/**
 * Reads one complete message.
 * @throws EventStreamError for an incomplete, damaged or too large message
 */
export function decodeEventMessage(bytes: Uint8Array, maxPayload = MAX_PAYLOAD): EventMessage {
  const message = bufferOf(bytes);
  if (message.length < SMALLEST || lengthOf(message.subarray(0, PRELUDE), maxPayload) !== message.length)
    throw new EventStreamError('a message has invalid lengths');
  if (crc32(message.subarray(0, -4)) !== message.readUInt32BE(message.length - 4))
    throw new EventStreamError('a message has a wrong checksum');
  const end = PRELUDE + message.readUInt32BE(4);
  return { headers: decodeHeaders(message.subarray(PRELUDE, end)), payload: message.subarray(end, -4) };
}

/** Queue of received bytes, read in requested lengths. Each byte is copied at most twice. */
class ChunkQueue {
  length = 0;
  private readonly chunks: Buffer[] = [];

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.chunks.push(bufferOf(chunk));
    this.length += chunk.length;
  }

  /** Returns the first bytes without removing them. */
  peek(length: number): Buffer {
    if (this.chunks[0]!.length < length) this.chunks.splice(0, this.chunks.length, Buffer.concat(this.chunks));
    return this.chunks[0]!.subarray(0, length);
  }

  take(length: number): Buffer {
    const taken = this.peek(length);
    const rest = this.chunks[0]!.subarray(length);
    if (rest.length > 0) this.chunks[0] = rest;
    else this.chunks.shift();
    this.length -= length;
    return taken;
  }
}

/**
 * Reads the messages of a stream in chunks of any size. Buffers one message at a time.
 * @param maxPayload payload limit in bytes
 * @throws EventStreamError for a damaged or too large message, or a stream that ends within one
 */
export async function* readEventMessages(
  source: AsyncIterable<Uint8Array>,
  maxPayload = MAX_PAYLOAD,
): AsyncGenerator<EventMessage> {
  const queue = new ChunkQueue();
  let expected = 0;
  for await (const chunk of source) {
    queue.push(chunk);
    for (;;) {
      if (expected === 0 && queue.length >= PRELUDE) expected = lengthOf(queue.peek(PRELUDE), maxPayload);
      if (expected === 0 || queue.length < expected) break;
      yield decodeEventMessage(queue.take(expected), maxPayload);
      expected = 0;
    }
  }
  if (queue.length > 0) throw new EventStreamError('the stream ends within a message');
}
