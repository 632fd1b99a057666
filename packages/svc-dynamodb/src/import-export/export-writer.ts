import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { encodeItem } from '../attributes/codec.ts';
import type { Item } from '../attributes/values.ts';
import { ionStruct } from './ion-writer.ts';
import type { ExportRecord } from './jobs.ts';

const compress = promisify(gzip);

/** Maximum characters of lines in a data file. */
const FILE_LENGTH = 16 * 1024 * 1024;

/** One line of a data file: parts by name, for example `Item`, or `Keys` and `NewImage`. */
export interface ExportLine {
  parts: Readonly<Record<string, Item>>;
}

/** Puts one object into S3. */
export type PutObject = (key: string, body: Uint8Array, contentType: string) => Promise<void>;

/** Result of an export. */
export interface ExportResult {
  itemCount: number;
  bytes: number;
  manifest: string;
}

const md5 = (body: Uint8Array, encoding: 'base64' | 'hex'): string => createHash('md5').update(body).digest(encoding);

function lineText({ parts }: ExportLine, format: ExportRecord['format']): string {
  const entries = Object.entries(parts);
  if (format === 'ION') return `$ion_1_0 {${entries.map(([name, item]) => `${name}:${ionStruct(item)}`).join(',')}}\n`;
  return `${JSON.stringify(Object.fromEntries(entries.map(([name, item]) => [name, encodeItem(item)])))}\n`;
}

/**
 * Writes an export in the layout of "DynamoDB table export output format" of the developer guide: data files, then the
 * manifests with their checksums.
 * @param random generates the names of data files
 * @param now the current time in epoch milliseconds
 */
export async function writeExport(
  record: ExportRecord,
  lines: Iterable<ExportLine>,
  put: PutObject,
  random: () => string,
  now: () => number,
): Promise<ExportResult> {
  const root = `${record.prefix ? `${record.prefix.replace(/\/$/, '')}/` : ''}AWSDynamoDB`;
  const folder = `${root}/${record.id}`;
  const data = record.incremental ? `${root}/data` : `${folder}/data`;
  const extension = record.format === 'ION' ? 'ion.gz' : 'json.gz';
  await put(`${folder}/_started`, new Uint8Array(), 'application/octet-stream');
  const files: object[] = [];
  let itemCount = 0;
  let bytes = 0;
  let text = '';
  let inFile = 0;
  const flush = async (): Promise<void> => {
    const body = await compress(text);
    const key = `${data}/${random()}.${extension}`;
    await put(key, body, 'application/octet-stream');
    files.push({
      itemCount: inFile,
      md5Checksum: md5(body, 'base64'),
      etag: md5(body, 'hex'),
      dataFileS3Key: key,
    });
    bytes += Buffer.byteLength(text);
    text = '';
    inFile = 0;
  };
  for (const line of lines) {
    text += lineText(line, record.format);
    inFile++;
    itemCount++;
    if (text.length >= FILE_LENGTH) await flush();
  }
  if (inFile || !files.length) await flush();
  const manifestFiles = `${folder}/manifest-files.json`;
  const manifest = `${folder}/manifest-summary.json`;
  const { incremental } = record;
  const summary = {
    version: incremental ? '2023-08-01' : '2020-06-30',
    exportArn: record.arn,
    startTime: new Date(record.startedAt).toISOString(),
    endTime: new Date(now()).toISOString(),
    tableArn: record.tableArn,
    tableId: record.tableId,
    ...(incremental
      ? {
          exportFromTime: new Date(incremental.from).toISOString(),
          exportToTime: new Date(incremental.to).toISOString(),
          exportType: 'INCREMENTAL_EXPORT',
          outputView: incremental.view,
        }
      : { exportTime: new Date(record.time).toISOString() }),
    s3Bucket: record.bucket,
    s3Prefix: record.prefix ?? null,
    s3SseAlgorithm: record.sseAlgorithm ?? 'AES256',
    s3SseKmsKeyId: record.sseKey ?? null,
    manifestFilesS3Key: manifestFiles,
    billedSizeBytes: bytes,
    itemCount,
    outputFormat: record.format,
  };
  for (const [key, content] of [
    [manifestFiles, files.map((file) => `${JSON.stringify(file)}\n`).join('')],
    [manifest, JSON.stringify(summary)],
  ] as const) {
    const body = Buffer.from(content);
    await put(key, body, 'application/json');
    await put(key.replace(/\.json$/, '.md5'), Buffer.from(md5(body, 'base64')), 'text/plain');
  }
  return { itemCount, bytes, manifest };
}
