import { errorBody, type Fault } from './faults.ts';
import { type JsonEncoder, type JsonEncoders, quote } from './json-encode.ts';

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
      const key = fault.messageKey ?? (fault.name === 'SerializationException' ? 'Message' : 'message');
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
