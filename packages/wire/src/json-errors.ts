import { type JsonEncoder, type JsonEncoders, quote } from './json-encode.ts';
import { errorBody, type WireError } from './wire-errors.ts';

/** Encodes an error's members as a JSON object. */
export class JsonErrors {
  private readonly encoders: JsonEncoders;
  private readonly compiled = new Map<string, JsonEncoder>();

  constructor(encoders: JsonEncoders) {
    this.encoders = encoders;
  }

  /** @param type value of `__type`; undefined if the protocol names the error elsewhere */
  encode(wireError: WireError, type: string | undefined): string {
    const head = type === undefined ? '' : `"__type":${quote(type)}`;
    if (!wireError.shape || wireError.messageMember === undefined) {
      // Serialisation errors use `Message`, all other unmodelled errors `message`.
      const key = wireError.messageKey ?? (wireError.name === 'SerializationException' ? 'Message' : 'message');
      const message = wireError.message === '' ? '' : `"${key}":${JSON.stringify(wireError.message)}`;
      const members = wireError.shape ? this.members(wireError, '').slice(1, -1) : '';
      return `{${[head, message, members].filter((part) => part !== '').join(',')}}`;
    }
    return this.members(wireError, head);
  }

  private members(wireError: WireError, head: string): string {
    const key = `${wireError.name} ${head}`;
    let encode = this.compiled.get(key);
    if (!encode) {
      const members = Object.entries(wireError.shape!.members ?? {}).filter(([, member]) => !member.location);
      encode = this.encoders.structure(members, head);
      this.compiled.set(key, encode);
    }
    return encode(errorBody(wireError));
  }
}
