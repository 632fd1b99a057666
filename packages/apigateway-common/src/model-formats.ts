import { isIPv4, isIPv6 } from 'node:net';
import { isRegex } from '@emu/core/regex';

/** A string format of models. */
interface ModelFormat {
  readonly validate: (text: string) => boolean;
  /** Message for text that does not match. */
  readonly words: (text: string) => string;
}

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,12})?(?:Z|[+-]\d\d:?\d\d)$/;
const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+$/;
const HOSTNAME = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;
const URI = /^(?:%[\da-f]{2}|[\w\-.~:/?#[\]@!$&'()*+,;=]|[^\p{ASCII}\s])*$/iu;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function isDateTime(text: string): boolean {
  const [, year, month, day, hour, minute, second] = DATE_TIME.exec(text)?.map(Number) ?? [];
  if (year === undefined || hour! > 23 || minute! > 59 || second! > 59) return false;
  const date = new Date(Date.UTC(year, month! - 1, day));
  return date.getUTCMonth() === month! - 1 && date.getUTCDate() === day;
}

const named =
  (name: string) =>
  (text: string): string =>
    `string "${text}" is not a valid ${name}`;

/**
 * Draft 4 formats supported by AWS's validator, with its messages; other formats such as `date` and `int32` are
 * ignored.
 * @see https://github.com/java-json-tools/json-schema-validator its `format` package and `validation.properties`
 */
export const MODEL_FORMATS: Readonly<Record<string, ModelFormat>> = {
  'date-time': {
    validate: isDateTime,
    words: (text) =>
      `string "${text}" is invalid against requested date format(s) [yyyy-MM-dd'T'HH:mm:ssZ, yyyy-MM-dd'T'HH:mm:ss.[0-9]{1,12}Z]`,
  },
  email: { validate: (text) => EMAIL.test(text), words: named('email address') },
  hostname: { validate: (text) => HOSTNAME.test(text), words: named('hostname') },
  ipv4: { validate: isIPv4, words: named('IPv4 address') },
  ipv6: { validate: (text) => isIPv6(text) && !text.includes('%'), words: named('IPv6 address') },
  regex: { validate: isRegex, words: named('ECMA 262 regular expression') },
  uri: { validate: (text) => URI.test(text), words: named('URI') },
  uuid: { validate: (text) => UUID.test(text), words: (text) => `input string "${text}" is not a valid UUID` },
};
