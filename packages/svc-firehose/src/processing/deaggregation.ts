import { parseJson } from '@emu/wire';

const [QUOTE, BACKSLASH, OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [...Buffer.from('"\\{}[]')] as [
  number,
  number,
  number,
  number,
  number,
  number,
];
const BLANKS: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));

/**
 * Splits concatenated JSON objects in a record, with optional white space between them.
 * @throws Error for anything else
 */
export function jsonObjects(data: Buffer): Buffer[] {
  const objects: Buffer[] = [];
  let start = -1;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < data.length; at++) {
    const byte = data[at]!;
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
      continue;
    }
    if (depth === 0) {
      if (BLANKS.has(byte)) continue;
      if (byte !== OPEN_OBJECT) throw new Error(`There is no JSON object at byte ${at} of the record.`);
      start = at;
      depth = 1;
    } else if (byte === QUOTE) inText = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (--depth > 0) continue;
      const object = data.subarray(start, at + 1);
      parseJson(object.toString('utf8'));
      objects.push(object);
    }
  }
  if (depth > 0) throw new Error('The record ends inside a JSON object.');
  return objects;
}

/** Splits a record at delimiters, without empty parts. */
export function delimitedParts(data: Buffer, delimiter: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = data.indexOf(delimiter); at >= 0; at = data.indexOf(delimiter, start)) {
    if (at > start) parts.push(data.subarray(start, at));
    start = at + delimiter.length;
  }
  if (start < data.length) parts.push(data.subarray(start));
  return parts;
}
