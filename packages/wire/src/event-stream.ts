import type { DocumentCodec } from './body.ts';
import { utf8 } from './bytes.ts';
import { lazy, shapeOf } from './compile.ts';
import { AwsError, awsError } from './errors.ts';
import {
  decodeEventMessage,
  type EventHeader,
  type EventMessage,
  EventStreamError,
  encodeEventMessage,
  readEventMessages,
} from './event-stream-message.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';
import { errorBody, wireErrorOf } from './wire-errors.ts';

/** Media type of an event stream. */
export const EVENT_STREAM = 'application/vnd.amazon.eventstream';

type Values = Record<string, unknown>;

const text = (value: string): EventHeader => ({ type: 'string', value });

/** Returns the value of a string header; undefined for a missing header or another type. */
function headerText({ headers }: EventMessage, name: string): string | undefined {
  const header = headers.get(name);
  return header?.type === 'string' ? header.value : undefined;
}

const malformed = (message: string, cause?: unknown): AwsError =>
  awsError('SerializationException', message, { status: 400, cause });

/** Encodes the value of a member as a header of the type for its shape. */
function headerOf(shape: Shape, value: unknown): EventHeader {
  switch (shape.type) {
    case 'boolean':
      return { type: 'boolean', value: value === true };
    case 'integer':
      return { type: 'integer', value: Number(value) };
    case 'long':
      return { type: 'long', value: BigInt(value as number | bigint) };
    case 'blob':
      return { type: 'binary', value: value as Uint8Array };
    case 'timestamp':
      return { type: 'timestamp', value: value as Date };
    default:
      return text(String(value));
  }
}

/** Decodes a header into the value of its member. @throws AwsError for another type */
function valueIn(name: string, shape: Shape, header: EventHeader): unknown {
  switch (header.type) {
    case 'byte':
    case 'short':
    case 'integer':
    case 'long':
      if (shape.type === 'integer' || shape.type === 'long') return Number(header.value);
      break;
    case 'binary':
      if (shape.type === 'blob') return header.value;
      break;
    case 'uuid':
      if (shape.type === 'string') return header.value;
      break;
    default:
      if (shape.type === header.type) return header.value;
  }
  throw malformed(`The header ${name} can not be converted to a ${shape.type}`);
}

/** Encoding of one kind of event. */
interface EventCodec {
  encode(value: unknown, headers: Map<string, EventHeader>): Uint8Array;
  decode(message: EventMessage): unknown;
}

const toBytes = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body, 'utf8') : body;

/** Compiles the payload of an event: one member that is the whole payload, or a document of the members. */
function payloadCodec(model: ServiceModel, shapeName: string, codec: DocumentCodec): EventCodec {
  const members = Object.entries(shapeOf(model, shapeName).members ?? {}).filter(([, member]) => !member.eventheader);
  const whole = members.find(([, member]) => member.eventpayload);
  if (whole) return wholePayload(model, whole, codec);
  const use = { shape: shapeName, members };
  const encode = members.length === 0 ? () => codec.emptyBody : codec.encoder(use);
  const decode = codec.decoder(use);
  return {
    encode(value, headers) {
      const body = toBytes(encode(value));
      if (body.length > 0) headers.set(':content-type', text(codec.contentType));
      return body;
    },
    decode: ({ payload }) => (payload.length === 0 ? {} : decode(payload)),
  };
}

function wholePayload(model: ServiceModel, [name, member]: [string, MemberModel], codec: DocumentCodec): EventCodec {
  const { type } = shapeOf(model, member.shape);
  const isDocument = type !== 'blob' && type !== 'string';
  const contentType = isDocument ? codec.contentType : type === 'blob' ? 'application/octet-stream' : 'text/plain';
  const encode: (value: unknown) => string | Uint8Array = isDocument
    ? codec.encoder(member)
    : (value) => value as string | Uint8Array;
  const decode: (payload: Uint8Array) => unknown = isDocument
    ? codec.decoder(member)
    : type === 'blob'
      ? (payload) => new Uint8Array(payload)
      : (payload) => utf8(payload) ?? refuseText();
  return {
    encode(value, headers) {
      const item = (value as Values)[name];
      if (item === undefined || item === null) return new Uint8Array();
      headers.set(':content-type', text(contentType));
      return toBytes(encode(item));
    },
    decode({ payload }) {
      // A document cannot be empty; bytes and text can.
      return isDocument && payload.length === 0 ? {} : { [name]: decode(payload) };
    },
  };
}

function refuseText(): never {
  throw malformed('An event is not well-formed UTF-8');
}

/** Compiles one kind of event: some members in headers, the others in the payload. */
function eventCodec(model: ServiceModel, shapeName: string, codec: DocumentCodec): EventCodec {
  const payload = payloadCodec(model, shapeName, codec);
  const inHeaders = Object.entries(shapeOf(model, shapeName).members ?? {}).flatMap(([name, member]) =>
    member.eventheader ? [{ name, header: member.locationName ?? name, shape: shapeOf(model, member.shape) }] : [],
  );
  return {
    encode(value, headers) {
      for (const { name, header, shape } of inHeaders) {
        const item = (value as Values)[name];
        if (item !== undefined && item !== null) headers.set(header, headerOf(shape, item));
      }
      return payload.encode(value, headers);
    },
    decode(message) {
      const out = { ...(payload.decode(message) as Values) };
      for (const { name, header, shape } of inHeaders) {
        const found = message.headers.get(header);
        if (found) out[name] = valueIn(header, shape, found);
      }
      return out;
    },
  };
}

/** A member of an event stream's union. */
interface Kind {
  wire: string;
  shape: string;
  exception: boolean;
  codec: () => EventCodec;
}

function kindsOf(model: ServiceModel, shapeName: string, codec: DocumentCodec): Map<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const [name, member] of Object.entries(shapeOf(model, shapeName).members ?? {}))
    kinds.set(name, {
      wire: member.locationName ?? name,
      shape: member.shape,
      exception: shapeOf(model, member.shape).exception === true,
      codec: lazy(() => eventCodec(model, member.shape, codec)),
    });
  return kinds;
}

/** Encodes events, each `{ [name]: value }`, as messages. */
export type EventStreamEncoder = (
  events: AsyncIterable<unknown>,
  initial?: string | Uint8Array,
) => AsyncIterable<Uint8Array>;

/**
 * Compiles the encoder of an event stream.
 *
 * An `AwsError` thrown by the events is sent as the stream's exception of that shape, otherwise as an unmodelled error.
 * Any other error is passed on and closes the connection.
 *
 * The second argument of the encoder is the document of an `initial-response`, which RPC protocols send before the
 * events.
 * @param codec document format of the service's protocol
 * @see https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export function eventStreamEncoder(model: ServiceModel, shapeName: string, codec: DocumentCodec): EventStreamEncoder {
  const kinds = kindsOf(model, shapeName, codec);
  const message = (kind: Kind, value: unknown): Uint8Array => {
    const type = kind.exception ? 'exception' : 'event';
    const headers = new Map([
      [':message-type', text(type)],
      [`:${type}-type`, text(kind.wire)],
    ]);
    const payload = kind.codec().encode(value, headers);
    return encodeEventMessage({ headers, payload });
  };
  const failure = (error: AwsError): Uint8Array => {
    const wireError = wireErrorOf(model, error);
    for (const kind of kinds.values())
      if (kind.exception && kind.shape === wireError.name) return message(kind, errorBody(wireError));
    const headers = new Map([
      [':message-type', text('error')],
      [':error-code', text(wireError.code)],
      [':error-message', text(wireError.message)],
    ]);
    return encodeEventMessage({ headers, payload: new Uint8Array() });
  };
  return async function* encodeEvents(events, initial) {
    if (initial !== undefined) {
      const headers = new Map([
        [':message-type', text('event')],
        [':event-type', text('initial-response')],
        [':content-type', text(codec.contentType)],
      ]);
      yield encodeEventMessage({ headers, payload: toBytes(initial) });
    }
    try {
      for await (const event of events)
        for (const [name, value] of Object.entries(event as Values)) {
          if (value === undefined || value === null) continue;
          const kind = kinds.get(name);
          if (!kind) throw new TypeError(`${shapeName} has no event ${name}`);
          yield message(kind, value);
        }
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      yield failure(error);
    }
  };
}

/** Decodes messages into events, each `{ [name]: value }`. */
export type EventStreamDecoder = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<unknown>;

/** Returns the message inside a signed one. Undefined for the empty message at the end of a signed stream. */
function unwrap(message: EventMessage): EventMessage | undefined {
  if (!message.headers.has(':chunk-signature') || message.headers.has(':message-type')) return message;
  return message.payload.length === 0 ? undefined : decodeEventMessage(message.payload);
}

/**
 * Compiles the decoder of an event stream. It skips messages of unknown kinds and an `initial-request`, whose members
 * no AWS operation uses.
 * @param codec document format of the service's protocol
 * @throws AwsError (the iteration) SerializationException for an invalid event stream or event; an error sent by the
 * client unchanged
 */
export function eventStreamDecoder(model: ServiceModel, shapeName: string, codec: DocumentCodec): EventStreamDecoder {
  const byWire = new Map<string, [string, Kind]>();
  for (const [name, kind] of kindsOf(model, shapeName, codec)) byWire.set(kind.wire, [name, kind]);
  return async function* decodeEvents(bytes) {
    try {
      for await (const outer of readEventMessages(bytes)) {
        const message = unwrap(outer);
        if (!message) return;
        const type = headerText(message, ':message-type');
        if (type === 'error')
          throw awsError(
            headerText(message, ':error-code') ?? 'InternalError',
            headerText(message, ':error-message') ?? '',
          );
        const found = byWire.get(headerText(message, `:${type}-type`) ?? '');
        if (found) yield { [found[0]]: found[1].codec().decode(message) };
      }
    } catch (error) {
      if (error instanceof EventStreamError) throw malformed('', error);
      throw error;
    }
  };
}
