import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { toBase64 } from './bytes.ts';
import type { ServerProtocol } from './codec.ts';
import { shapeOf } from './compile.ts';
import { textEncoder } from './header-values.ts';
import { piecesOf, type WireResponse } from './http.ts';
import type { MemberModel, OperationModel, Protocol, ServiceModel, ShapeReference } from './model.ts';
import { protocolFactories } from './protocols.ts';
import { formatTimestamp } from './timestamps.ts';
import { memberElement } from './xml-encode.ts';

/** A request as a client sends it, without signature and host. */
export interface ClientRequest {
  method: string;
  /** Percent-encoded. */
  path: string;
  /** Percent-encoded, without `?`; empty without one. */
  query: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Encodes requests of one service as a client does. */
export interface RequestEncoder {
  readonly protocol: Protocol;
  /**
   * Encodes an operation's input: timestamps as `Date`, blobs and streaming blobs as bytes or text. Streams are read.
   * @throws TypeError for a value of another shape than the model's, and for event streams
   */
  encode(operation: string, input: Readonly<Record<string, unknown>>): Promise<ClientRequest>;
}

/** Protocols in the order in which this client prefers them. */
const PREFERRED: readonly Protocol[] = ['awsJson1_1', 'awsJson1_0', 'restJson1', 'restXml', 'awsQuery'];

/** Creates the encoder of a service's requests. Cheap, because operations are compiled at their first use. */
export function requestEncoder(model: ServiceModel): RequestEncoder {
  const protocol = PREFERRED.find((candidate) => model.metadata.protocols.includes(candidate));
  if (!protocol) throw new TypeError(`${model.service} has no protocol that this client supports`);
  return protocol === 'awsQuery' ? new FormRequests(model, protocol) : new BoundRequests(model, protocol);
}

/** Returns the model with each operation's input as its output, because both are encoded alike. */
function inputsAsOutputs(model: ServiceModel): ServiceModel {
  const operations = Object.entries(model.operations).map(([name, { http, input }]): [string, OperationModel] => [
    name,
    { http: { method: http.method, uri: http.uri }, ...(input && { output: input }) },
  ]);
  return { ...model, operations: Object.fromEntries(operations) };
}

const ALGORITHM = 'x-amz-sdk-checksum-algorithm';
const digest =
  (algorithm: string) =>
  (body: Uint8Array): string =>
    createHash(algorithm).update(body).digest('base64');

/** Checksums in base64 by the name of their algorithm. */
const CHECKSUMS: ReadonlyMap<string, (body: Uint8Array) => string> = new Map([
  [
    'CRC32',
    (body) => {
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(body));
      return sum.toString('base64');
    },
  ],
  ['SHA1', digest('sha1')],
  ['SHA256', digest('sha256')],
]);

/** Adds the checksum of the algorithm in the input; without a supported one, the MD5 checksum if the operation requires any. */
function addChecksum(operation: OperationModel, headers: Record<string, string>, body: Uint8Array): void {
  const algorithm = headers[ALGORITHM];
  const given = Object.keys(headers).some((name) => /^x-amz-checksum-(?!algorithm$|type$|mode$)/.test(name));
  if (!given && algorithm !== undefined) {
    const sum = CHECKSUMS.get(algorithm)?.(body);
    if (sum === undefined) delete headers[ALGORITHM];
    else headers[`x-amz-checksum-${algorithm.toLowerCase()}`] = sum;
  }
  if (headers[ALGORITHM] === undefined && (operation.checksumRequired || operation.checksum?.requestChecksumRequired))
    headers['content-md5'] ??= digest('md5')(body);
}

/** Percent-encodes as SigV4 does. */
const uriEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Requests whose body and headers are encoded like those of responses: JSON and the REST protocols. */
class BoundRequests implements RequestEncoder {
  private readonly encoder: ServerProtocol;

  constructor(
    private readonly model: ServiceModel,
    readonly protocol: Protocol,
  ) {
    this.encoder = protocolFactories[protocol](inputsAsOutputs(model), protocol, {});
  }

  async encode(name: string, input: Readonly<Record<string, unknown>>): Promise<ClientRequest> {
    const operation = this.model.operations[name]!;
    const response = this.encoder.encode(name, input, '');
    const headers: Record<string, string> = {};
    for (const [header, value] of Object.entries(response.headers)) headers[header.toLowerCase()] = String(value);
    for (const header of ['x-amzn-requestid', 'x-amz-request-id', 'x-amz-id-2']) delete headers[header];
    const body = await bytesOf(response.body);
    if (this.protocol.startsWith('awsJson')) {
      headers['x-amz-target'] = `${this.model.metadata.targetPrefix}.${name}`;
      return { method: 'POST', path: '/', query: '', headers, body };
    }
    const { method } = operation.http;
    if (body.length === 0 && !this.bindsContentType(operation, input)) delete headers['content-type'];
    addChecksum(operation, headers, body);
    return { method, ...this.target(operation, input), headers, body };
  }

  /** Whether a member of the input is the content type. */
  private bindsContentType({ input }: OperationModel, values: Readonly<Record<string, unknown>>): boolean {
    return Object.entries(input ? (shapeOf(this.model, input.shape).members ?? {}) : {}).some(
      ([name, { location, locationName }]) =>
        location === 'header' && locationName?.toLowerCase() === 'content-type' && values[name] !== undefined,
    );
  }

  /** Returns the path and the query. */
  private target({ http, input }: OperationModel, values: Readonly<Record<string, unknown>>): TargetParts {
    const [template, literals = ''] = http.uri.split('?', 2) as [string, string?];
    const labels = new Map<string, string>();
    const query = literals ? [literals] : [];
    for (const [name, member] of Object.entries(input ? (shapeOf(this.model, input.shape).members ?? {}) : {})) {
      const value = values[name];
      if (value === undefined || value === null) continue;
      if (member.location === 'uri') labels.set(member.locationName ?? name, this.text(member, value));
      else if (member.location === 'querystring') query.push(...this.parameters(name, member, value));
    }
    const path = template.replace(/\{([^}+]+)(\+?)\}/g, (_, label: string, greedy: string) => {
      const text = labels.get(label);
      if (text === undefined) throw new TypeError(`the input has no ${label}, which is a part of the path`);
      return greedy ? text.split('/').map(uriEncode).join('/') : uriEncode(text);
    });
    return { path, query: query.join('&') };
  }

  private text(member: MemberModel, value: unknown): string {
    return textEncoder(this.model, member, 'iso8601')(value);
  }

  private parameters(name: string, member: MemberModel, value: unknown): string[] {
    const parameter = uriEncode(member.locationName ?? name);
    const shape = shapeOf(this.model, member.shape);
    const list = (element: MemberModel, key: string, values: unknown): string[] =>
      (values as readonly unknown[]).map((item) => `${key}=${uriEncode(this.text(element, item))}`);
    if (shape.type === 'list') return list(shape.member!, parameter, value);
    if (shape.type !== 'map') return [`${parameter}=${uriEncode(this.text(member, value))}`];
    return Object.entries(value as object).flatMap(([key, item]) => {
      const element = shapeOf(this.model, shape.value!.shape);
      return element.type === 'list'
        ? list(element.member!, uriEncode(key), item)
        : `${uriEncode(key)}=${uriEncode(this.text(shape.value!, item))}`;
    });
  }
}

/** Path and query of a request. */
type TargetParts = Pick<ClientRequest, 'path' | 'query'>;

async function bytesOf(body: WireResponse['body']): Promise<Uint8Array> {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of piecesOf(body)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Requests of awsQuery: forms. */
class FormRequests implements RequestEncoder {
  constructor(
    private readonly model: ServiceModel,
    readonly protocol: Protocol,
  ) {}

  async encode(name: string, input: Readonly<Record<string, unknown>>): Promise<ClientRequest> {
    const pairs: string[] = [`Action=${name}`, `Version=${this.model.metadata.apiVersion}`];
    const reference = this.model.operations[name]!.input;
    if (reference) this.structure(reference, input, '', pairs);
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    return { method: 'POST', path: '/', query: '', headers, body: Buffer.from(pairs.join('&')) };
  }

  private structure({ shape }: ShapeReference | MemberModel, value: unknown, prefix: string, into: string[]): void {
    const values = value as Readonly<Record<string, unknown>>;
    for (const [name, member] of Object.entries(shapeOf(this.model, shape).members ?? {})) {
      const item = values[name];
      if (item === undefined || item === null) continue;
      this.member(member, item, `${prefix}${memberElement(this.model, name, member)}`, into);
    }
  }

  private member(member: MemberModel, value: unknown, name: string, into: string[]): void {
    const shape = shapeOf(this.model, member.shape);
    const flattened = member.flattened || shape.flattened;
    switch (shape.type) {
      case 'structure':
        this.structure(member, value, `${name}.`, into);
        return;
      case 'list': {
        const items = value as readonly unknown[];
        if (items.length === 0) into.push(`${uriEncode(name)}=`);
        const below = flattened ? name : `${name}.${shape.member!.locationName ?? 'member'}`;
        items.forEach((item, index) => {
          this.member(shape.member!, item, `${below}.${index + 1}`, into);
        });
        return;
      }
      case 'map':
        Object.entries(value as object).forEach(([key, item], index) => {
          const entry = `${name}${flattened ? '' : '.entry'}.${index + 1}.`;
          this.member(shape.key!, key, `${entry}${shape.key!.locationName ?? 'key'}`, into);
          this.member(shape.value!, item, `${entry}${shape.value!.locationName ?? 'value'}`, into);
        });
        return;
      case 'timestamp':
        into.push(
          pair(name, formatTimestamp(member.timestampFormat ?? shape.timestampFormat ?? 'iso8601', value as Date)),
        );
        return;
      case 'blob':
        into.push(pair(name, toBase64(typeof value === 'string' ? Buffer.from(value) : (value as Uint8Array))));
        return;
      default:
        into.push(pair(name, String(value)));
    }
  }
}

const pair = (name: string, value: string): string => `${uriEncode(name)}=${uriEncode(value)}`;
