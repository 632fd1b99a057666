import { createHash } from 'node:crypto';

/** Message types of a data channel. */
export type ChannelMessageType = 'input_stream_data' | 'output_stream_data' | 'acknowledge' | 'channel_closed';

/** Payload types of data messages. */
export const PAYLOAD = {
  none: 0,
  output: 1,
  size: 3,
  handshakeRequest: 5,
  handshakeResponse: 6,
  handshakeComplete: 7,
  flag: 10,
  standardError: 11,
  exitCode: 12,
} as const;

/** Message flags: first and last message of a channel. */
export const FLAG = { none: 0, first: 1, last: 2 } as const;
/** Flag payload with which a client ends its session. */
export const TERMINATE_FLAG = 2;

/** A message of a data channel. */
export interface ChannelMessage {
  readonly type: string;
  /** Sequence number, from 0 in each direction. */
  readonly sequence: number;
  readonly flags: number;
  readonly id: string;
  readonly payloadType: number;
  readonly payload: Buffer;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** Bytes of the header fields, without the four bytes of the header length. */
const HEADER = 116;
const PAYLOAD_AT = HEADER + 4;
const TYPE_LENGTH = 32;
const SCHEMA = 1;

const digestOf = (payload: Uint8Array): Buffer => createHash('sha256').update(payload).digest();

/** Encodes an id, lower half first. */
function idBytes(id: string): Buffer {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes.subarray(8), bytes.subarray(0, 8)]);
}

function idOf(bytes: Buffer): string {
  const hex = Buffer.concat([bytes.subarray(8), bytes.subarray(0, 8)]).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Encodes a message.
 * @see https://github.com/aws/session-manager-plugin/blob/mainline/src/message/clientmessage.go
 */
export function encodeMessage(message: ChannelMessage): Buffer {
  const { type, sequence, flags, id, payloadType, payload, createdAt } = message;
  const head = Buffer.alloc(PAYLOAD_AT);
  head.writeUInt32BE(HEADER, 0);
  head.write(type.padEnd(TYPE_LENGTH, ' '), 4, TYPE_LENGTH, 'utf8');
  head.writeUInt32BE(SCHEMA, 36);
  head.writeBigUInt64BE(BigInt(Math.floor(createdAt)), 40);
  head.writeBigInt64BE(BigInt(sequence), 48);
  head.writeBigUInt64BE(BigInt(flags), 56);
  idBytes(id).copy(head, 64);
  digestOf(payload).copy(head, 80);
  head.writeUInt32BE(payloadType, 112);
  head.writeUInt32BE(payload.length, 116);
  return Buffer.concat([head, payload]);
}

/** Decodes a message; returns undefined for invalid bytes or a wrong payload digest. */
export function decodeMessage(bytes: Buffer): ChannelMessage | undefined {
  if (bytes.length < PAYLOAD_AT) return undefined;
  const header = bytes.readUInt32BE(0);
  if (header !== HEADER && header !== HEADER - 4) return undefined;
  // Messages of older clients have no payload type.
  const typed = header === HEADER;
  const payloadAt = header + 4;
  const length = bytes.readUInt32BE(header);
  if (bytes.length !== payloadAt + length) return undefined;
  const payload = bytes.subarray(payloadAt);
  if (payload.length > 0 && !digestOf(payload).equals(bytes.subarray(80, 112))) return undefined;
  return {
    type: bytes.toString('utf8', 4, 36).replace(/[\0 ]+$/, ''),
    createdAt: Number(bytes.readBigUInt64BE(40)),
    sequence: Number(bytes.readBigInt64BE(48)),
    flags: Number(bytes.readBigUInt64BE(56)),
    id: idOf(bytes.subarray(64, 80)),
    payloadType: typed ? bytes.readUInt32BE(112) : PAYLOAD.none,
    payload,
  };
}
