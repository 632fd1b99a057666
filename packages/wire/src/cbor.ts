import { type CborEncoder, CborEncoders, cborDecoders, parseCbor } from './cbor-shapes.ts';
import { CborWriter } from './cbor-writer.ts';
import type { DecodedOperation, ServerProtocol } from './codec.ts';
import { lazy } from './compile.ts';
import type { AwsError } from './errors.ts';
import { errorBody, errorTypeOf, type Fault, faultOf, queryErrorHeader } from './faults.ts';
import type { WireRequest, WireResponse } from './http.ts';
import { type JsonDecoders, serializationException } from './json-decode.ts';
import type { OperationModel, Protocol, ServiceModel } from './model.ts';
import type { CompileOptions } from './options.ts';

const PATH = /\/service\/([^/]+)\/operation\/([^/]+)$/;
const HEADERS = { 'smithy-protocol': 'rpc-v2-cbor' };
const CONTENT_TYPE = 'application/cbor';

interface CborOperation {
  decode(body: Uint8Array): unknown;
  /** The body; undefined for an operation without an output. */
  encode(output: unknown): Uint8Array | undefined;
}

/**
 * rpcv2Cbor: the path names the operation, input and output are CBOR maps.
 * @see https://smithy.io/2.0/additional-specs/protocols/smithy-rpc-v2.html
 */
class RpcV2Cbor implements ServerProtocol {
  readonly protocol: Protocol = 'rpcv2Cbor';
  private readonly model: ServiceModel;
  private readonly options: CompileOptions;
  private readonly decoders: JsonDecoders;
  private readonly encoders: CborEncoders;
  private readonly compiled = new Map<string, CborOperation>();
  private readonly errors = new Map<string, CborEncoder>();
  private readonly writer = new CborWriter();

  constructor(model: ServiceModel, options: CompileOptions) {
    this.model = model;
    this.options = options;
    this.decoders = cborDecoders(model);
    this.encoders = new CborEncoders(model);
  }

  match(request: WireRequest): DecodedOperation | undefined {
    const path = PATH.exec(request.path);
    if (!path || path[1] !== this.model.metadata.targetPrefix) return undefined;
    const name = path[2]!;
    const { operations } = this.model;
    return Object.hasOwn(operations, name) ? { name, operation: operations[name]! } : undefined;
  }

  streams(): boolean {
    return false;
  }

  decode(operation: string, request: WireRequest): unknown {
    return this.operation(operation).decode(request.body);
  }

  encode(operation: string, output: unknown, requestId: string): WireResponse {
    const body = this.operation(operation).encode(output ?? {});
    const headers: Record<string, string> = { 'x-amzn-RequestId': requestId, ...HEADERS };
    if (body) headers['Content-Type'] = CONTENT_TYPE;
    return { status: 200, headers, body: body ?? '' };
  }

  encodeError(error: AwsError, requestId: string): WireResponse {
    const fault = faultOf(this.model, error);
    return {
      status: fault.status,
      headers: {
        'x-amzn-RequestId': requestId,
        ...HEADERS,
        ...queryErrorHeader(this.model, fault),
        'Content-Type': CONTENT_TYPE,
        ...error.headers,
      },
      body: this.write(this.errorEncoder(fault), errorBody(fault)),
    };
  }

  private write(encode: CborEncoder, value: unknown): Uint8Array {
    this.writer.reset();
    encode(value, this.writer);
    return this.writer.take();
  }

  private errorEncoder(fault: Fault): CborEncoder {
    let encode = this.errors.get(fault.name);
    if (!encode) {
      const type = errorTypeOf(this.model, fault, this.options);
      if (!fault.shape) return errorWithoutShape(type);
      encode = this.encoders.structure(Object.entries(fault.shape.members ?? {}), type);
      this.errors.set(fault.name, encode);
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
    const encoder = lazy(() => output && this.encoders.of(output));
    return {
      decode: (body) => {
        if (body.length === 0) return {};
        const value = parseCbor(body);
        if (value === null) throw serializationException('');
        return decoder()(value, 0);
      },
      encode: (value) => {
        const encode = encoder();
        return encode && this.write(encode, value);
      },
    };
  }
}

/** An error that no model lists: `__type` and the message. */
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

/** rpcv2Cbor of a service. */
export function rpcV2CborProtocol(
  model: ServiceModel,
  _protocol: Protocol,
  options: CompileOptions = {},
): ServerProtocol {
  return new RpcV2Cbor(model, options);
}
