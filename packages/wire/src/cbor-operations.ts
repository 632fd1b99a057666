import type { BodyUse, DocumentCodec } from './body.ts';
import { type CborEncoder, CborEncoders, cborDecoders, parseCbor } from './cbor-shapes.ts';
import { CborWriter, type TimeUnit } from './cbor-writer.ts';
import { lazy, shapeOf } from './compile.ts';
import type { AwsError } from './errors.ts';
import { EVENT_STREAM, eventStreamEncoder } from './event-stream.ts';
import type { WireResponse } from './http.ts';
import { type JsonDecoders, serializationException } from './json-decode.ts';
import type { MemberModel, OperationModel, ServiceModel } from './model.ts';
import type { CompileOptions } from './options.ts';
import { errorBody, errorTypeOf, queryErrorHeader, type WireError, wireErrorOf } from './wire-errors.ts';

/** Differences of a protocol with CBOR bodies. */
export interface CborFormat {
  readonly contentType: string;
  /** Unit of times, in both directions. */
  readonly times: TimeUnit;
  /** Response headers besides the request id. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the value of `__type` of an error; by default the error's name without namespace. */
  errorType?(wireError: WireError): string;
}

const EMPTY_MAP = Buffer.of(0xa0);

interface CborOperation {
  decode(body: Uint8Array): unknown;
  /** Returns the body; undefined for an operation without an output. */
  encode(output: unknown): WireResponse['body'] | undefined;
  readonly contentType: string;
}

/** CBOR maps for inputs, outputs and errors of a service, independent of the operation's binding. */
export class CborOperations {
  private readonly decoders: JsonDecoders;
  private readonly encoders: CborEncoders;
  private readonly compiled = new Map<string, CborOperation>();
  private readonly errors = new Map<string, CborEncoder>();
  private readonly writer: CborWriter;

  constructor(
    private readonly model: ServiceModel,
    private readonly format: CborFormat,
  ) {
    this.decoders = cborDecoders(model);
    this.encoders = new CborEncoders(model);
    this.writer = new CborWriter(format.times);
  }

  decode(operation: string, body: Uint8Array): unknown {
    return this.operation(operation).decode(body);
  }

  encode(operation: string, output: unknown, requestId: string): WireResponse {
    const { encode, contentType } = this.operation(operation);
    const body = encode(output ?? {});
    const headers: Record<string, string> = { 'x-amzn-RequestId': requestId, ...this.format.headers };
    if (body) headers['Content-Type'] = contentType;
    return { status: 200, headers, body: body ?? '' };
  }

  encodeError(error: AwsError, requestId: string): WireResponse {
    const wireError = wireErrorOf(this.model, error);
    return {
      status: wireError.status,
      headers: {
        'x-amzn-RequestId': requestId,
        ...this.format.headers,
        ...queryErrorHeader(this.model, wireError),
        'Content-Type': this.format.contentType,
        ...error.headers,
      },
      body: this.write(this.errorEncoder(wireError), errorBody(wireError)),
    };
  }

  private write(encode: CborEncoder, value: unknown): Uint8Array {
    this.writer.reset();
    encode(value, this.writer);
    return this.writer.take();
  }

  private errorEncoder(wireError: WireError): CborEncoder {
    let encode = this.errors.get(wireError.name);
    if (!encode) {
      const type = this.format.errorType?.(wireError) ?? wireError.name;
      if (!wireError.shape) return errorWithoutShape(type);
      encode = this.encoders.structure(Object.entries(wireError.shape.members ?? {}), type);
      this.errors.set(wireError.name, encode);
    }
    return encode;
  }

  private operation(name: string): CborOperation {
    let compiled = this.compiled.get(name);
    if (!compiled) {
      compiled = this.compile(this.model.operations[name]!);
      this.compiled.set(name, compiled);
    }
    return compiled;
  }

  private compile({ input, output }: OperationModel): CborOperation {
    const decoder = lazy(() => (input ? this.decoders.of(input) : this.decoders.structure([])));
    const encoder = lazy(() => output && this.encoder(output.shape));
    return {
      decode: (body) => (body.length === 0 ? {} : decoder()(this.parse(body), 0)),
      encode: (value) => encoder()?.(value),
      contentType: output && this.eventsOf(output.shape) ? EVENT_STREAM : this.format.contentType,
    };
  }

  private parse(body: Uint8Array): unknown {
    const value = parseCbor(body, this.format.times);
    if (value === null) throw serializationException('');
    return value;
  }

  private encoder(output: string): (value: unknown) => WireResponse['body'] {
    const events = this.eventsOf(output);
    const members = Object.entries(shapeOf(this.model, output).members ?? {}).filter(([name]) => name !== events?.name);
    const encode = this.encoders.structure(members);
    if (!events) return (value) => this.write(encode, value);
    const stream = eventStreamEncoder(this.model, events.shape, this.documents());
    return (value) =>
      stream((value as Record<string, AsyncIterable<unknown>>)[events.name]!, this.write(encode, value));
  }

  /** Output member that is an event stream. */
  private eventsOf(output: string): { name: string; shape: string } | undefined {
    for (const [name, { shape }] of Object.entries(shapeOf(this.model, output).members ?? {}))
      if (shapeOf(this.model, shape).eventstream) return { name, shape };
    return undefined;
  }

  /** CBOR documents as payloads of events. */
  private documents(): DocumentCodec {
    const compile = <Compiled>(
      use: BodyUse,
      compiler: { structure(members: [string, MemberModel][]): Compiled; of(member: MemberModel): Compiled },
    ): Compiled => (use.members ? compiler.structure(use.members) : compiler.of(use));
    return {
      contentType: this.format.contentType,
      emptyBody: EMPTY_MAP,
      decoder: (use) => {
        const decode = compile(use, this.decoders);
        return (body) => decode(this.parse(body), 0);
      },
      encoder: (use) => {
        const encode = compile<CborEncoder>(use, this.encoders);
        return (value) => this.write(encode, value);
      },
    };
  }
}

/** Encodes an error outside of the model: `__type` and the message. */
function errorWithoutShape(type: string): CborEncoder {
  return (value, out) => {
    const { message } = value as { message?: string };
    out.map();
    out.text('__type');
    out.text(type);
    if (message !== undefined) {
      out.text('message');
      out.text(message);
    }
    out.end();
  };
}

/** Returns the value of `__type` with the service's namespace. */
export const namespacedType =
  (model: ServiceModel, options: CompileOptions) =>
  (wireError: WireError): string =>
    errorTypeOf(model, wireError, options);
