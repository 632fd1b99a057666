import { selectError } from '../errors.ts';
import type { InputFormat } from './formats.ts';

/** Byte range in which queried records begin: `start` inclusive, `end` exclusive. */
export interface Scan {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses `ScanRange`.
 * @param size bytes of the object
 * @throws AwsError `UnsupportedScanRangeInput`, `InvalidScanRange`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ScanRange.html
 */
export function scanOf(
  range: { Start?: number | undefined; End?: number | undefined } | undefined,
  format: InputFormat,
  size: number,
): Scan | undefined {
  if (!range || (range.Start === undefined && range.End === undefined)) return undefined;
  if (format.compression !== 'NONE' || (format.kind === 'json' && !format.lines))
    throw selectError('UnsupportedScanRangeInput');
  const { Start: start, End: end } = range;
  // An end without a start counts bytes from the end of the object.
  const scan =
    start === undefined
      ? { start: Math.max(0, size - end!), end: size }
      : { start, end: end === undefined ? size : end + 1 };
  if (scan.start < 0 || scan.start >= scan.end || scan.start >= Math.max(size, 1))
    throw selectError('InvalidScanRange');
  return { start: scan.start, end: Math.min(scan.end, size) };
}

/**
 * Filters the bytes of records that begin in a range: skips the rest of an earlier record, and completes the last one.
 * @param bytes of the object, starting at `from`: the range's start, or a delimiter's length before it
 * @param delimiter record delimiter
 */
export async function* recordsWithin(
  bytes: AsyncIterable<Uint8Array>,
  from: number,
  { start, end }: Scan,
  delimiter: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let position = from;
  let carry: Buffer = Buffer.alloc(0);
  let begun = start === 0;
  for await (const chunk of bytes) {
    let data = Buffer.concat([carry, chunk]);
    carry = Buffer.alloc(0);
    if (!begun) {
      const at = data.indexOf(delimiter);
      if (at < 0) {
        const kept = Math.min(delimiter.length - 1, data.length);
        carry = data.subarray(data.length - kept);
        position += data.length - kept;
        continue;
      }
      begun = true;
      data = data.subarray(at + delimiter.length);
      position += at + delimiter.length;
      if (position >= end) return;
    }
    // Stops at the first delimiter after which a record would begin beyond the range.
    const last = end - delimiter.length - position;
    if (data.length > last) {
      const at = data.indexOf(delimiter, Math.max(0, last));
      if (at >= 0) {
        yield data.subarray(0, at + delimiter.length);
        return;
      }
    }
    const kept = Math.min(delimiter.length - 1, data.length);
    carry = data.subarray(data.length - kept);
    if (data.length > kept) yield data.subarray(0, data.length - kept);
    position += data.length - kept;
  }
  if (begun && carry.length > 0) yield carry;
}
