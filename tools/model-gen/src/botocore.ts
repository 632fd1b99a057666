import type {
  MemberModel,
  OperationModel,
  Protocol,
  ServiceMetadata,
  ServiceModel,
  Shape,
  ShapeReference,
  XmlNamespace,
} from '@emu/wire';

/** A JSON object of a botocore file, whose members are read below. */
type Json = Record<string, unknown>;

/** A botocore `service-2.json`, or the equivalent head of a protocol test vector. */
export interface BotocoreService {
  metadata: Json;
  operations: Record<string, Json>;
  shapes: Record<string, Json>;
}

const namespaceOf = (value: unknown): XmlNamespace | undefined => {
  if (typeof value === 'string') return { uri: value };
  if (!value || typeof value !== 'object') return undefined;
  const { uri, prefix } = value as { uri: string; prefix?: string };
  return prefix ? { uri, prefix } : { uri };
};

/** Copies the listed fields that are present and not `false`. */
const pick = (from: Json, names: readonly string[]): Json => {
  const out: Json = {};
  for (const name of names) if (from[name] !== undefined && from[name] !== false) out[name] = from[name];
  return out;
};

/** Returns a protocol's name in the project's (Smithy's) spelling. */
export function protocolOf(name: string, jsonVersion: unknown): Protocol {
  switch (name) {
    case 'json':
      return jsonVersion === '1.1' ? 'awsJson1_1' : 'awsJson1_0';
    case 'query':
      return 'awsQuery';
    case 'ec2':
      return 'ec2Query';
    case 'rest-json':
      return 'restJson1';
    case 'rest-xml':
      return 'restXml';
    // botocore does not support it; overlays name it so.
    case 'aws-cbor':
      return 'awsCbor1_1';
    case 'smithy-rpc-v2-cbor':
      return 'rpcv2Cbor';
    default:
      throw new Error(`unknown protocol ${name}`);
  }
}

function metadataOf(metadata: Json): ServiceMetadata {
  const names = (metadata.protocols as string[] | undefined) ?? [metadata.protocol as string];
  const endpointPrefix = (metadata.endpointPrefix as string | undefined) ?? '';
  const out: ServiceMetadata = {
    apiVersion: metadata.apiVersion as string,
    endpointPrefix,
    signingName: (metadata.signingName as string | undefined) ?? endpointPrefix,
    serviceId: (metadata.serviceId as string | undefined) ?? '',
    protocols: names.map((name) => protocolOf(name, metadata.jsonVersion)),
  };
  if (metadata.targetPrefix) out.targetPrefix = metadata.targetPrefix as string;
  const xmlNamespace = namespaceOf(metadata.xmlNamespace);
  if (xmlNamespace) out.xmlNamespace = xmlNamespace;
  if (metadata.awsQueryCompatible) out.queryCompatible = true;
  if (metadata.globalEndpoint) out.globalEndpoint = metadata.globalEndpoint as string;
  if (metadata.timestampMilliseconds) out.timestampMilliseconds = true;
  // botocore handles this in code for S3; Smithy has a trait for it.
  if (metadata.noErrorWrapping || out.serviceId === 'S3') out.noErrorWrapping = true;
  return out;
}

function referenceOf(value: unknown): ShapeReference | undefined {
  if (!value) return undefined;
  const reference = value as Json;
  const out = pick(reference, ['shape', 'locationName', 'resultWrapper']) as unknown as ShapeReference;
  const xmlNamespace = namespaceOf(reference.xmlNamespace);
  if (xmlNamespace) out.xmlNamespace = xmlNamespace;
  if (reference.unwrapped) out.unwrapped = true;
  return out;
}

function operationOf(operation: Json): OperationModel {
  const http = operation.http as Json;
  const out: OperationModel = { http: { method: http.method as string, uri: http.requestUri as string } };
  if (http.also) out.http.also = http.also as NonNullable<OperationModel['http']['also']>;
  if (http.responseCode !== undefined && http.responseCode !== 200) out.http.code = http.responseCode as number;
  const input = referenceOf(operation.input);
  if (input) out.input = input;
  const output = referenceOf(operation.output);
  if (output) out.output = output;
  const errors = ((operation.errors as { shape: string }[] | undefined) ?? []).map((error) => error.shape);
  if (errors.length) out.errors = [...new Set(errors)];
  const endpoint = operation.endpoint as { hostPrefix?: string } | undefined;
  if (endpoint?.hostPrefix) out.hostPrefix = endpoint.hostPrefix;
  const auth = operation.auth as string[] | undefined;
  if (operation.authtype === 'none' || auth?.[0] === 'smithy.api#noAuth') out.auth = 'none';
  const compression = operation.requestcompression as { encodings?: string[] } | undefined;
  if (compression?.encodings) out.requestCompression = compression.encodings;
  if (operation.httpChecksumRequired) out.checksumRequired = true;
  if (operation.httpChecksum) {
    const checksum = operation.httpChecksum as Json;
    out.checksum = pick(checksum, [
      'requestAlgorithmMember',
      'requestValidationModeMember',
      'responseAlgorithms',
      'requestChecksumRequired',
    ]) as NonNullable<OperationModel['checksum']>;
  }
  for (const flag of ['unsignedPayload', 'readonly', 'idempotent', 'deprecated'] as const)
    if (operation[flag]) out[flag] = true;
  return out;
}

const MEMBER_FIELDS = [
  'shape',
  'locationName',
  'location',
  'queryName',
  'flattened',
  'queryJsonName',
  'xmlAttribute',
  'streaming',
  'timestampFormat',
  'hostLabel',
  'idempotencyToken',
  'jsonvalue',
  'eventpayload',
  'eventheader',
];

function memberOf(value: unknown): MemberModel {
  const member = value as Json;
  const out = pick(member, MEMBER_FIELDS) as unknown as MemberModel;
  const xmlNamespace = namespaceOf(member.xmlNamespace);
  if (xmlNamespace) out.xmlNamespace = xmlNamespace;
  return out;
}

const SHAPE_FIELDS = [
  'type',
  'required',
  'payload',
  'union',
  'document',
  'exception',
  'fault',
  'retryable',
  'eventstream',
  'event',
  'streaming',
  'requiresLength',
  'sparse',
  'flattened',
  'wrapper',
  'locationName',
  'xmlOrder',
  'timestampFormat',
  'enum',
  'min',
  'max',
  'pattern',
  'sensitive',
  'box',
  'synthetic',
];

function shapeOf(shape: Json): Shape {
  const out = pick(shape, SHAPE_FIELDS) as unknown as Shape;
  if (Array.isArray(out.required) && out.required.length === 0) delete out.required;
  const members = shape.members as Json | undefined;
  if (members) {
    out.members = {};
    for (const [name, member] of Object.entries(members)) out.members[name] = memberOf(member);
  }
  for (const field of ['member', 'key', 'value'] as const) if (shape[field]) out[field] = memberOf(shape[field]);
  if (shape.error) {
    const error = shape.error as Json;
    out.error = {};
    if (error.code) out.error.code = error.code as string;
    if (error.httpStatusCode) out.error.httpStatusCode = error.httpStatusCode as number;
    if (error.senderFault !== undefined) out.error.senderFault = error.senderFault as boolean;
  }
  const xmlNamespace = namespaceOf(shape.xmlNamespace);
  if (xmlNamespace) out.xmlNamespace = xmlNamespace;
  return out;
}

/** Returns the names of the shapes that the operations reach, in order of discovery. */
function reachable(operations: Record<string, OperationModel>, shapes: Record<string, Shape>): Set<string> {
  const seen = new Set<string>();
  const queue: string[] = [];
  const add = (name: string | undefined): void => {
    if (name && !seen.has(name)) {
      seen.add(name);
      queue.push(name);
    }
  };
  for (const operation of Object.values(operations)) {
    add(operation.input?.shape);
    add(operation.output?.shape);
    for (const error of operation.errors ?? []) add(error);
  }
  for (let name = queue.shift(); name; name = queue.shift()) {
    const shape = shapes[name];
    if (!shape) throw new Error(`shape ${name} is used and not defined`);
    for (const member of Object.values(shape.members ?? {})) add(member.shape);
    add(shape.member?.shape);
    add(shape.key?.shape);
    add(shape.value?.shape);
  }
  return seen;
}

/**
 * Converts a botocore service description to the compact model, without documentation and unused shapes. Exceptions
 * that no operation lists are kept, because services throw some of them.
 * @param service emu's name of the service
 * @param source of the description, recorded in the model
 */
export function fromBotocore(
  service: string,
  description: BotocoreService,
  source: ServiceModel['source'],
): ServiceModel {
  const operations: Record<string, OperationModel> = {};
  for (const name of Object.keys(description.operations).sort())
    operations[name] = operationOf(description.operations[name]!);
  const all: Record<string, Shape> = {};
  for (const [name, shape] of Object.entries(description.shapes)) all[name] = shapeOf(shape);
  const used = reachable(operations, all);
  const shapes: Record<string, Shape> = {};
  for (const name of Object.keys(all).sort()) if (used.has(name) || all[name]!.exception) shapes[name] = all[name]!;
  for (const shape of Object.values(shapes))
    for (const member of Object.values(shape.members ?? {}))
      if (!shapes[member.shape]) shapes[member.shape] = all[member.shape]!;
  return { service, source, metadata: metadataOf(description.metadata), operations, shapes };
}
