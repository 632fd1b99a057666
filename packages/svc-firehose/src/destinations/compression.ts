import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { CompressionFormat } from '@emu/service-types/firehose';
import { type AsyncZippable, zip } from 'fflate';

const gzipped = promisify(gzip);
const zipped = promisify<AsyncZippable, Uint8Array>(zip);

/** File extensions that AWS appends: "Amazon S3 object name" of the developer guide. */
export const EXTENSIONS: Readonly<Record<CompressionFormat, string>> = {
  UNCOMPRESSED: '',
  GZIP: '.gz',
  ZIP: '.zip',
  Snappy: '.snappy',
  HADOOP_SNAPPY: '.hsnappy',
};

/**
 * Returns the content of an object.
 * @param name file name in a ZIP archive
 */
export async function compress(bytes: Buffer, format: CompressionFormat, name: string): Promise<Uint8Array> {
  switch (format) {
    case 'GZIP':
      return gzipped(bytes);
    case 'ZIP':
      return zipped({ [name]: bytes });
    case 'Snappy':
      return (await import('./snappy.ts')).framedSnappy(bytes);
    case 'HADOOP_SNAPPY':
      return (await import('./snappy.ts')).hadoopSnappy(bytes);
    default:
      return bytes;
  }
}
