import type { MessageAttributeValue } from '@emu/service-types/sns';
import { invalidParameterValue } from '../errors.ts';
import type { StoredAttribute } from '../records.ts';

/** Message attributes in a request. */
export type MessageAttributeMap = Readonly<Record<string, MessageAttributeValue>>;

const MAX_NAME = 256;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?$/;

/**
 * Validates message attributes and converts them to their stored form.
 * @returns undefined without attributes
 * @throws AwsError `ParameterValueInvalid`
 */
export function normalizeAttributes(
  given: MessageAttributeMap | undefined,
): Record<string, StoredAttribute> | undefined {
  const entries = Object.entries(given ?? {});
  if (!entries.length) return undefined;
  const kept = Object.create(null) as Record<string, StoredAttribute>;
  for (const [name, value] of entries) {
    checkName(name);
    kept[name] = normalizeAttribute(name, value);
  }
  return { ...kept };
}

function checkName(name: string): void {
  if (Buffer.byteLength(name) >= MAX_NAME)
    throw invalidParameterValue(`Length of message attribute name must be less than ${MAX_NAME} bytes.`);
  const stranger = /[^A-Za-z0-9_.-]/u.exec(name)?.[0];
  if (stranger)
    throw invalidParameterValue(
      `Invalid non-alphanumeric character '#x${stranger.codePointAt(0)!.toString(16).toUpperCase()}' was found in the message attribute name. Can only include alphanumeric characters, hyphens, underscores, or dots.`,
    );
  if (name.startsWith('.'))
    throw invalidParameterValue("Invalid message attribute name starting with character '.' was found.");
  if (name.endsWith('.'))
    throw invalidParameterValue("Invalid message attribute name ending with character '.' was found.");
  if (name.includes('..')) throw invalidParameterValue("Message attribute name can not have successive '.' character.");
}

function normalizeAttribute(name: string, value: MessageAttributeMap[string]): StoredAttribute {
  const { DataType: type, StringValue: text, BinaryValue: bytes } = value;
  const base = /^(String|Number|Binary)(\..+)?$/s.exec(type)?.[1];
  if (!base)
    throw invalidParameterValue(
      `The message attribute '${name}' has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String.`,
    );
  const field = base === 'Binary' ? 'Binary' : 'String';
  const own = field === 'Binary' ? bytes : text;
  const other = field === 'Binary' ? text : bytes;
  if (!own?.length) {
    if (other?.length)
      throw invalidParameterValue(`The message attribute '${name}' with type '${type}' must use field '${field}'.`);
    throw invalidParameterValue(
      `The message attribute '${name}' must contain non-empty message attribute value for message attribute type '${type}'.`,
    );
  }
  if (base === 'Number' && !NUMBER.test(text!))
    throw invalidParameterValue(`Could not cast message attribute '${name}' value to number.`);
  return { type, value: base === 'Binary' ? Buffer.from(bytes!).toString('base64') : text! };
}

/** Returns the bytes of attributes that count towards the message size: names, types and values. */
export function attributesSize(given: MessageAttributeMap | undefined): number {
  let size = 0;
  for (const [name, { DataType, StringValue, BinaryValue }] of Object.entries(given ?? {}))
    size +=
      Buffer.byteLength(name) +
      Buffer.byteLength(DataType ?? '') +
      Buffer.byteLength(StringValue ?? '') +
      (BinaryValue?.length ?? 0);
  return size;
}
