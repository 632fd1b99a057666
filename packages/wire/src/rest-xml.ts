import type { BodyCodec, BodyUse, WrongParameter } from './body.ts';
import { utf8 } from './bytes.ts';
import type { ServerProtocol } from './codec.ts';
import { shapeOf } from './compile.ts';
import { type AwsError, awsError } from './errors.ts';
import type { MemberModel, Protocol, ServiceModel, XmlNamespace } from './model.ts';
import { restProtocol } from './rest.ts';
import type { WireError } from './wire-errors.ts';
import { malformedXml, type XmlDecoder, XmlDecoders } from './xml-decode.ts';
import { memberElement, type XmlEncoder, XmlEncoders } from './xml-encode.ts';
import { readXml, type XmlElement, XmlError } from './xml-reader.ts';
import { declareNamespace, xmlElement } from './xml-text.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const CONTENT_TYPE = 'application/xml';

/** Decodes a UTF-8 body. */
function parse(body: Uint8Array): XmlElement {
  const text = utf8(body);
  if (text === undefined) throw malformedXml('the body is not well-formed UTF-8');
  try {
    return readXml(text);
  } catch (error) {
    if (error instanceof XmlError) throw malformedXml(error);
    throw error;
  }
}

/** Headers with S3's request ids, in every response. */
export const s3RequestIds = (requestId: string): Record<string, string> => ({
  'x-amz-request-id': requestId,
  'x-amz-id-2': hostIdOf(requestId),
});

/** Common suffix of host ids. */
const HOST_ID_END = `${'emu'.repeat(25)}=`;

/** Returns S3's second request id, which identifies the host. It only has to look like one: 76 characters of base64. */
function hostIdOf(requestId: string): string {
  // Digit groups of a UUID at fixed positions, because a search for its dashes would slow down every response of S3.
  const id =
    requestId.length === 36
      ? requestId.slice(0, 8) + requestId.slice(9, 13) + requestId.slice(14, 18) + requestId.slice(24)
      : requestId.replaceAll('-', '');
  return id + HOST_ID_END.slice(id.length);
}

/** Encodes unmodelled members that S3 adds to errors: `BucketName`, `Key`, `ArgumentName`, … */
function extraMembers({ shape, members }: WireError): string {
  let out = '';
  for (const [name, value] of Object.entries(members))
    if (!Object.hasOwn(shape?.members ?? {}, name) && value !== undefined && value !== null)
      out += xmlElement(name, String(value));
  return out;
}

/**
 * Returns the allowed names of a request's root element; undefined if any name is allowed because the model defines
 * none. Clients name a payload by its member or its shape.
 */
function rootsOf(model: ServiceModel, { shape: name, locationName, members }: BodyUse): string[] | undefined {
  const shape = shapeOf(model, name);
  if (locationName === undefined && shape.locationName === undefined) return undefined;
  const names = [locationName, shape.locationName, members ? undefined : name];
  return names.filter((root) => root !== undefined);
}

/** Returns S3's message for a query parameter that is no integer of 32 bits. */
const s3IntegerMessage = (name: string): string =>
  name === 'partNumber'
    ? 'Part number must be an integer between 1 and 10000, inclusive'
    : `Provided ${name} not an integer or within integer range`;

/** XML documents of restXml. */
class XmlBodyCodec implements BodyCodec {
  readonly contentType = CONTENT_TYPE;
  readonly emptyBody = '';
  private readonly model: ServiceModel;
  private readonly decoders: XmlDecoders;
  private readonly encoders: XmlEncoders;
  private readonly errors = new Map<string, XmlEncoder>();
  /** S3 and S3 Control have their own id headers. */
  private readonly ofS3: boolean;

  constructor(model: ServiceModel) {
    this.model = model;
    this.decoders = new XmlDecoders(model);
    this.encoders = new XmlEncoders(model);
    this.ofS3 = model.metadata.signingName === 's3';
  }

  requestIdHeaders(requestId: string): Record<string, string> {
    if (!this.ofS3) return { 'x-amzn-RequestId': requestId };
    return s3RequestIds(requestId);
  }

  decoder(use: BodyUse): (body: Uint8Array) => unknown {
    const roots = rootsOf(this.model, use);
    const decode: XmlDecoder = use.members ? this.decoders.structure(use.members) : this.decoders.of(use);
    return (body) => {
      const element = parse(body);
      if (roots && !roots.includes(element.name)) throw malformedXml(`the root element is not ${roots[0]}`);
      return decode(element);
    };
  }

  encoder(use: BodyUse): (value: unknown) => string {
    const encode = this.documentEncoder(use);
    return (value) => DECLARATION + encode(value);
  }

  encodeError(
    wireError: WireError,
    members: [string, MemberModel][],
    requestId: string,
  ): ReturnType<BodyCodec['encodeError']> {
    const head = xmlElement('Code', wireError.code) + xmlElement('Message', wireError.message);
    const own = this.errorMembers(wireError, members)(wireError.members);
    const id = xmlElement('RequestId', requestId);
    const headers = { 'Content-Type': CONTENT_TYPE };
    if (this.model.metadata.noErrorWrapping) {
      const hostId = xmlElement('HostId', hostIdOf(requestId));
      return { headers, body: `${DECLARATION}<Error>${head}${own}${extraMembers(wireError)}${id}${hostId}</Error>` };
    }
    const namespace = declareNamespace(this.model.metadata.xmlNamespace);
    // The control plane of S3 wraps S3's own errors.
    if (this.ofS3) {
      const hostId = xmlElement('HostId', hostIdOf(requestId));
      const error = `<Error>${head}${own}${extraMembers(wireError)}</Error>`;
      return { headers, body: `${DECLARATION}<ErrorResponse${namespace}>${error}${id}${hostId}</ErrorResponse>` };
    }
    const type = xmlElement('Type', wireError.receiver ? 'Receiver' : 'Sender');
    return {
      headers,
      body: `${DECLARATION}<ErrorResponse${namespace}><Error>${type}${head}${own}</Error>${id}</ErrorResponse>`,
    };
  }

  malformed(message: string, parameter?: WrongParameter): AwsError {
    if (!parameter?.integer || !this.model.metadata.noErrorWrapping)
      return awsError('InvalidArgument', message, { status: 400 });
    const { name, text } = parameter;
    return awsError('InvalidArgument', s3IntegerMessage(name), {
      status: 400,
      members: { ArgumentName: name, ArgumentValue: text },
    });
  }

  private errorMembers({ name, messageMember }: WireError, members: [string, MemberModel][]): XmlEncoder {
    let encode = this.errors.get(name);
    if (!encode) {
      encode = this.encoders.members(members.filter(([member]) => member !== messageMember));
      // Errors without a shape can have any name, so they are not cached.
      if (members.length > 0) this.errors.set(name, encode);
    }
    return encode;
  }

  private documentEncoder(use: BodyUse): XmlEncoder {
    const shape = shapeOf(this.model, use.shape);
    const namespace: XmlNamespace | undefined =
      use.xmlNamespace ?? shape.xmlNamespace ?? this.model.metadata.xmlNamespace;
    if (use.unwrapped && use.members?.length === 1) {
      const [name, member] = use.members[0]!;
      const tag = memberElement(this.model, name, member);
      const encode = this.encoders.element(tag, member, namespace);
      const empty = `<${tag}${declareNamespace(namespace)}/>`;
      return (value) => {
        const inner = (value as Record<string, unknown>)[name];
        return inner === undefined || inner === null ? empty : encode(inner);
      };
    }
    if (!use.members) {
      const payload = use.locationName ?? shape.locationName ?? use.shape;
      return this.encoders.element(payload, use, namespace);
    }
    const tag = shape.locationName ?? use.locationName ?? use.shape;
    const open = `<${tag}${declareNamespace(namespace)}`;
    const attributes = this.encoders.attributes(use.shape, shape);
    const encode = this.encoders.members(use.members);
    return (value) => `${open}${attributes?.(value) ?? ''}>${encode(value)}</${tag}>`;
  }
}

/** Creates the XML documents of a restXml service, for bodies and payloads of event streams. */
function xmlBodyCodec(model: ServiceModel): BodyCodec {
  return new XmlBodyCodec(model);
}

/**
 * Creates the protocol restXml: HTTP bindings with XML bodies.
 * @see https://smithy.io/2.0/aws/protocols/aws-restxml-protocol.html
 */
export function restXmlProtocol(model: ServiceModel, protocol: Protocol): ServerProtocol {
  return restProtocol(model, protocol, xmlBodyCodec(model));
}
