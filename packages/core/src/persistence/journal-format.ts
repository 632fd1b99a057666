import { crc32 } from 'node:zlib';
import type { Change } from './persistence.ts';

/**
 * The journal's lines. Each is a JSON array that begins with a checksum of the rest:
 *
 * - `["<crc>","journal",<service>,<number>,<first sequence number>]`, the file's first line;
 * - `["<crc>",<sequence>,<place>,<more>,<op>,<collection>,<account>,<region>,<key>,<value>]` for each change.
 *
 * `place` is the record's index in its group, which is written at once, from 0. A group begins only after the previous
 * one is completely written, and its changes may be acknowledged. So a record with place 0 proves that everything
 * before it was complete: damage before it is a loss, damage after the last of them an interrupted write. `more` is 1
 * if the next record belongs to the same operation: both take effect or neither.
 */
export interface JournalRecord {
  sequence: number;
  place: number;
  more: boolean;
  change: Change;
}

/** The first line of a journal. */
export interface JournalHeader {
  service: string;
  number: number;
  /** Sequence number of the first record. */
  sequence: number;
}

/** Bytes of `["xxxxxxxx",`, which replace the opening bracket of the array that the checksum covers. */
const PREFIX_LENGTH = 12;
const OPENING = crc32('[');

/** Returns a checksum as 8 hexadecimal digits. */
export function checksumText(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}

/** Encodes the variable part of a record: the array of everything except sequence, place and more, as JSON. */
export function encodeChange(change: Change): string {
  const { op, collection, accountId, region, key, value } = change;
  if (op === 'clear') return JSON.stringify([op, collection, accountId, region]);
  if (op === 'delete') return JSON.stringify([op, collection, accountId, region, key]);
  return JSON.stringify([op, collection, accountId, region, key, value]);
}

/** Returns a record's line, with its newline. @param change result of `encodeChange` */
export function encodeRecord(sequence: number, place: number, more: boolean, change: string): string {
  const rest = `${sequence},${place},${more ? 1 : 0},${change.slice(1)}`;
  return `["${checksumText(crc32(rest, OPENING))}",${rest}\n`;
}

/** Returns the first line of a journal. */
export function encodeHeader(header: JournalHeader): string {
  const rest = JSON.stringify(['journal', header.service, header.number, header.sequence]).slice(1);
  return `["${checksumText(crc32(rest, OPENING))}",${rest}\n`;
}

/** Returns the array of a line without its checksum; undefined for a damaged line. */
function decodeLine(line: Buffer): unknown[] | undefined {
  if (line.length <= PREFIX_LENGTH || line.toString('latin1', 0, 2) !== '["') return undefined;
  const rest = line.subarray(PREFIX_LENGTH);
  if (line.toString('latin1', 2, PREFIX_LENGTH) !== `${checksumText(crc32(rest, OPENING))}",`) return undefined;
  return JSON.parse(`[${rest.toString('utf8')}`) as unknown[];
}

/** @returns undefined for a damaged line, or one that is not a header */
export function decodeHeader(line: Buffer): JournalHeader | undefined {
  const [kind, service, number, sequence] = decodeLine(line) ?? [];
  if (kind !== 'journal' || typeof service !== 'string') return undefined;
  return { service, number: Number(number), sequence: Number(sequence) };
}

/** @returns undefined for a damaged line, or one that is not a record */
export function decodeRecord(line: Buffer): JournalRecord | undefined {
  const fields = decodeLine(line);
  if (typeof fields?.[0] !== 'number') return undefined;
  const [sequence, place, more, op, collection, accountId, region, key, value] = fields as [
    number,
    number,
    number,
    Change['op'],
    string,
    string,
    string,
    string?,
    unknown?,
  ];
  const change: Change = { op, collection, accountId, region };
  if (key !== undefined) change.key = key;
  if (value !== undefined) change.value = value;
  return { sequence, place, more: more === 1, change };
}

/**
 * Returns intact records inside a damaged line, which contains several if a newline between them is damaged. JSON
 * strings escape the quotes of a record's start, so few places are tried.
 */
export function recordsWithin(line: Buffer): JournalRecord[] {
  const found: JournalRecord[] = [];
  for (const { index } of line.toString('latin1').matchAll(/\["[0-9a-f]{8}",/g)) {
    const record = decodeRecord(line.subarray(index));
    if (record) found.push(record);
  }
  return found;
}
