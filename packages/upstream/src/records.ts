import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  CutBody,
  type Masker,
  type RecordedBody,
  type RecordedHeaders,
  type RecordedMembers,
  type RequestRecord,
  toJson,
} from '@emu/recording';
import {
  AwsError,
  prefersJson,
  type ReceivedResponse,
  type ResponseDecoder,
  responseDecoder,
  type ServiceModel,
} from '@emu/wire';
import type { SentBody } from './body.ts';
import type { IssuedCredentials } from './credentials.ts';
import { MAX_RECORDED_BODY, MAX_RECORDED_EVENTS } from './limits.ts';
import type { Call, Modelled } from './recognition.ts';
import type { IncomingResponse, OutgoingRequest } from './sender.ts';
import type { Tap } from './tap.ts';

/** A request with its whole response. */
export interface Answered {
  readonly n: number;
  readonly at: Date;
  /** Its arrival, by `performance.now()`. */
  readonly since: number;
  readonly call: Call;
  readonly sent: SentBody;
  readonly outgoing: OutgoingRequest;
  readonly response: IncomingResponse;
  /** The body of the response. */
  readonly received: Tap;
}

/** Headers that differ between any two responses, or belong to the transport. */
const LEFT_OUT = new Set(['content-length', 'date', 'server', 'connection', 'x-amz-id-2', 'via', 'alt-svc']);
/** Headers of requests that the proxy or the signature adds. */
const LEFT_OUT_SENT = new Set([
  'x-amz-date',
  'x-amz-security-token',
  'x-amz-content-sha256',
  'x-amz-s3session-token',
  'host',
  'content-length',
  'accept-encoding',
  'amz-sdk-invocation-id',
  'amz-sdk-request',
  'user-agent',
  'x-amz-user-agent',
]);
/** Parameters of presigned URLs, which a recording lacks. */
const PRESIGNED = /^X-Amz-(?:Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Security-Token)=/i;

const inflate = promisify(gunzip);
const decoders = new WeakMap<object, Map<string, ResponseDecoder>>();

/** Returns the decoder of the responses to a request. */
function decoderOf({ codec, protocol }: Modelled, { wire }: Call): ResponseDecoder {
  const json = protocol.protocol === 'awsQuery' && prefersJson(wire.headers.accept);
  const known = decoders.get(codec) ?? new Map<string, ResponseDecoder>();
  decoders.set(codec, known);
  const key = `${protocol.protocol} ${json}`;
  let decoder = known.get(key);
  if (!decoder) {
    decoder = responseDecoder(codec, protocol.protocol, json);
    known.set(key, decoder);
  }
  return decoder;
}

/** Returns the output of a response that may contain credentials; undefined for others. */
export function credentialsIn(answered: Answered): unknown {
  const { call, response, received } = answered;
  if (!call.modelled || response.status >= 300) return undefined;
  const { bytes } = received;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!['SecretAccessKey', 'SecretKey'].some((name) => text.includes(name))) return undefined;
  try {
    return decoderOf(call.modelled, call).decode(call.modelled.operation, receivedOf(answered));
  } catch (error) {
    if (error instanceof AwsError) return undefined;
    throw error;
  }
}

const receivedOf = ({ response, received }: Answered): ReceivedResponse => ({
  status: response.status,
  headers: response.headers,
  body: received.bytes,
});

/**
 * Returns the record of a request: decoded by the model, or as sent if it has none or does not match it.
 * @param milliseconds until the end of the response
 */
export async function recordOf(
  answered: Answered,
  milliseconds: number,
  masker: Masker,
  issued: IssuedCredentials,
): Promise<RequestRecord> {
  const { call, sent, n, at } = answered;
  await sent.tap?.fill?.();
  const { scope } = call;
  const signer = scope ? issued.of(scope.accessKeyId) && masker.signer(scope.accessKeyId) : 'anonymous';
  const common = {
    n,
    startedAt: at.toISOString(),
    milliseconds,
    service: call.service,
    region: call.region,
    ...(signer !== undefined && { signer }),
  };
  const api = call.modelled && (await decoded(call.modelled, answered, masker));
  if (api) return { ...common, ...api };
  const operation = call.operation === undefined ? {} : { operation: call.operation };
  return { ...common, ...operation, ...raw(answered, masker) };
}

type Decoded = Pick<
  Extract<RequestRecord, { input: unknown }>,
  'operation' | 'input' | 'status' | 'headers' | 'output' | 'error' | 'cut'
>;

/** Returns the decoded members of a record; undefined if the request or response does not match the model. */
async function decoded(modelled: Modelled, answered: Answered, masker: Masker): Promise<Decoded | undefined> {
  const { operation, codec } = modelled;
  const { model } = codec;
  const { input: inputRef, output: outputRef } = model.operations[operation]!;
  const { status, headers } = answered.response;
  const parts: Parts = { cut: false };
  const json = (shape: string | undefined, value: unknown): RecordedMembers =>
    toJson(masker.members(model, shape, value)) as RecordedMembers;
  try {
    const input = json(inputRef?.shape, await inputOf(modelled, answered, parts));
    const decoder = decoderOf(modelled, answered.call);
    const common = { operation, input, status };
    if (status >= 300 && status !== 304) {
      const error = decoder.decodeError(operation, receivedOf(answered));
      const members = json(model.shapes[error.code]?.exception ? error.code : undefined, error.members);
      return {
        ...common,
        headers: masker.headers(headersOf(headers, new Set())),
        error: {
          code: error.code,
          message: masker.text(error.message),
          ...(Object.keys(members).length > 0 && { members }),
        },
      };
    }
    const output = json(outputRef?.shape, await outputOf(decoder, operation, answered, parts));
    const bound = boundHeaders(model, outputRef?.shape);
    return {
      ...common,
      headers: masker.headers(headersOf(headers, bound)),
      output,
      ...(parts.cut && { cut: true }),
    };
  } catch (error) {
    if (error instanceof AwsError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether parts of a record are missing. */
interface Parts {
  cut: boolean;
}

async function inputOf({ protocol, operation, codec }: Modelled, answered: Answered, parts: Parts): Promise<unknown> {
  const { call, sent, outgoing } = answered;
  const { tap } = sent;
  let body = outgoing.body instanceof Uint8Array ? outgoing.body : new Uint8Array();
  if (sent.headers['content-encoding'] === 'gzip' && body.length > 0 && !protocol.streams(operation))
    body = await inflate(body, { maxOutputLength: MAX_INFLATED });
  if (!tap) return protocol.decode(operation, { ...call.wire, body });
  const input = protocol.decode(operation, { ...call.wire, body, stream: tap }) as Record<string, unknown>;
  const { model } = codec;
  const payload = model.shapes[model.operations[operation]!.input!.shape]!.payload!;
  const events = model.shapes[model.shapes[model.operations[operation]!.input!.shape]!.members![payload]!.shape]!;
  if (tap.isCut) parts.cut = true;
  const value = events.eventstream ? await firstEvents(input[payload] as AsyncIterable<unknown>, parts) : bytesOf(tap);
  return { ...input, [payload]: value };
}

/** Maximum bytes of an inflated request. */
const MAX_INFLATED = 64 * 1024 * 1024;

async function outputOf(
  decoder: ResponseDecoder,
  operation: string,
  answered: Answered,
  parts: Parts,
): Promise<unknown> {
  const { received } = answered;
  const streamed = decoder.streamed(operation);
  if (!streamed) {
    if (received.isCut) throw new RangeError('the response is too large to be decoded');
    return decoder.decode(operation, receivedOf(answered));
  }
  if (received.isCut) parts.cut = true;
  const output = decoder.decode(operation, { ...receivedOf(answered), body: new Uint8Array() });
  const value = streamed.events ? await firstEvents(streamed.events(received), parts) : bytesOf(received);
  return { ...output, [streamed.member]: value };
}

const bytesOf = (tap: Tap): Uint8Array | CutBody => (tap.isCut ? new CutBody(tap.bytes, tap.length) : tap.bytes);

/** Returns the first events of a stream, which may end within one. */
async function firstEvents(events: AsyncIterable<unknown>, parts: Parts): Promise<unknown[]> {
  const out: unknown[] = [];
  try {
    for await (const event of events) {
      if (out.length === MAX_RECORDED_EVENTS) {
        parts.cut = true;
        break;
      }
      out.push(event);
    }
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    parts.cut = true;
  }
  return out;
}

/** Returns the names of the headers that members of an output contain; those of prefixes end with `*`. */
function boundHeaders(model: ServiceModel, shape: string | undefined): Set<string> {
  const members = Object.entries((shape === undefined ? undefined : model.shapes[shape])?.members ?? {});
  return new Set(
    members.flatMap(([name, { location, locationName }]) => {
      const header = (locationName ?? name).toLowerCase();
      return location === 'header' ? [header] : location === 'headers' ? [`${header}*`] : [];
    }),
  );
}

function headersOf(headers: IncomingResponse['headers'], bound: ReadonlySet<string>): RecordedHeaders {
  const prefixes = [...bound].flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : []));
  const entries = Object.entries(headers).filter(
    ([name]) => !LEFT_OUT.has(name) && !bound.has(name) && !prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}

function raw(
  { call, sent, outgoing, response, received }: Answered,
  masker: Masker,
): Pick<Extract<RequestRecord, { request: unknown }>, 'request' | 'response' | 'cut'> {
  // The authorization of an unsigned request belongs to the application.
  const sentHeaders = Object.entries(outgoing.headers).filter(
    ([name]) => !LEFT_OUT_SENT.has(name) && !(call.scope && name === 'authorization'),
  );
  const query = outgoing.query.split('&').filter((parameter) => !PRESIGNED.test(parameter));
  const sentBody = sent.tap
    ? bodyOf(sent.tap.bytes, sent.tap.isCut ? sent.tap.length : undefined, masker)
    : sent.body instanceof Uint8Array
      ? bodyOf(
          sent.body.subarray(0, MAX_RECORDED_BODY),
          sent.body.length > MAX_RECORDED_BODY ? sent.body.length : undefined,
          masker,
        )
      : undefined;
  const cut = sent.tap?.isCut === true || received.isCut;
  const bytes = received.bytes.subarray(0, MAX_RECORDED_BODY);
  const isWhole = received.ended && bytes.length === received.length;
  const receivedBody = bodyOf(bytes, isWhole ? undefined : received.length, masker);
  return {
    request: {
      method: outgoing.method,
      host: masker.text(outgoing.headers.host ?? ''),
      path: masker.text(outgoing.path),
      query: masker.text(query.join('&')),
      headers: masker.headers(Object.fromEntries(sentHeaders)),
      ...(sentBody !== undefined && { body: sentBody }),
    },
    response: {
      status: response.status,
      headers: masker.headers(headersOf(response.headers, new Set())),
      ...(receivedBody !== undefined && { body: receivedBody }),
    },
    ...((cut || !isWhole) && { cut: true }),
  };
}

/** Returns a body as text if it is UTF-8, otherwise as bytes; undefined for an empty one. */
function bodyOf(bytes: Uint8Array, length: number | undefined, masker: Masker): RecordedBody | undefined {
  if (bytes.length === 0) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (length === undefined && isUtf8(buffer)) return masker.text(buffer.toString());
  const masked = isUtf8(buffer) ? Buffer.from(masker.text(buffer.toString())) : buffer;
  return { $bytes: masked.toString('base64'), ...(length !== undefined && { $length: length }) };
}
