import { invalidRange } from '../errors.ts';

/** Byte range of an object; `end` is exclusive. */
export interface ContentRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a `Range` header with one range; like S3, ignores anything else.
 * @param size bytes of the object
 * @throws AwsError `InvalidRange` if it contains no byte of the object
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-range
 */
export function parseRange(header: string | undefined, size: number): ContentRange | undefined {
  if (header === undefined) return undefined;
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header);
  if (!match) return undefined;
  const [, first, last] = match as unknown as [string, string, string];
  if (first === '') {
    if (last === '') return undefined;
    const length = Number(last);
    if (length === 0 || size === 0) throw invalidRange(header, size);
    return { start: Math.max(size - length, 0), end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) throw invalidRange(header, size);
  return { start, end };
}
