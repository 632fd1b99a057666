import type { ServerProtocol } from './codec.ts';
import { jsonBodyCodec } from './json-body.ts';
import type { Protocol, ServiceModel } from './model.ts';
import { restProtocol } from './rest.ts';

/**
 * restJson1: HTTP bindings with JSON bodies; errors are named by `x-amzn-ErrorType`.
 * @see https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html
 */
export function restJsonProtocol(model: ServiceModel, protocol: Protocol): ServerProtocol {
  return restProtocol(model, protocol, jsonBodyCodec(model));
}
