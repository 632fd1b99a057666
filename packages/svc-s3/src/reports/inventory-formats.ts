import { PassThrough, pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ParquetColumn } from '@emu/service-types/internal/s3';
import { parquetOf } from '../duckdb/write-parquet.ts';
import type { InventoryField, Listed } from './inventory-fields.ts';

/** File format of a list. */
export interface InventoryFormat {
  /** File name extension with its dot. */
  readonly extension: string;
  readonly contentType: string;
  /** Maximum rows per file. */
  readonly maxRows: number;
  /** Returns the `fileSchema` of the manifest. */
  schema(fields: readonly InventoryField[]): string;
  /** Returns the contents of a file. */
  bytes(fields: readonly InventoryField[], rows: Iterable<Listed>): AsyncIterable<Uint8Array>;
}

/** Yields the lines of a list: quoted fields without a header; keys are percent-encoded, dates in ISO 8601. */
function* lines(fields: readonly InventoryField[], rows: Iterable<Listed>): Generator<string> {
  for (const row of rows) {
    const texts = fields.map(({ name, column, value }) => {
      const one = value(row);
      if (one === undefined) return '';
      if (name === 'Key') return encodeURIComponent(one).replaceAll('%2F', '/');
      return column.type === 'timestamp' ? new Date(one as number).toISOString() : String(one);
    });
    yield `${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')}\n`;
  }
}

/** Returns a column in a Parquet schema. */
function columnSchema({ name, type }: ParquetColumn): string {
  const repetition = name === 'bucket' || name === 'key' ? 'required' : 'optional';
  const physical = { string: 'binary', long: 'int64', boolean: 'boolean', timestamp: 'int64' }[type];
  const logical = { string: ' (UTF8)', long: '', boolean: '', timestamp: ' (TIMESTAMP_MILLIS)' }[type];
  return `${repetition} ${physical} ${name}${logical};`;
}

/**
 * Formats of lists; ORC is not supported.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory-location.html
 */
export const FORMATS: Readonly<Record<string, InventoryFormat>> = {
  CSV: {
    extension: '.csv.gz',
    contentType: 'application/x-gzip',
    maxRows: Number.POSITIVE_INFINITY,
    schema: (fields) => fields.map(({ name }) => name).join(', '),
    bytes(fields, rows) {
      const compressed = new PassThrough();
      pipeline(Readable.from(lines(fields, rows)), createGzip(), compressed, () => undefined);
      return compressed;
    },
  },
  Parquet: {
    extension: '.parquet',
    contentType: 'application/octet-stream',
    // Rows stay in memory until the file is written; a row may have several KB.
    maxRows: 100_000,
    schema: (fields) => `message s3.inventory { ${fields.map(({ column }) => columnSchema(column)).join(' ')} }`,
    bytes(fields, rows) {
      function* values() {
        for (const row of rows) yield fields.map(({ value }) => value(row));
      }
      return parquetOf(
        fields.map(({ column }) => column),
        values(),
      );
    },
  },
};
