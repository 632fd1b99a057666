import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Json } from '../asl/json.ts';

/**
 * Returns the rows of a Parquet file as objects by column: times as ISO 8601, bytes in base64, integers beyond double
 * precision as text.
 * @param most maximum number of rows; infinite for all
 * @throws Error if the file is invalid or hyparquet does not support its codec
 */
export async function parquetRows(bytes: Buffer, most: number): Promise<Json[]> {
  // Copied, since pooled buffers of Node.js have arbitrary offsets.
  const file = new Uint8Array(bytes).buffer;
  // Loaded on demand: few maps read Parquet.
  const [{ parquetReadObjects }, { decompress: ZSTD }] = await Promise.all([import('hyparquet'), import('fzstd')]);
  const compressors = {
    BROTLI: (input: Uint8Array) => brotliDecompressSync(input),
    GZIP: (input: Uint8Array) => gunzipSync(input),
    ZSTD: (input: Uint8Array) => ZSTD(input),
  };
  const rows = await parquetReadObjects({ file, compressors, ...(Number.isFinite(most) && { rowEnd: most }) });
  return rows.map((row) => jsonOf(row));
}

function jsonOf(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map((item) => jsonOf(item));
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonOf(item)]));
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value as string | number | boolean;
}
