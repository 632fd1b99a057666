import { gunzipSync } from 'node:zlib';
import { isObject, parseJson } from '@emu/wire';
import { StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import type { MapRunner } from './map-runs.ts';
import { parquetRows } from './parquet-items.ts';

/** Evaluated ItemReader fields. */
export interface ReaderConfig {
  readonly InputType?: string;
  readonly CSVHeaderLocation?: string;
  readonly CSVHeaders?: readonly string[];
  readonly CSVDelimiter?: string;
  readonly ItemsPointer?: string;
  readonly ManifestType?: string;
  readonly Transformation?: string;
}

const DELIMITERS: Readonly<Record<string, string>> = {
  COMMA: ',',
  PIPE: '|',
  SEMICOLON: ';',
  SPACE: ' ',
  TAB: '\t',
};

/** Returns the failure of an item reader. */
const failure = (reason: string): StateFailure => new StateFailure('States.ItemReaderFailed', reason);

/**
 * Reads the items of a distributed Map from a bucket.
 * @param action of S3 in the state's resource
 * @param most maximum number of items; infinite for all
 * @throws StateFailure `States.ItemReaderFailed`
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/input-output-itemreader.html
 */
export async function readItems(
  maps: Pick<MapRunner, 'call'>,
  action: string,
  parameters: Json,
  config: ReaderConfig,
  most: number,
): Promise<Json[]> {
  const input = isObject(parameters) ? parameters : {};
  if (action === 'listObjectsV2')
    return config.Transformation === 'LOAD_AND_FLATTEN'
      ? contents(maps, input, config, most)
      : listed(maps, input, most);
  if (action !== 'getObject') throw failure(`emu reads no items by s3:${action}.`);
  const { InputType: type = 'JSON' } = config;
  const body = await bytesOf(maps, input);
  if (config.ManifestType === 'ATHENA_DATA') return unloaded(maps, body, config, most);
  if (type === 'MANIFEST' || config.ManifestType === 'S3_INVENTORY') return inventory(maps, body, most);
  return itemsIn(body, config, most);
}

/** Returns the items of an object by its type. */
async function itemsIn(body: Buffer, config: ReaderConfig, most: number): Promise<Json[]> {
  const { InputType: type = 'JSON' } = config;
  if (type === 'PARQUET') return fromParquet(body, most);
  const text = body.toString('utf8');
  switch (type) {
    case 'CSV':
      return fromCsv(text, config, most);
    case 'JSON':
      return fromJson(text, config.ItemsPointer).slice(0, limited(most));
    case 'JSONL':
      return text
        .split(/\r?\n/)
        .filter((line) => line.trim() !== '')
        .slice(0, limited(most))
        .map((line) => parsed(line, 'JSONL'));
    default:
      throw failure(`emu reads no items of the type ${type}.`);
  }
}

const limited = (most: number): number | undefined => (Number.isFinite(most) ? most : undefined);

function parsed(text: string, type: string): Json {
  try {
    return parseJson(text) as Json;
  } catch {
    throw failure(`Attempting to map over an object that is not valid ${type}.`);
  }
}

async function bytesOf(maps: Pick<MapRunner, 'call'>, input: JsonObject): Promise<Buffer> {
  const { Body } = (await called(maps, 'GetObject', input)) as { Body?: AsyncIterable<Uint8Array> };
  const chunks: Uint8Array[] = [];
  for await (const chunk of Body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function called(maps: Pick<MapRunner, 'call'>, operation: string, input: JsonObject): Promise<unknown> {
  try {
    return await maps.call('s3', operation, input);
  } catch (error) {
    throw failure((error as Error).message);
  }
}

/** Lists all objects of a bucket below a prefix. */
async function listed(maps: Pick<MapRunner, 'call'>, input: JsonObject, most: number): Promise<Json[]> {
  const items: Json[] = [];
  let token: string | undefined;
  do {
    const next = token === undefined ? input : { ...input, ContinuationToken: token };
    const page = (await called(maps, 'ListObjectsV2', next)) as {
      Contents?: { Key: string; ETag?: string; Size?: number; StorageClass?: string; LastModified?: Date }[];
      NextContinuationToken?: string;
    };
    for (const { Key, ETag, Size, StorageClass, LastModified: at } of page.Contents ?? [])
      items.push({
        ...(ETag !== undefined && { Etag: ETag }),
        // Step Functions has seconds instead of the service's dates.
        ...(at !== undefined && { LastModified: Math.floor(at.getTime() / 1000) }),
        Key,
        ...(Size !== undefined && { Size }),
        ...(StorageClass !== undefined && { StorageClass }),
      });
    token = page.NextContinuationToken;
  } while (token !== undefined && items.length < most);
  return items.slice(0, limited(most));
}

/** Returns the items of all objects below a prefix. */
async function contents(
  maps: Pick<MapRunner, 'call'>,
  input: JsonObject,
  config: ReaderConfig,
  most: number,
): Promise<Json[]> {
  const keys = (await listed(maps, input, Number.POSITIVE_INFINITY)).map(
    (object) => (object as JsonObject).Key as string,
  );
  const { Bucket } = input;
  return flattened(
    maps,
    keys.map((Key) => ({ ...(Bucket !== undefined && { Bucket }), Key })),
    config,
    most,
  );
}

/** Returns the items in files of an Athena UNLOAD manifest, one per line. */
function unloaded(
  maps: Pick<MapRunner, 'call'>,
  manifest: Buffer,
  config: ReaderConfig,
  most: number,
): Promise<Json[]> {
  const places = manifest
    .toString('utf8')
    .split(/\r?\n/)
    .flatMap((line) => /^s3:\/\/([^/]+)\/(.+)$/.exec(line.trim()) ?? []);
  const objects: JsonObject[] = [];
  for (let at = 0; at < places.length; at += 3) objects.push({ Bucket: places[at + 1]!, Key: places[at + 2]! });
  return flattened(maps, objects, config, most);
}

async function flattened(
  maps: Pick<MapRunner, 'call'>,
  objects: readonly JsonObject[],
  config: ReaderConfig,
  most: number,
): Promise<Json[]> {
  const items: Json[] = [];
  for (const object of objects) {
    const bytes = await bytesOf(maps, object);
    const body = String(object.Key).endsWith('.gz') ? gunzipSync(bytes) : bytes;
    items.push(...(await itemsIn(body, config, most - items.length)));
    if (items.length >= most) break;
  }
  return items;
}

/** Returns a JSON list, or the list at a pointer in an object. */
function fromJson(text: string, pointer: string | undefined): Json[] {
  let value: Json | undefined = parsed(text, 'JSON');
  for (const step of pointer === undefined ? [] : pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined;
  }
  if (Array.isArray(value)) return value;
  // An object becomes the list of its members.
  if (isObject(value)) return Object.entries(value).map(([Key, Value]) => ({ Key, Value }));
  throw failure('Attempting to map over non-iterable node.');
}

async function fromParquet(body: Buffer, most: number): Promise<Json[]> {
  try {
    return await parquetRows(body, most);
  } catch (error) {
    throw failure(`Attempting to map over an object that is not valid PARQUET: ${(error as Error).message}`);
  }
}

/** Returns CSV rows as objects by header. */
function fromCsv(text: string, config: ReaderConfig, most: number): Json[] {
  const rows = csvRows(text, DELIMITERS[config.CSVDelimiter ?? 'COMMA'] ?? ',');
  const headers = config.CSVHeaderLocation === 'GIVEN' ? config.CSVHeaders : rows.shift();
  if (new Set(headers).size < (headers ?? []).length) throw failure('CSV headers cannot contain duplicates.');
  return rows
    .slice(0, limited(most))
    .map((row) => Object.fromEntries((headers ?? []).map((header, index) => [header, row[index] ?? ''])));
}

/** Parses CSV according to RFC 4180; skips empty lines. */
function csvRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  const end = (): void => {
    row.push(field);
    field = '';
  };
  const endRow = (): void => {
    end();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') field += text[at++]!;
      else quoted = false;
    } else if (char === '"' && field === '') quoted = true;
    else if (char === delimiter) end();
    else if (char === '\n') endRow();
    else if (char !== '\r') field += char;
  }
  if (field !== '' || row.length > 0) endRow();
  return rows;
}

/** Returns the rows of a CSV S3 inventory by its manifest. */
async function inventory(maps: Pick<MapRunner, 'call'>, manifest: Buffer, most: number): Promise<Json[]> {
  const value = parsed(manifest.toString('utf8'), 'JSON');
  const { destinationBucket, fileFormat, fileSchema, files } = isObject(value) ? value : {};
  if (
    !['CSV', 'Parquet'].includes(String(fileFormat)) ||
    typeof fileSchema !== 'string' ||
    typeof destinationBucket !== 'string'
  )
    throw failure('emu reads manifests of S3 inventories in CSV and Parquet only.');
  const headers = fileSchema.split(',').map((name) => name.trim());
  const Bucket = destinationBucket.replace(/^arn:[^:]*:s3:::/, '');
  const items: Json[] = [];
  for (const file of Array.isArray(files) ? files : []) {
    const Key = isObject(file) && typeof file.key === 'string' ? file.key : '';
    const bytes = await bytesOf(maps, { Bucket, Key });
    if (fileFormat === 'Parquet') {
      items.push(...(await fromParquet(bytes, most - items.length)));
      continue;
    }
    const text = (Key.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    for (const row of csvRows(text, ','))
      items.push(Object.fromEntries(headers.map((header, index) => [header, row[index] ?? ''])));
    if (items.length >= most) break;
  }
  return items.slice(0, limited(most));
}
