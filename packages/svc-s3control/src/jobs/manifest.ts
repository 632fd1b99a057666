import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { GetObjectOutput, GetObjectRequest } from '@emu/service-types/s3';
import type { JobManifest, JobManifestFieldName } from '@emu/service-types/s3control';
import { AwsError, parseJson, piecesOf } from '@emu/wire';
import { CsvError, parse } from 'csv-parse';
import { JobFailedError } from './errors.ts';
import type { Task } from './records.ts';
import { objectOf } from './requests.ts';

/** Reads an object with the job's role. */
export type ReadObject = (input: GetObjectRequest) => Promise<GetObjectOutput>;

/** Reads Parquet columns as text; undefined for missing values. */
export type ReadParquet = (
  body: AsyncIterable<Uint8Array>,
  columns: readonly string[],
) => Promise<AsyncIterable<readonly (string | undefined)[]>>;

/** Maximum bytes of a line: three fields, with a percent-encoded key of maximum length. */
const MAX_RECORD = 8192;
/** Maximum bytes of an inventory's `manifest.json`. */
const MAX_INVENTORY_MANIFEST = 64 * 1024 * 1024;

const EMPTY = 'the bucket or the key is empty';

/** A file of an inventory list. */
interface InventoryFile {
  key: string;
}

/**
 * Yields the objects of a manifest in order.
 * @throws JobFailedError (during iteration) if it cannot be read, has an unexpected ETag, or is malformed
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-create-job.html#specify-batchjob-manifest
 */
export async function* manifestTasks(
  manifest: JobManifest,
  read: ReadObject,
  readParquet: ReadParquet,
): AsyncGenerator<Task> {
  const { ObjectArn: arn, ObjectVersionId: versionId, ETag: expected } = manifest.Location;
  const { bucket, key } = objectOf(arn);
  const { Body: body, ETag: etag = '' } = await reading(read({ Bucket: bucket, Key: key, VersionId: versionId }));
  if (unquoted(etag) !== unquoted(expected)) {
    await drop(piecesOf(body));
    throw new JobFailedError(
      'PreconditionFailed',
      `The ETag of the manifest is ${unquoted(etag)}, not ${unquoted(expected)}`,
    );
  }
  const where = `Manifest E:${unquoted(etag)} B:${bucket} K:${key}`;
  if (manifest.Spec.Format === 'S3BatchOperations_CSV_20180820')
    yield* rows(piecesOf(body), manifest.Spec.Fields ?? [], where);
  else yield* inventoryTasks(piecesOf(body), bucket, where, read, readParquet);
}

async function* inventoryTasks(
  body: AsyncIterable<Uint8Array>,
  bucket: string,
  where: string,
  read: ReadObject,
  readParquet: ReadParquet,
): AsyncGenerator<Task> {
  const { fileFormat, fileSchema, files } = inventoryOf(await readManifest(body, where), where);
  if (fileFormat === 'Parquet') {
    for (const { key } of files) {
      const { Body: file } = await reading(read({ Bucket: bucket, Key: key }));
      yield* parquetTasks(piecesOf(file), readParquet, `Manifest B:${bucket} K:${key}`);
    }
    return;
  }
  if (fileFormat !== 'CSV')
    throw invalidManifest(where, `inventory lists in ${fileFormat} are not supported, only those in CSV and Parquet`);
  const fields = fileSchema
    .split(',')
    .map(
      (name): JobManifestFieldName =>
        /^(Bucket|Key|VersionId)$/.test(name.trim()) ? (name.trim() as JobManifestFieldName) : 'Ignore',
    );
  if (!fields.includes('Bucket') || !fields.includes('Key')) throw invalidManifest(where, 'Bucket and Key are missing');
  for (const { key } of files) {
    const { Body: file } = await reading(read({ Bucket: bucket, Key: key }));
    const source = Readable.from(piecesOf(file));
    const unpacked = createGunzip();
    source.on('error', (error) => unpacked.destroy(error));
    try {
      yield* rows(key.endsWith('.gz') ? source.pipe(unpacked) : source, fields, `Manifest B:${bucket} K:${key}`);
    } finally {
      source.destroy();
      unpacked.destroy();
    }
  }
}

/** Yields the tasks of a Parquet file, with unencoded keys. */
async function* parquetTasks(
  body: AsyncIterable<Uint8Array>,
  readParquet: ReadParquet,
  where: string,
): AsyncGenerator<Task> {
  let line = 0;
  try {
    for await (const [bucket = '', key = '', versionId] of await readParquet(body, ['bucket', 'key', 'version_id'])) {
      line++;
      if (bucket === '' || key === '') throw invalidManifest(where, EMPTY, line);
      yield { bucket, key, versionId };
    }
  } catch (error) {
    if (error instanceof AwsError) throw invalidManifest(where, error.message);
    throw error;
  }
}

function inventoryOf(text: string, where: string): { fileFormat: string; fileSchema: string; files: InventoryFile[] } {
  let value: { fileFormat?: unknown; fileSchema?: unknown; files?: unknown };
  try {
    value = parseJson(text) as typeof value;
  } catch {
    throw invalidManifest(where, 'it is not JSON');
  }
  const { fileFormat, fileSchema, files } = value ?? {};
  const listed = Array.isArray(files) && files.every((file) => typeof file?.key === 'string');
  if (typeof fileFormat !== 'string' || typeof fileSchema !== 'string' || !listed)
    throw invalidManifest(where, 'it is not the manifest of an inventory');
  return { fileFormat, fileSchema, files: files as InventoryFile[] };
}

/** Yields the tasks of a CSV file, with percent-encoded keys. */
async function* rows(
  body: AsyncIterable<Uint8Array>,
  fields: readonly JobManifestFieldName[],
  where: string,
): AsyncGenerator<Task> {
  const source = Readable.from(body);
  const parser = parse({ bom: true, relax_column_count: true, skip_empty_lines: true, max_record_size: MAX_RECORD });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let line = 0;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      line++;
      yield taskOf(record, fields, where, line);
    }
  } catch (error) {
    if (error instanceof CsvError) throw invalidManifest(where, error.message, line + 1);
    if (error instanceof JobFailedError || error instanceof AwsError) throw error;
    throw invalidManifest(where, 'it could not be read');
  } finally {
    source.destroy();
    parser.destroy();
  }
}

function taskOf(record: string[], fields: readonly JobManifestFieldName[], where: string, line: number): Task {
  if (record.length !== fields.length)
    throw invalidManifest(where, `expected ${fields.length} columns, found ${record.length}`, line);
  const field = (name: JobManifestFieldName): string => record[fields.indexOf(name)] ?? '';
  const [bucket, encoded, versionId] = [field('Bucket'), field('Key'), field('VersionId')];
  if (bucket === '' || encoded === '') throw invalidManifest(where, EMPTY, line);
  try {
    const key = decodeURIComponent(encoded.replaceAll('+', ' '));
    return { bucket, key, versionId: versionId === '' ? undefined : versionId };
  } catch {
    throw invalidManifest(where, 'the key is not URL-encoded', line);
  }
}

function invalidManifest(where: string, why: string, line?: number): JobFailedError {
  const at = line === undefined ? '' : ` at Line ${line}`;
  return new JobFailedError('InvalidManifest', `Failed to parse task from ${where}${at}: ${why}`);
}

async function reading<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.code === 'AccessDenied')
      throw new JobFailedError(error.code, 'Reading the manifest is forbidden: AccessDenied');
    throw new JobFailedError(error.code, `Reading the manifest failed: ${error.code}: ${error.message}`);
  }
}

async function readManifest(body: AsyncIterable<Uint8Array>, where: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_INVENTORY_MANIFEST) throw invalidManifest(where, 'it is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Releases an unread body. */
async function drop(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

const unquoted = (etag: string): string => etag.replaceAll('"', '');
