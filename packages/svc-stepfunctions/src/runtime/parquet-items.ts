import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Json } from '../asl/json.ts';

/**
 * The rows of a Parquet file, each an object by the names of the columns: points in time as ISO 8601, bytes in base64, whole
 * numbers that a double cannot have as texts.
 * @param most how many; infinite for all
 * @throws Error where the bytes are no Parquet file, or its codec is none that hyparquet has
 */
export async function parquetRows(bytes: Buffer, most: number): Promise<Json[]> {
  // A file of its own, in a buffer of its own: pieces of Node's pool begin anywhere.
  const file = new Uint8Array(bytes).buffer;
  // Loaded here only: few maps read Parquet.
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
