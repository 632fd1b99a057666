import { createHash } from 'node:crypto';
import { exceedsBytes } from '@emu/core/service';
import { invalidParameterValue, invalidValueFor } from '../errors.ts';
import type { StoredAttribute } from '../records.ts';

/** A message attribute as given. */
export interface AttributeValue {
  DataType?: string | undefined;
  StringValue?: string | undefined;
  BinaryValue?: Uint8Array | undefined;
  StringListValues?: readonly string[] | undefined;
  BinaryListValues?: readonly Uint8Array[] | undefined;
}

const MAX_ATTRIBUTES = 10;
const MAX_LENGTH = 256;
/** Accented letters are undocumented, and accepted. */
const NAME = /^[A-Za-z0-9_.\-\u00c0-\u017f]+$/;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?$/;
const MAX_DIGITS = 38;
/** Characters outside `#x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD`, in UTF-16 code units. */
const SUSPICIOUS = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/;
const INVALID = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** Whether a text contains a character that SQS rejects (`MessageBody` in the SQS API reference). */
export function hasInvalidCharacters(text: string): boolean {
  return SUSPICIOUS.test(text) && INVALID.test(text);
}

/**
 * Validates message attributes and converts them for storage.
 * @returns undefined without attributes
 * @throws AwsError `InvalidParameterValue` naming the first invalid attribute
 */
export function normalizeMessageAttributes(
  given: Readonly<Record<string, AttributeValue>> | undefined,
): Record<string, StoredAttribute> | undefined {
  if (!given) return undefined;
  const entries = Object.entries(given);
  if (!entries.length) return undefined;
  if (entries.length > MAX_ATTRIBUTES)
    throw invalidParameterValue(
      `Number of message attributes [${entries.length}] exceeds the allowed maximum [${MAX_ATTRIBUTES}].`,
    );
  return Object.fromEntries(
    entries.map(([name, value]) => {
      checkName(name);
      return [name, normalizeAttribute(name, value)];
    }),
  );
}

function checkName(name: string): void {
  if (!name) throw invalidParameterValue('The request must contain non-empty message (user) attribute names.');
  if (name.length > MAX_LENGTH)
    throw invalidParameterValue(`Message (user) attribute name must be shorter than ${MAX_LENGTH} bytes.`);
  if (!NAME.test(name))
    throw invalidParameterValue(
      'Message (user) attributes name can only contain upper and lower score characters, digits, periods, hyphens and underscores. ',
    );
  if (/^(aws\.|amazon\.)/i.test(name))
    throw invalidParameterValue(
      "You can't use message attribute names beginning with 'AWS.' or 'Amazon'. These strings are reserved for internal use.",
    );
  if (/^\.|\.$|\.\./.test(name))
    throw invalidParameterValue(
      `The message (user) attribute name '${name}' can't start or end with a period or have periods in succession.`,
    );
}

function normalizeAttribute(name: string, value: AttributeValue): StoredAttribute {
  if (value.StringListValues?.length || value.BinaryListValues?.length)
    throw invalidParameterValue('Message attribute list values in SendMessage operation are not supported.');
  if (value.StringValue === undefined && value.BinaryValue === undefined)
    throw invalidParameterValue(
      `The message (user) attribute '${name}' must contain a non-empty message attribute value.`,
    );
  const type = value.DataType;
  if (!type)
    throw invalidParameterValue(
      `The message (user) attribute '${name}' must contain a non-empty message attribute type.`,
    );
  if (exceedsBytes(type, MAX_LENGTH))
    throw invalidParameterValue(`Message (user) attribute type must be shorter than ${MAX_LENGTH} bytes.`);
  const base = /^(String|Number|Binary)(\..*)?$/s.exec(type)?.[1];
  if (!base)
    throw invalidParameterValue(
      `The type of message (user) attribute '${name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String.`,
    );
  return base === 'Binary' ? binaryAttribute(name, type, value) : textAttribute(name, type, base, value);
}

const empty = (name: string, type: string) =>
  invalidParameterValue(`Message (user) attribute '${name}' must contain a non-empty value of type '${type}'.`);

function binaryAttribute(name: string, type: string, { BinaryValue }: AttributeValue): StoredAttribute {
  if (!BinaryValue?.length) throw empty(name, 'Binary');
  return { type, binary: Buffer.from(BinaryValue).toString('base64') };
}

function textAttribute(name: string, type: string, base: string, { StringValue }: AttributeValue): StoredAttribute {
  if (!StringValue) throw empty(name, base);
  if (base === 'Number' && !isNumber(StringValue))
    throw invalidParameterValue(`Can't cast the value of message (user) attribute '${name}' to a number.`);
  if (hasInvalidCharacters(StringValue))
    throw invalidParameterValue(
      `Invalid characters found. The message (user) attribute '${name}' can only contain the Unicode characters #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF.`,
    );
  return { type, string: StringValue };
}

/** Whether a text is a valid number attribute, which has up to 38 digits, between 10^-128 and 10^126. */
function isNumber(text: string): boolean {
  if (!NUMBER.test(text)) return false;
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
    .replace(/0+$/, '');
  const magnitude = Math.abs(Number(text));
  return digits.length <= MAX_DIGITS && (magnitude === 0 ? digits === '' : magnitude >= 1e-128 && magnitude <= 1e126);
}

/**
 * Validates the system attributes of a message.
 * @returns the X-Ray trace header, if any
 * @throws AwsError `InvalidParameterValue`
 */
export function traceHeaderOf(given: Readonly<Record<string, AttributeValue>> | undefined): string | undefined {
  if (!given) return undefined;
  for (const name of Object.keys(given))
    if (name !== 'AWSTraceHeader') throw invalidParameterValue(`Message system attribute name '${name}' is invalid.`);
  const header = given.AWSTraceHeader;
  if (!header) return undefined;
  if (header.DataType !== 'String')
    throw invalidParameterValue(
      "The type of message (system) attribute 'AWSTraceHeader' is invalid. You must use only the following supported type prefixes: String.",
    );
  if (!header.StringValue)
    throw invalidParameterValue(
      "Message (system) attribute 'AWSTraceHeader' must contain a non-empty value of type 'String'.",
    );
  return header.StringValue;
}

/** Returns the size of attributes in bytes: names, types and values. */
export function attributesSize(attributes: Readonly<Record<string, AttributeValue>> | undefined): number {
  let size = 0;
  for (const [name, { DataType = '', StringValue = '', BinaryValue }] of Object.entries(attributes ?? {}))
    size +=
      Buffer.byteLength(name) +
      Buffer.byteLength(DataType) +
      Buffer.byteLength(StringValue) +
      (BinaryValue?.byteLength ?? 0);
  return size;
}

/**
 * Returns the MD5 of attributes by AWS's algorithm: sorted names; each name, type and value prefixed by its length; a
 * byte for text (1) or binary (2).
 */
export function attributesMd5(attributes: Readonly<Record<string, StoredAttribute>>): string {
  const hash = createHash('md5');
  const update = (bytes: Buffer) => {
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of Object.keys(attributes).sort()) {
    const { type, string, binary } = attributes[name]!;
    update(Buffer.from(name));
    update(Buffer.from(type));
    hash.update(Buffer.of(string === undefined ? 2 : 1));
    update(string === undefined ? Buffer.from(binary!, 'base64') : Buffer.from(string));
  }
  return hash.digest('hex');
}

/** Returns the MD5 of system attributes, of which SQS accepts only the trace header. */
export function traceHeaderMd5(header: string): string {
  return attributesMd5({ AWSTraceHeader: { type: 'String', string: header } });
}

/** Selects attributes by name, `prefix.*`, `All` or `.*`; undefined if none match. */
export function selectMessageAttributes(
  attributes: Readonly<Record<string, StoredAttribute>> | undefined,
  filters: readonly string[] | undefined,
): Record<string, StoredAttribute> | undefined {
  if (!attributes || !filters?.length) return undefined;
  const names = Object.keys(attributes).filter((name) => filters.some((filter) => matches(name, filter)));
  if (!names.length) return undefined;
  return Object.fromEntries(names.map((name) => [name, attributes[name]!]));
}

function matches(name: string, filter: string): boolean {
  if (filter === 'All' || filter === '*' || filter === '.*') return true;
  return filter.endsWith('.*') ? name.startsWith(filter.slice(0, -2)) : name === filter;
}

const TOKEN = /^[\x21-\x7e]{1,128}$/;

/**
 * Validates a group, deduplication or receive attempt id.
 * @throws AwsError `InvalidParameterValue`
 */
export function checkToken(parameter: string, value: string | undefined): void {
  if (value !== undefined && !TOKEN.test(value))
    throw invalidValueFor(
      parameter,
      value,
      `${parameter} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
    );
}
