import type { BodyCodec, BodyUse } from './body.ts';
import { utf8 } from './bytes.ts';
import type { ServerProtocol } from './codec.ts';
import { keyByLocationName } from './compile.ts';
import { JsonErrors } from './json.ts';
import { type JsonDecoder, JsonDecoders, parseJson, serializationException } from './json-decode.ts';
import { type JsonEncoder, JsonEncoders } from './json-encode.ts';
import type { Protocol, ServiceModel } from './model.ts';
import { restProtocol } from './rest.ts';

/** JSON documents, for restJson1 and for the event streams of the JSON protocols. */
export function jsonBodyCodec(model: ServiceModel): BodyCodec {
  const decoders = new JsonDecoders(model, keyByLocationName);
  const encoders = new JsonEncoders(model, keyByLocationName);
  const errors = new JsonErrors(encoders);
  return {
    contentType: 'application/json',
    emptyBody: '{}',
    requestIdHeader: 'x-amzn-RequestId',
    decoder(use: BodyUse) {
      const decode: JsonDecoder = use.members ? decoders.structure(use.members) : decoders.of(use);
      return (body) => {
        const text = utf8(body);
        if (text === undefined) throw serializationException('');
        const value = parseJson(text);
        if (value === null) {
          // A null document is one; anywhere else a body has to be there.
          if (use.members) throw serializationException('');
          return null;
        }
        return decode(value, 0);
      };
    },
    encoder(use: BodyUse) {
      const encode: JsonEncoder = use.members ? encoders.structure(use.members) : encoders.of(use);
      return encode;
    },
    encodeError(fault) {
      return {
        headers: { 'x-amzn-ErrorType': fault.name, 'Content-Type': 'application/json' },
        body: errors.encode(fault, undefined),
      };
    },
    malformed: serializationException,
  };
}

/**
 * restJson1: HTTP bindings with JSON bodies; errors are named by `x-amzn-ErrorType`.
 * @see https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html
 */
export function restJsonProtocol(model: ServiceModel, protocol: Protocol): ServerProtocol {
  return restProtocol(model, protocol, jsonBodyCodec(model));
}
