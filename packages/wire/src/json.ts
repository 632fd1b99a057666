import { utf8 } from './bytes.ts';
import type { DecodedOperation, ServerProtocol } from './codec.ts';
import { keyByName, lazy, shapeOf } from './compile.ts';
import type { AwsError } from './errors.ts';
import { errorBody, errorTypeOf, type Fault, faultOf, queryErrorHeader } from './faults.ts';
import type { WireRequest, WireResponse } from './http.ts';
import { JsonDecoders, parseJson, serializationException } from './json-decode.ts';
import { type JsonEncoder, JsonEncoders, quote } from './json-encode.ts';
import type { OperationModel, Protocol, ServiceModel } from './model.ts';
import type { CompileOptions } from './options.ts';

/** Writes an error's members as a JSON object. */
export class JsonErrors {
  private readonly encoders: JsonEncoders;
  private readonly compiled = new Map<string, JsonEncoder>();

  constructor(encoders: JsonEncoders) {
    this.encoders = encoders;
  }

  /** @param type value of `__type`; undefined where the protocol names the error elsewhere */
  encode(fault: Fault, type: string | undefined): string {
    const head = type === undefined ? '' : `"__type":${quote(type)}`;
    if (!fault.shape || fault.messageMember === undefined) {
      // Serialisation errors spell it with a capital, everything else that no model lists in lower case.
      const key = fault.name === 'SerializationException' ? 'Message' : 'message';
      const message = fault.message === '' ? '' : `"${key}":${JSON.stringify(fault.message)}`;
      const members = fault.shape ? this.members(fault, '').slice(1, -1) : '';
      return `{${[head, message, members].filter((part) => part !== '').join(',')}}`;
    }
    return this.members(fault, head);
  }

  private members(fault: Fault, head: string): string {
    const key = `${fault.name} ${head}`;
    let encode = this.compiled.get(key);
    if (!encode) {
      const members = Object.entries(fault.shape!.members ?? {}).filter(([, member]) => !member.location);
      encode = this.encoders.structure(members, head);
      this.compiled.set(key, encode);
    }
    return encode(errorBody(fault));
  }
}

/** One operation of an awsJson service. */
interface JsonOperation {
  decode(body: Uint8Array): unknown;
  encode(output: unknown): string;
}

/**
 * awsJson 1.0 and 1.1: the operation is named by `X-Amz-Target`, input and output are JSON objects.
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
    return {
      status: 200,
      headers: { 'x-amzn-RequestId': requestId, 'Content-Type': this.contentType },
      body: this.operation(operation).encode(output),
    };
  }

  encodeError(error: AwsError, requestId: string): WireResponse {
    const fault = faultOf(this.model, error);
    const type = this.protocol === 'awsJson1_1' ? fault.name : errorTypeOf(this.model, fault, this.options);
    return {
      status: fault.status,
      headers: {
        'x-amzn-RequestId': requestId,
        ...queryErrorHeader(this.model, fault),
        'Content-Type': this.contentType,
        ...error.headers,
      },
      body: this.errors.encode(fault, type),
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
    const encoder = lazy(() => (output ? this.encoders.structure(this.membersOf(output.shape)) : undefined));
    return {
      decode: (body) => {
        if (body.length === 0 && !input) return {};
        const text = utf8(body);
        const value = text === undefined ? null : parseJson(text);
        if (value === null) throw serializationException('');
        return decoder()(value, 0);
      },
      // An operation without an output answers an empty object, as AWS does.
      encode: (value) => encoder()?.(value ?? {}) ?? '{}',
    };
  }

  private membersOf(shape: string): [string, NonNullable<ReturnType<typeof shapeOf>['members']>[string]][] {
    return Object.entries(shapeOf(this.model, shape).members ?? {});
  }
}

/** awsJson 1.0 or 1.1 of a service. */
export function awsJsonProtocol(model: ServiceModel, protocol: Protocol, options: CompileOptions = {}): ServerProtocol {
  return new AwsJson(model, protocol, options);
}
