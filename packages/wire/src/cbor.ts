import { CborOperations, namespacedType } from './cbor-operations.ts';
import type { DecodedOperation, ServerProtocol } from './codec.ts';
import type { AwsError } from './errors.ts';
import type { WireRequest, WireResponse } from './http.ts';
import type { Protocol, ServiceModel } from './model.ts';
import type { CompileOptions } from './options.ts';

const PATH = /\/service\/([^/]+)\/operation\/([^/]+)$/;

/**
 * rpcv2Cbor: the path names the operation, input and output are CBOR maps.
 * @see https://smithy.io/2.0/additional-specs/protocols/smithy-rpc-v2.html
 */
class RpcV2Cbor implements ServerProtocol {
  readonly protocol: Protocol = 'rpcv2Cbor';
  private readonly bodies: CborOperations;

  constructor(
    private readonly model: ServiceModel,
    options: CompileOptions,
  ) {
    this.bodies = new CborOperations(model, {
      contentType: 'application/cbor',
      times: 'seconds',
      headers: { 'smithy-protocol': 'rpc-v2-cbor' },
      errorType: namespacedType(model, options),
    });
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
    return this.bodies.decode(operation, request.body);
  }

  encode(operation: string, output: unknown, requestId: string): WireResponse {
    return this.bodies.encode(operation, output, requestId);
  }

  encodeError(error: AwsError, requestId: string): WireResponse {
    return this.bodies.encodeError(error, requestId);
  }
}

/** Creates the protocol rpcv2Cbor of a service. */
export function rpcV2CborProtocol(
  model: ServiceModel,
  _protocol: Protocol,
  options: CompileOptions = {},
): ServerProtocol {
  return new RpcV2Cbor(model, options);
}

/**
 * awsCbor 1.1, which Kinesis supports for the SDKs for Java: awsJson 1.1 with CBOR maps instead of JSON objects and
 * times in milliseconds. AWS's models do not list it.
 * @see https://github.com/aws/aws-sdk-java-v2/tree/master/core/protocols/aws-cbor-protocol
 */
class AwsCbor implements ServerProtocol {
  readonly protocol: Protocol = 'awsCbor1_1';
  private readonly bodies: CborOperations;
  private readonly operations = new Map<string, DecodedOperation>();

  constructor(model: ServiceModel) {
    this.bodies = new CborOperations(model, {
      contentType: 'application/x-amz-cbor-1.1',
      times: 'milliseconds',
      headers: {},
    });
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
    return this.bodies.decode(operation, request.body);
  }

  encode(operation: string, output: unknown, requestId: string): WireResponse {
    return this.bodies.encode(operation, output, requestId);
  }

  encodeError(error: AwsError, requestId: string): WireResponse {
    return this.bodies.encodeError(error, requestId);
  }
}

/** Creates the protocol awsCbor 1.1 of a service. */
export const awsCborProtocol = (model: ServiceModel): ServerProtocol => new AwsCbor(model);
