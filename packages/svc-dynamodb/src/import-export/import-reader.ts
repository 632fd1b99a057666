import { createInterface } from 'node:readline';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ImportTableInput } from '@emu/service-types/dynamodb';
import { parseJson } from '@emu/wire';
import { parse } from 'csv-parse';
import { Decompress } from 'fzstd';
import { ionItems } from './ion-reader.ts';

/** An item in DynamoDB JSON; undefined for an invalid record. */
export type ReadItem = Record<string, unknown> | undefined;

/** Options for reading the records of an import. */
export interface ReadOptions {
  input: Pick<ImportTableInput, 'InputFormat' | 'InputCompressionType' | 'InputFormatOptions'>;
  /** Types of the key attributes of the table and its indexes; other columns are strings. */
  keyTypes: ReadonlyMap<string, 'S' | 'N' | 'B'>;
  /** Receives the number of bytes read, after decompression. */
  onBytes(count: number): void;
}

/**
 * Reads the records of an object in one of the "Amazon S3 import formats for DynamoDB" of the developer guide.
 * @throws Error if the object does not match the request: another compression, or invalid content
 */
export async function* readRecords(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<ReadItem> {
  const bytes = counted(uncompressed(body, options.input.InputCompressionType ?? 'NONE'), options.onBytes);
  switch (options.input.InputFormat) {
    case 'ION':
      yield* ionItems(await readBody(bytes));
      break;
    case 'CSV':
      yield* csvItems(bytes, options);
      break;
    default:
      yield* jsonItems(bytes);
  }
}

async function* counted(source: AsyncIterable<Uint8Array>, onBytes: (count: number) => void) {
  for await (const chunk of source) {
    onBytes(chunk.length);
    yield chunk;
  }
}

async function* uncompressed(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  compression: NonNullable<ImportTableInput['InputCompressionType']>,
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(body instanceof Uint8Array ? [body] : body);
  if (compression === 'NONE') yield* source as AsyncIterable<Uint8Array>;
  else if (compression === 'ZSTD') yield* unzstd(source);
  // `pipeline` propagates errors of all streams to the last one's iteration.
  else yield* pipeline(source, createGunzip(), () => undefined) as AsyncIterable<Uint8Array>;
}

async function* unzstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const decompress = new Decompress((chunk) => ready.push(chunk));
  for await (const chunk of source) {
    decompress.push(chunk);
    yield* ready.splice(0);
  }
  decompress.push(new Uint8Array(), true);
  yield* ready.splice(0);
}

async function readBody(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads objects with the member `Item`, usually one per line. */
async function* jsonItems(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReadItem> {
  for await (const line of createInterface({ input: Readable.from(bytes), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const whole = parsed(line);
    if (whole !== undefined) yield itemOf(whole);
    else for (const part of objectsOf(line)) yield itemOf(parsed(part));
  }
}

const itemOf = (value: unknown): ReadItem => (value as { Item?: Record<string, unknown> } | null | undefined)?.Item;

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Splits a line into consecutive JSON objects; invalid text remains joined with what follows it. */
function objectsOf(line: string): string[] {
  const objects: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of line.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth++;
    else if (token === '}' && --depth === 0) {
      objects.push(line.slice(start, index + 1));
      start = index + 1;
    }
  }
  const rest = line.slice(start);
  return rest.trim() === '' ? objects : [...objects, rest];
}

/** Reads lines of values; the names come from the request or else from the first line. */
async function* csvItems(bytes: AsyncIterable<Uint8Array>, { input, keyTypes }: ReadOptions): AsyncGenerator<ReadItem> {
  const { Delimiter: delimiter = ',', HeaderList } = input.InputFormatOptions?.Csv ?? {};
  let names = HeaderList;
  const rows = Readable.from(bytes).pipe(
    parse({ delimiter, bom: true, relax_column_count: true, skip_empty_lines: true }),
  ) as AsyncIterable<string[]>;
  for await (const row of rows) {
    if (!names) {
      names = row;
      continue;
    }
    const header = names;
    yield row.length === header.length
      ? Object.fromEntries(row.map((value, n) => [header[n]!, { [keyTypes.get(header[n]!) ?? 'S']: value }]))
      : undefined;
  }
}
