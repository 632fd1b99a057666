import { utf8 } from './bytes.ts';
import type { DecodedOperation, ServerProtocol } from './codec.ts';
import { keyByName, lazy, shapeOf } from './compile.ts';
import type { AwsError } from './errors.ts';
import { EVENT_STREAM, eventStreamEncoder } from './event-stream.ts';
import type { WireRequest, WireResponse } from './http.ts';
import { jsonBodyCodec } from './json-body.ts';
import { JsonDecoders, parseBody, serializationException } from './json-decode.ts';
import { JsonEncoders } from './json-encode.ts';
import { JsonErrors } from './json-errors.ts';
import type { OperationModel, Protocol, ServiceModel } from './model.ts';
import type { CompileOptions } from './options.ts';
import { errorTypeOf, queryErrorHeader, wireErrorOf } from './wire-errors.ts';

/** One operation of an awsJson service. */
interface JsonOperation {
  decode(body: Uint8Array): unknown;
  encode(output: unknown): WireResponse['body'];
  /** Media type of its responses. */
  contentType: string;
}

/**
 * awsJson 1.0 and 1.1: `X-Amz-Target` names the operation, input and output are JSON objects.
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
 */
class AwsJson implements ServerProtocol {
  readonly protocol: Protocol;
  private readonly model: ServiceModel;
  private readonly options: CompileOptions;
  private readonly contentType: string;
  private readonly decoders: JsonDecoders;
  private readonly encoders: JsonEncoders;
  private readonly errors: JsonErrors;
  private readonly operations = new Map<string, DecodedOperation>();
  private readonly compiled = new Map<string, JsonOperation>();

  constructor(model: ServiceModel, protocol: Protocol, options: CompileOptions) {
    this.model = model;
    this.protocol = protocol;
    this.options = options;
    this.contentType = protocol === 'awsJson1_1' ? 'application/x-amz-json-1.1' : 'application/x-amz-json-1.0';
    this.decoders = new JsonDecoders(model, keyByName);
    this.encoders = new JsonEncoders(model, keyByName);
    this.errors = new JsonErrors(this.encoders);
    for (const [name, operation] of Object.entries(model.operations))
      this.operations.set(`${model.metadata.targetPrefix ?? ''}.${name}`, { name, operation });
  }

  match(request: WireRequest): DecodedOperation | undefined {
    const target = request.headers['x-amz-target'];
    return typeof target === 'string' ? this.operations.get(target) : undefined;
  }

  streams(): boolean {
    return false;
  }

  decode(operation: string, request: WireRequest): unknown {
    return this.operation(operation).decode(request.body);
  }

  encode(operation: string, output: unknown, requestId: string): WireResponse {
    const compiled = this.operation(operation);
    return {
      status: 200,
      headers: { 'x-amzn-RequestId': requestId, 'Content-Type': compiled.contentType },
      body: compiled.encode(output ?? {}),
    };
  }

  encodeError(error: AwsError, requestId: string): WireResponse {
    const wireError = wireErrorOf(this.model, error);
    const type = this.protocol === 'awsJson1_1' ? wireError.name : errorTypeOf(this.model, wireError, this.options);
    return {
      status: wireError.status,
      headers: {
        'x-amzn-RequestId': requestId,
        ...queryErrorHeader(this.model, wireError),
        'Content-Type': this.contentType,
        ...error.headers,
      },
      body: this.errors.encode(wireError, type),
    };
  }

  private operation(name: string): JsonOperation {
    let compiled = this.compiled.get(name);
    if (!compiled) {
      compiled = this.compile(this.model.operations[name]!);
      this.compiled.set(name, compiled);
    }
    return compiled;
  }

  private compile(operation: OperationModel): JsonOperation {
    const { input, output } = operation;
    const decoder = lazy(() => (input ? this.decoders.of(input) : this.decoders.structure([])));
    const encoder = lazy(() => this.encoder(output?.shape));
    return {
      decode: (body) => {
        if (body.length === 0 && !input) return {};
        const text = utf8(body);
        const value = text === undefined ? null : parseBody(text);
        if (value === null) throw serializationException('');
        return decoder()(value, 0);
      },
      encode: (value) => encoder()(value),
      contentType: output && this.eventsOf(output.shape) ? EVENT_STREAM : this.contentType,
    };
  }

  private encoder(output: string | undefined): JsonOperation['encode'] {
    // An operation without an output returns an empty object, as in AWS.
    if (output === undefined) return () => '{}';
    const events = this.eventsOf(output);
    const members = Object.entries(shapeOf(this.model, output).members ?? {}).filter(([name]) => name !== events?.name);
    const encode = this.encoders.structure(members);
    if (!events) return encode;
    const codec = jsonBodyCodec(this.model, this.contentType, keyByName);
    const stream = eventStreamEncoder(this.model, events.shape, codec);
    return (value) =>
      stream((value as Record<string, AsyncIterable<unknown>>)[events.name] ?? nothing(), encode(value));
  }

  /** Output member that is an event stream. */
  private eventsOf(output: string): { name: string; shape: string } | undefined {
    for (const [name, { shape }] of Object.entries(shapeOf(this.model, output).members ?? {}))
      if (shapeOf(this.model, shape).eventstream) return { name, shape };
    return undefined;
  }
}

/** Returns an empty event stream. */
async function* nothing(): AsyncIterable<never> {}

/** Creates the protocol awsJson 1.0 or 1.1 of a service. */
export function awsJsonProtocol(model: ServiceModel, protocol: Protocol, options: CompileOptions = {}): ServerProtocol {
  return new AwsJson(model, protocol, options);
}
