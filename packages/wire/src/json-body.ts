import type { BodyCodec, BodyUse } from './body.ts';
import { utf8 } from './bytes.ts';
import { type KeyOf, keyByLocationName } from './compile.ts';
import { type JsonDecoder, JsonDecoders, parseBody, serializationException } from './json-decode.ts';
import { type JsonEncoder, JsonEncoders } from './json-encode.ts';
import { JsonErrors } from './json-errors.ts';
import type { ServiceModel } from './model.ts';

/**
 * Creates JSON documents, for restJson1 and for the event streams of the JSON protocols.
 * @param keyOf returns the keys of members
 */
export function jsonBodyCodec(
  model: ServiceModel,
  contentType = 'application/json',
  keyOf: KeyOf = keyByLocationName,
): BodyCodec {
  const decoders = new JsonDecoders(model, keyOf);
  const encoders = new JsonEncoders(model, keyOf);
  const errors = new JsonErrors(encoders);
  return {
    contentType,
    emptyBody: '{}',
    requestIdHeaders: (requestId) => ({ 'x-amzn-RequestId': requestId }),
    decoder(use: BodyUse) {
      const decode: JsonDecoder = use.members ? decoders.structure(use.members) : decoders.of(use);
      return (body) => {
        const text = utf8(body);
        if (text === undefined) throw serializationException('');
        const value = parseBody(text);
        if (value === null) {
          // A null document is valid; other shapes require a body.
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
    encodeError(wireError) {
      return {
        headers: { 'x-amzn-ErrorType': wireError.name, 'Content-Type': contentType },
        body: errors.encode(wireError, undefined),
      };
    },
    malformed: serializationException,
  };
}
