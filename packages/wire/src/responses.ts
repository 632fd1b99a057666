import type { DocumentCodec } from './body.ts';
import { utf8 } from './bytes.ts';
import { cborDecoders, parseCbor } from './cbor-shapes.ts';
import type { ServiceCodec } from './codec.ts';
import { bodyMembers, type KeyOf, keyByLocationName, keyByName, lazy, shapeOf } from './compile.ts';
import { type EventStreamDecoder, eventStreamDecoder } from './event-stream.ts';
import { type HeaderValues, headerOf } from './http.ts';
import { compileRequestBindings } from './http-bindings.ts';
import { type JsonDecoders, JsonDecoders as JsonShapes, parseBody, serializationException } from './json-decode.ts';
import { isObject } from './json-values.ts';
import type { MemberModel, OperationModel, Protocol, ServiceModel, Shape, ShapeReference } from './model.ts';
import { parseTemplate } from './uri-template.ts';
import { malformedXml, XmlDecoders } from './xml-decode.ts';
import { readXml, type XmlElement, XmlError } from './xml-reader.ts';

type Values = Record<string, unknown>;
type Members = [string, MemberModel][];

/** A response that a server has sent. */
export interface ReceivedResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: HeaderValues;
  /** Complete body; empty for an operation whose output streams. */
  readonly body: Uint8Array;
}

/** A decoded error response. */
export interface DecodedError {
  /**
   * As sent, without a namespace: the name of the error's shape or its code in the query protocols. The status for a
   * response without a code, such as one to a HEAD request.
   */
  readonly code: string;
  /** Empty without a message. */
  readonly message: string;
  /** Other members; for XML also those that no shape has. */
  readonly members: Values;
}

/** The streaming member of an output. */
export interface StreamedOutput {
  readonly member: string;
  /** Decodes an event stream; undefined for a stream of bytes. */
  readonly events: EventStreamDecoder | undefined;
}

/** Client side of one protocol of one service. */
export interface ResponseDecoder {
  /** Returns the output's member that is a stream; undefined for an operation whose body is decoded as a whole. */
  streamed(operation: string): StreamedOutput | undefined;
  /**
   * Decodes a success into values as handlers return them, without the streaming member.
   * @throws AwsError for a body that does not match the output
   */
  decode(operation: string, response: ReceivedResponse): Values;
  /** Decodes an error. A body that is no error of the protocol results in the status as the code. */
  decodeError(operation: string, response: ReceivedResponse): DecodedError;
}

/** Document format of responses. */
interface Documents {
  /**
   * Returns a decoder of the given members of a structure.
   * @param wrapper element around the members in awsQuery
   * @param unwrapped whether the only member is the whole document
   */
  members(members: Members, wrapper?: string, unwrapped?: boolean): (body: Uint8Array) => unknown;
  /** Returns a decoder of a whole shape. */
  whole(member: MemberModel): (body: Uint8Array) => unknown;
  readonly events: DocumentCodec;
  /** Returns an error; undefined for another body. */
  error(response: ReceivedResponse): RawError | undefined;
}

/** An error before its shape is known. */
interface RawError {
  readonly code: string;
  readonly message: string;
  members(members: Members): Values;
  /** Members that the shape lacks. */
  readonly others?: Values;
}

/** Removes namespace and URI of an error's type: `ns#Name:http://…`. */
const plainName = (type: string): string => type.slice(type.indexOf('#') + 1).split(':', 1)[0]!;

/** Decodes responses of one protocol. */
class Responses implements ResponseDecoder {
  private readonly outputs = new Map<string, (response: ReceivedResponse) => Values>();
  private readonly streams = new Map<string, StreamedOutput | undefined>();
  private readonly shapesByCode: () => ReadonlyMap<string, Shape>;

  /** @param rest whether members are bound to headers and payloads */
  constructor(
    private readonly model: ServiceModel,
    private readonly documents: Documents,
    private readonly rest: boolean,
  ) {
    this.shapesByCode = lazy(() => {
      const shapes = Object.values(model.shapes).filter(({ exception }) => exception);
      return new Map(shapes.flatMap((shape) => (shape.error?.code === undefined ? [] : [[shape.error.code, shape]])));
    });
  }

  streamed(operation: string): StreamedOutput | undefined {
    if (!this.streams.has(operation)) this.streams.set(operation, this.streamOf(this.model.operations[operation]!));
    return this.streams.get(operation);
  }

  decode(operation: string, response: ReceivedResponse): Values {
    let decode = this.outputs.get(operation);
    if (!decode) {
      decode = this.compile(operation, this.model.operations[operation]!);
      this.outputs.set(operation, decode);
    }
    return decode(response);
  }

  decodeError(operation: string, response: ReceivedResponse): DecodedError {
    const raw = this.documents.error(response);
    if (!raw) return { code: String(response.status), message: '', members: {} };
    const shape = this.errorOf(operation, raw.code);
    if (!shape) return { code: raw.code, message: raw.message, members: raw.others ?? {} };
    const members = { ...raw.others, ...raw.members(bodyMembers(shape)) };
    if (this.rest) this.bindings(shape)?.({ ...NO_TARGET, headers: response.headers }, members);
    const messageMember = Object.keys(members).find((member) => member.toLowerCase() === 'message');
    if (messageMember !== undefined) delete members[messageMember];
    return { code: raw.code, message: raw.message, members };
  }

  /** Returns the shape of an error by its name or code, first among the errors of the operation: some share a code. */
  private errorOf(operation: string, code: string): Shape | undefined {
    const { shapes, operations } = this.model;
    const own = Object.hasOwn(shapes, code) ? shapes[code] : undefined;
    if (own?.exception) return own;
    const named = operations[operation]?.errors?.find((name) => shapes[name]?.error?.code === code);
    return named === undefined ? this.shapesByCode().get(code) : shapes[named];
  }

  private streamOf({ output }: OperationModel): StreamedOutput | undefined {
    const shape = output && shapeOf(this.model, output.shape);
    for (const [member, use] of Object.entries(shape?.members ?? {})) {
      const target = shapeOf(this.model, use.shape);
      if (target.eventstream)
        return { member, events: eventStreamDecoder(this.model, use.shape, this.documents.events) };
      if (shape!.payload === member && target.type === 'blob' && (use.streaming || target.streaming))
        return { member, events: undefined };
    }
    return undefined;
  }

  private compile(name: string, operation: OperationModel): (response: ReceivedResponse) => Values {
    const { output } = operation;
    if (!output) return () => ({});
    const shape = shapeOf(this.model, output.shape);
    const stream = this.streamed(name)?.member;
    if (!this.rest) {
      const members = Object.entries(shape.members ?? {}).filter(([member]) => member !== stream);
      const decode = lazy(() => this.documents.members(members, output.resultWrapper ?? `${name}Result`));
      return ({ body }) => (body.length === 0 ? {} : (decode()(body) as Values));
    }
    const bind = this.bindings(shape);
    const status = Object.entries(shape.members ?? {}).find(([, { location }]) => location === 'statusCode')?.[0];
    const read = this.bodyReader(output, stream);
    return (response) => {
      const values = response.body.length === 0 ? {} : read(response.body);
      bind?.({ ...NO_TARGET, headers: response.headers }, values);
      if (status !== undefined) values[status] = response.status;
      return values;
    };
  }

  private bindings(shape: ReturnType<typeof shapeOf>): ReturnType<typeof compileRequestBindings> {
    return compileRequestBindings(this.model, shape, parseTemplate('/'), serializationException);
  }

  private bodyReader(output: ShapeReference, stream: string | undefined): (body: Uint8Array) => Values {
    const shape = shapeOf(this.model, output.shape);
    if (stream !== undefined && shape.payload === stream) return () => ({});
    if (shape.payload === undefined) {
      const members = bodyMembers(shape).filter(([member]) => member !== stream);
      if (members.length === 0) return () => ({});
      const decode = lazy(() => this.documents.members(members, undefined, output.unwrapped));
      return (body) => decode()(body) as Values;
    }
    const name = shape.payload;
    const payload = shape.members![name]!;
    const { type, document } = shapeOf(this.model, payload.shape);
    if (type === 'blob') return (body) => ({ [name]: body });
    if (type === 'string' && !document && !payload.jsonvalue) return (body) => ({ [name]: utf8(body) ?? refuseText() });
    const decode = lazy(() => this.documents.whole(payload));
    return (body) => ({ [name]: decode()(body) });
  }
}

/** A request's parts that responses lack. */
const NO_TARGET = { method: 'GET', path: '/', query: '', body: new Uint8Array() };

function refuseText(): never {
  throw serializationException('The body is not well-formed UTF-8');
}

/** Encoder of documents that are only decoded. */
function decodedOnly(): never {
  throw new TypeError('responses are only decoded');
}

/** JSON documents. */
function jsonDocuments(model: ServiceModel, keyOf: KeyOf, wrapped = false): Documents {
  const decoders = new JsonShapes(model, keyOf);
  const parse = (body: Uint8Array): unknown => parseBody(utf8(body) ?? refuseText());
  return objectDocuments(decoders, parse, 'application/json', wrapped);
}

/** CBOR documents. */
function cborDocuments(model: ServiceModel, times: 'seconds' | 'milliseconds'): Documents {
  return objectDocuments(cborDecoders(model), (body) => parseCbor(body, times), 'application/cbor', false);
}

/**
 * Documents of objects.
 * @param wrapped whether results and errors are in envelopes, as in JSON responses of awsQuery
 */
function objectDocuments(
  decoders: JsonDecoders,
  parse: (body: Uint8Array) => unknown,
  contentType: string,
  wrapped: boolean,
): Documents {
  const decoding = (decode: (value: unknown, depth: number) => unknown) => (body: Uint8Array) => {
    const value = parse(body);
    return value === null || value === undefined ? {} : decode(value, 0);
  };
  const events: DocumentCodec = {
    contentType,
    emptyBody: '',
    decoder: (use) => decoding(use.members ? decoders.structure(use.members) : decoders.of(use)),
    encoder: () => decodedOnly,
  };
  return {
    events,
    members(members) {
      const decode = decoders.structure(members);
      return decoding(wrapped ? (value, depth) => decode(resultIn(value), depth) : decode);
    },
    whole: (member) => decoding(decoders.of(member)),
    error(response) {
      let value: unknown;
      try {
        value = response.body.length === 0 ? {} : parse(response.body);
      } catch {
        return undefined;
      }
      const body = isObject(value) ? (wrapped && isObject(value.Error) ? value.Error : value) : {};
      const type = headerOf(response.headers, 'x-amzn-errortype') ?? body.__type ?? body.code ?? body.Code;
      if (typeof type !== 'string' || type === '') return undefined;
      const message = body.message ?? body.Message ?? body.errorMessage;
      return {
        code: plainName(type),
        message: typeof message === 'string' ? message : '',
        members: (members) => decoders.structure(members)(body, 0) as Values,
      };
    },
  };
}

/** Returns the result in a JSON response of awsQuery: `{"XResponse":{"XResult":{…},"ResponseMetadata":{…}}}`. */
function resultIn(value: unknown): unknown {
  const [response] = Object.values(isObject(value) ? value : {});
  const result = Object.entries(isObject(response) ? response : {}).find(([name]) => name !== 'ResponseMetadata');
  return result?.[1] ?? {};
}

/** Elements around and in errors that are no members. */
const ERROR_ENVELOPE = new Set(['Type', 'Code', 'Message', 'message', 'Detail', 'RequestId', 'HostId']);

/**
 * XML documents.
 * @param enveloped whether results are in the envelopes of awsQuery
 */
function xmlDocuments(model: ServiceModel, enveloped: boolean): Documents {
  const decoders = new XmlDecoders(model);
  const whole: Documents['whole'] = (member) => {
    const decode = decoders.of(member);
    return (body) => decode(parseXml(body));
  };
  return {
    whole,
    events: {
      contentType: 'application/xml',
      emptyBody: '',
      decoder(use) {
        const decode = use.members ? decoders.structure(use.members) : decoders.of(use);
        return (body) => decode(parseXml(body));
      },
      encoder: () => decodedOnly,
    },
    members(members, wrapper, unwrapped) {
      const [first] = members;
      if (unwrapped && first) {
        const decode = decoders.of(first[1]);
        return (body) => ({ [first[0]]: decode(parseXml(body)) });
      }
      const decode = decoders.structure(members);
      return (body) => {
        const root = parseXml(body);
        if (wrapper === undefined || !enveloped) return decode(root);
        const result = root.children?.find(({ name }) => name === wrapper);
        return result ? decode(result) : {};
      };
    },
    error({ body }) {
      const element = errorElement(body);
      const childText = (name: string): string | undefined =>
        element?.children?.find((child) => child.name === name)?.text;
      const code = childText('Code');
      if (!element || code === undefined) return undefined;
      const others = (element.children ?? []).filter(({ name, children }) => !children && !ERROR_ENVELOPE.has(name));
      return {
        code,
        message: childText('Message') ?? childText('message') ?? '',
        others: Object.fromEntries(others.map(({ name, text }) => [name, text])),
        members: (members) => decoders.structure(members)(element) as Values,
      };
    },
  };
}

/** Returns the element with the code of an error: of S3, of awsQuery and restXml, or of ec2Query. */
function errorElement(body: Uint8Array): XmlElement | undefined {
  let root: XmlElement;
  try {
    root = parseXml(body);
  } catch {
    return undefined;
  }
  if (root.name === 'Error') return root;
  const inner = root.children?.find(({ name }) => name === 'Error' || name === 'Errors');
  return inner?.name === 'Errors' ? inner.children?.find(({ name }) => name === 'Error') : inner;
}

function parseXml(body: Uint8Array): XmlElement {
  try {
    return readXml(utf8(body) ?? refuseText());
  } catch (error) {
    if (error instanceof XmlError) throw malformedXml(error);
    throw error;
  }
}

/** Returns the documents of a protocol's responses. */
function documentsOf(model: ServiceModel, protocol: Protocol, json: boolean): Documents {
  switch (protocol) {
    case 'awsJson1_0':
    case 'awsJson1_1':
      return jsonDocuments(model, keyByName);
    case 'restJson1':
      return jsonDocuments(model, keyByLocationName);
    case 'rpcv2Cbor':
      return cborDocuments(model, 'seconds');
    case 'awsCbor1_1':
      return cborDocuments(model, 'milliseconds');
    case 'awsQuery':
    case 'ec2Query':
      return json
        ? jsonDocuments(model, (name, { queryJsonName }) => queryJsonName ?? name, true)
        : xmlDocuments(model, protocol === 'awsQuery');
    case 'restXml':
      return xmlDocuments(model, false);
  }
}

/**
 * Creates the client side of a protocol, which decodes responses. Cheap, because operations are compiled at their first use.
 * @param json whether an awsQuery client has asked for JSON
 */
export function responseDecoder({ model }: ServiceCodec, protocol: Protocol, json = false): ResponseDecoder {
  const rest = protocol === 'restJson1' || protocol === 'restXml';
  return new Responses(model, documentsOf(model, protocol, json), rest);
}
