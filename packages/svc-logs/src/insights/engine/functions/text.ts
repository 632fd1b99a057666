import { createHash } from 'node:crypto';
import { javaReplacement } from '@emu/core/regex';
import { regexOf } from '../regex.ts';
import { isTrue, numberOf, scalarText, type Value } from '../values.ts';
import { type LanguageFunction, ofTexts, ofValues } from './function.ts';

const MANY = Number.POSITIVE_INFINITY;

/** Trims white space, or the characters of the second text, on one side. */
const trim = (left: boolean, right: boolean): LanguageFunction =>
  ofTexts(1, 2, (text, characters) => {
    if (characters === undefined) {
      if (left && right) return text.trim();
      return left ? text.trimStart() : text.trimEnd();
    }
    if (characters === '') return text;
    let [start, end] = [0, text.length];
    if (left) while (start < end && characters.includes(text[start]!)) start++;
    if (right) while (end > start && characters.includes(text[end - 1]!)) end--;
    return text.slice(start, end);
  });

/** Returns 1 if a text contains another at a position, otherwise 0. */
const has = (test: (text: string, other: string) => boolean): LanguageFunction =>
  ofTexts(2, 2, (text, other) => Number(test(text, other)));

function substr(value: Value, start: Value, length: Value): Value {
  const text = scalarText(value);
  const from = numberOf(start);
  if (text === undefined || Number.isNaN(from)) return undefined;
  const count = length === undefined ? Number.POSITIVE_INFINITY : numberOf(length);
  return [...text].slice(from, from + count).join('');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Maximum characters of a text that a function makes, as of a log event: each command may double those before it. */
const MAX_TEXT = 1024 * 1024;

/** @throws Error above the maximum, which fails the query */
function checkLength(length: number): void {
  if (length > MAX_TEXT) throw new Error(`A function of the query makes a text of more than ${MAX_TEXT} characters`);
}

const hash = (algorithm: string): LanguageFunction =>
  ofTexts(1, 1, (text) => createHash(algorithm).update(text).digest('hex'));

function decToHex(value: Value): Value {
  const number = Math.trunc(numberOf(value));
  if (Number.isNaN(number)) return undefined;
  return `${number < 0 ? '-' : ''}0x${Math.abs(number).toString(16)}`;
}

/** Text functions. */
export const text: Readonly<Record<string, LanguageFunction>> = {
  isempty: ofValues(1, 1, (value) => Number(value === undefined || scalarText(value) === '')),
  isblank: ofValues(1, 1, (value) => Number(value === undefined || scalarText(value)?.trim() === '')),
  concat: ofValues(1, MANY, (...values) => {
    const texts = values.map((value) => scalarText(value) ?? '');
    checkLength(texts.reduce((length, each) => length + each.length, 0));
    return texts.join('');
  }),
  ltrim: trim(true, false),
  rtrim: trim(false, true),
  trim: trim(true, true),
  strlen: ofTexts(1, 1, (value) => [...value].length),
  toupper: ofTexts(1, 1, (value) => value.toUpperCase()),
  tolower: ofTexts(1, 1, (value) => value.toLowerCase()),
  substr: ofValues(2, 3, substr),
  replace: ofTexts(3, 3, (value, search, replacement) => {
    if (search === '') return value;
    const parts = value.split(search);
    checkLength(value.length + (parts.length - 1) * (replacement.length - search.length));
    return parts.join(replacement);
  }),
  regexreplace: ofTexts(3, 3, (value, pattern, replacement) =>
    regexOf(pattern).replaceAll(value, javaReplacement(replacement.replace(/\\(\d)/g, '$$$1'))),
  ),
  strcontains: ofValues(2, 3, (value, search, insensitive) => {
    const [whole, part] = [scalarText(value), scalarText(search)];
    if (whole === undefined || part === undefined) return undefined;
    return Number(isTrue(insensitive) ? whole.toLowerCase().includes(part.toLowerCase()) : whole.includes(part));
  }),
  startswith: has((value, start) => value.startsWith(start)),
  endswith: has((value, end) => value.endsWith(end)),
  urlencode: ofTexts(1, 1, (value) => encodeURIComponent(value)),
  urldecode: ofTexts(1, 1, decoded),
  base64encode: ofTexts(1, 1, (value) => Buffer.from(value).toString('base64')),
  base64decode: ofTexts(1, 1, (value) => Buffer.from(value, 'base64').toString()),
  hextoascii: ofTexts(1, 1, (value) =>
    /^(?:[0-9a-f]{2})*$/i.test(value) ? Buffer.from(value, 'hex').toString('latin1') : undefined,
  ),
  hextodec: ofTexts(1, 1, (value) =>
    /^(?:0x)?[0-9a-f]+$/i.test(value) ? Number.parseInt(value.replace(/^0x/i, ''), 16) : undefined,
  ),
  dectohex: ofValues(1, 1, decToHex),
  md5: hash('md5'),
  sha256: hash('sha256'),
};
