import type { BodyCodec } from './body.ts';
import { bufferOf, utf8 } from './bytes.ts';
import type { DecodedOperation, ServerProtocol } from './codec.ts';
import { bodyMembers, shapeOf } from './compile.ts';
import type { AwsError } from './errors.ts';
import { EVENT_STREAM, eventStreamDecoder, eventStreamEncoder } from './event-stream.ts';
import { WholeBody, type WireRequest, type WireResponse } from './http.ts';
import { compileRequestBindings, compileResponseBindings, type ResponseHead } from './http-bindings.ts';
import type { MemberModel, OperationModel, Protocol, ServiceModel, Shape } from './model.ts';
import { parseTemplate, Router, type UriTemplate } from './uri-template.ts';
import { wireErrorOf } from './wire-errors.ts';

type Values = Record<string, unknown>;

/** Decodes the body of a request into the input. */
type BodyReader = (request: WireRequest, input: Values) => void;
/** Body of a response, with its content type if any. */
type BodyWriter = (output: Values) => { body: WireResponse['body']; contentType: string | undefined };

/** A compiled operation. */
interface RestOperation {
  decode(request: WireRequest): unknown;
  encode(output: Values, requestId: string): WireResponse;
}

/** Whether a member is a byte stream. */
function isStreaming(model: ServiceModel, member: MemberModel): boolean {
  const shape = shapeOf(model, member.shape);
  return shape.type === 'blob' && (member.streaming === true || shape.streaming === true);
}

/** Returns the properties that make two operations indistinguishable for a client. */
const routeOf = ({ method, uri }: OperationModel['http']): string => `${method} ${uri}`;

/**
 * REST protocols: method and path determine the operation; members are bound to path, query, headers and body.
 * @see https://smithy.io/2.0/spec/http-bindings.html
 */
class RestProtocol implements ServerProtocol {
  readonly protocol: Protocol;
  private readonly model: ServiceModel;
  private readonly body: BodyCodec;
  private router: Router<DecodedOperation> | undefined;
  private readonly compiled = new Map<string, RestOperation>();
  private readonly errorBindings = new Map<string, ReturnType<typeof compileResponseBindings>>();

  constructor(model: ServiceModel, protocol: Protocol, body: BodyCodec) {
    this.model = model;
    this.protocol = protocol;
    this.body = body;
  }

  match(request: WireRequest): DecodedOperation | undefined {
    this.router ??= this.route();
    return this.router.find(request);
  }

  streams(operation: string): boolean {
    const input = this.model.operations[operation]?.input;
    const shape = input && shapeOf(this.model, input.shape);
    const payload = shape?.payload === undefined ? undefined : shape.members?.[shape.payload];
    if (!payload) return false;
    return isStreaming(this.model, payload) || shapeOf(this.model, payload.shape).eventstream === true;
  }

  decode(operation: string, request: WireRequest): unknown {
    return this.operation(operation).decode(request);
  }

  encode(operation: string, output: unknown, requestId: string): WireResponse {
    return this.operation(operation).encode((output ?? {}) as Values, requestId);
  }

  encodeError(error: AwsError, requestId: string, operation?: string): WireResponse {
    const wireError = wireErrorOf(this.model, error);
    const head: ResponseHead = { status: wireError.status, headers: {} };
    let members: [string, MemberModel][] = [];
    if (wireError.shape) {
      members = bodyMembers(wireError.shape);
      if (!this.errorBindings.has(wireError.name))
        this.errorBindings.set(wireError.name, compileResponseBindings(this.model, wireError.shape));
      this.errorBindings.get(wireError.name)?.(wireError.members, head);
    }
    const ids = this.body.requestIdHeaders(requestId);
    // A HEAD response has no body, so only its status indicates the error; a 304 has none either.
    const isHead = operation !== undefined && this.model.operations[operation]?.http.method === 'HEAD';
    if (isHead || error.bodyless || wireError.status === 304)
      return { status: wireError.status, headers: { ...ids, ...head.headers, ...error.headers }, body: '' };
    const { headers, body } = this.body.encodeError(wireError, members, requestId);
    return { status: wireError.status, headers: { ...ids, ...headers, ...head.headers, ...error.headers }, body };
  }

  private route(): Router<DecodedOperation> {
    const router = new Router<DecodedOperation>();
    const all = Object.entries(this.model.operations);
    const current = new Set(all.flatMap(([, { http, deprecated }]) => (deprecated ? [] : [routeOf(http)])));
    // A deprecated operation yields to its replacement, such as S3's GetBucketLifecycleConfiguration.
    const operations = all.filter(([, { http, deprecated }]) => !deprecated || !current.has(routeOf(http)));
    const sharing = new Map<string, number>();
    for (const [, { http }] of operations) sharing.set(routeOf(http), (sharing.get(routeOf(http)) ?? 0) + 1);
    for (const [name, operation] of operations) {
      const shape = operation.input && shapeOf(this.model, operation.input.shape);
      const required = (location: MemberModel['location']): string[] =>
        (shape?.required ?? []).flatMap((member) => {
          const use = shape!.members![member]!;
          return use.location === location ? [use.locationName ?? member] : [];
        });
      // The only operation at its address is meant even without a required member, which it then reports.
      const shared = sharing.get(routeOf(operation.http))! > 1;
      const conditions = {
        query: shared ? required('querystring') : [],
        headers: shared ? required('header').map((header) => header.toLowerCase()) : [],
      };
      router.add(operation.http.method, parseTemplate(operation.http.uri), conditions, { name, operation });
      for (const { method, uri } of operation.http.also ?? [])
        router.add(method, parseTemplate(uri), conditions, { name, operation });
    }
    return router;
  }

  private operation(name: string): RestOperation {
    let compiled = this.compiled.get(name);
    if (!compiled) {
      const operation = this.model.operations[name]!;
      compiled = { decode: this.decoder(operation), encode: this.encoder(operation) };
      this.compiled.set(name, compiled);
    }
    return compiled;
  }

  private decoder(operation: OperationModel): RestOperation['decode'] {
    const { input, http } = operation;
    if (!input) return () => ({});
    const shape = shapeOf(this.model, input.shape);
    const template: UriTemplate = parseTemplate(http.uri);
    const malformed: BodyCodec['malformed'] = (message, parameter) => this.body.malformed(message, parameter);
    const bind = compileRequestBindings(this.model, shape, template, malformed);
    const read = this.bodyReader(operation, shape);
    const readOther = http.also && this.queryMembersReader(operation, shape);
    return (request) => {
      const out: Values = {};
      read?.(request, out);
      readOther?.(request, out);
      bind?.(request, out);
      return out;
    };
  }

  /** Reads members from the body that the operation's main address has in its query. */
  private queryMembersReader(operation: OperationModel, shape: Shape): BodyReader | undefined {
    const members = Object.entries(shape.members ?? {}).flatMap(([name, member]): [string, MemberModel][] => {
      const { location, locationName: _name, ...use } = member;
      return location === 'querystring' ? [[name, use]] : [];
    });
    if (!members.length) return undefined;
    const decode = this.body.decoder({ ...operation.input!, members });
    return (request, input) => {
      if (request.body.length > 0) Object.assign(input, decode(request.body));
    };
  }

  private bodyReader(operation: OperationModel, shape: Shape): BodyReader | undefined {
    if (shape.payload !== undefined) return this.payloadReader(shape.payload, shape.members![shape.payload]!);
    const members = bodyMembers(shape);
    if (members.length === 0) return undefined;
    const decode = this.body.decoder({ ...operation.input!, members });
    return (request, input) => {
      if (request.body.length > 0) Object.assign(input, decode(request.body));
    };
  }

  private payloadReader(name: string, member: MemberModel): BodyReader {
    const shape = shapeOf(this.model, member.shape);
    const set = (input: Values, value: unknown): void => {
      if (value !== undefined && value !== null) input[name] = value;
    };
    if (isStreaming(this.model, member)) return ({ stream, body }, input) => set(input, stream ?? new WholeBody(body));
    if (shape.eventstream) {
      const decode = eventStreamDecoder(this.model, member.shape, this.body);
      return ({ stream, body }, input) => set(input, decode(stream ?? new WholeBody(body)));
    }
    if (shape.type === 'blob')
      return ({ body }, input) => set(input, body.length > 0 ? new Uint8Array(bufferOf(body)) : undefined);
    if (shape.type === 'string' && !member.jsonvalue)
      return ({ body }, input) => {
        if (body.length === 0) return;
        const text = utf8(body);
        if (text === undefined) throw this.body.malformed('The body is not well-formed UTF-8');
        set(input, text);
      };
    const decode = this.body.decoder(member);
    return ({ body }, input) => set(input, body.length > 0 ? decode(body) : undefined);
  }

  private encoder(operation: OperationModel): RestOperation['encode'] {
    const { output, http } = operation;
    const code = http.code ?? 200;
    const shape = output && shapeOf(this.model, output.shape);
    const bind = shape && compileResponseBindings(this.model, shape);
    const write = shape && this.bodyWriter(operation, shape);
    return (value, requestId) => {
      const head: ResponseHead = { headers: this.body.requestIdHeaders(requestId) };
      const { body, contentType } = write?.(value) ?? { body: '', contentType: undefined };
      if (contentType !== undefined) head.headers['Content-Type'] = contentType;
      bind?.(value, head);
      return { status: head.status ?? code, headers: head.headers, body };
    };
  }

  private bodyWriter(operation: OperationModel, shape: Shape): BodyWriter | undefined {
    if (shape.payload !== undefined) return this.payloadWriter(shape.payload, shape.members![shape.payload]!);
    const members = bodyMembers(shape);
    // A response with status "no content" has no body.
    if (operation.http.code === 204 || operation.http.code === 304) return undefined;
    const { contentType, emptyBody } = this.body;
    if (members.length === 0) return emptyBody === '' ? undefined : () => ({ body: emptyBody, contentType });
    const encode = this.body.encoder({ ...operation.output!, members });
    return (output) => ({ body: encode(output), contentType });
  }

  private payloadWriter(name: string, member: MemberModel): BodyWriter {
    const shape = shapeOf(this.model, member.shape);
    if (shape.type === 'blob' || (shape.type === 'string' && !member.jsonvalue)) {
      const contentType = shape.type === 'blob' ? 'application/octet-stream' : 'text/plain';
      return (output) => {
        const value = output[name] as WireResponse['body'] | null | undefined;
        if (value === undefined || value === null) return { body: '', contentType: undefined };
        return { body: value instanceof WholeBody ? value.bytes : value, contentType };
      };
    }
    if (shape.eventstream) {
      const encode = eventStreamEncoder(this.model, member.shape, this.body);
      return (output) => {
        const events = output[name] as AsyncIterable<unknown> | null | undefined;
        return { body: events ? encode(events) : '', contentType: EVENT_STREAM };
      };
    }
    const encode = this.body.encoder(member);
    const { contentType } = this.body;
    return (output) => {
      const value = output[name];
      return value === undefined || value === null
        ? { body: '', contentType: undefined }
        : { body: encode(value), contentType };
    };
  }
}

/**
 * Creates a REST protocol of a service.
 * @param body document format of its bodies
 */
export function restProtocol(model: ServiceModel, protocol: Protocol, body: BodyCodec): ServerProtocol {
  return new RestProtocol(model, protocol, body);
}
