import type { ServerProtocol } from './codec.ts';
import { jsonBodyCodec } from './json-body.ts';
import type { Protocol, ServiceModel } from './model.ts';
import { restProtocol } from './rest.ts';

/**
 * Creates the protocol restJson1: HTTP bindings with JSON bodies, and error names in `x-amzn-ErrorType`.
 * @see https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html
 */
export function restJsonProtocol(model: ServiceModel, protocol: Protocol): ServerProtocol {
  return restProtocol(model, protocol, jsonBodyCodec(model));
}
