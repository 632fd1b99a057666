import { decompressed } from '../compression/decompress.ts';
import { selectError } from '../errors.ts';
import { csvRecords } from './csv-records.ts';
import type { CsvFormat, InputFormat } from './formats.ts';
import { jsonRecords } from './json-records.ts';
import { recordsWithin, type Scan } from './scan-range.ts';

/** Characters per batch of records. */
const BATCH_SIZE = 1024 * 1024;

/** Reads bytes of the object: `start` inclusive, `end` exclusive. */
export type Reader = (start: number, end: number) => AsyncIterable<Uint8Array>;

/** Statistics of a query. */
export interface Counts {
  /** Bytes of the object. */
  scanned: number;
  /** Bytes after decompression. */
  processed: number;
}

/**
 * Decodes UTF-8.
 * @throws AwsError (during iteration) `InvalidTextEncoding`
 */
async function* decoded(bytes: AsyncIterable<Uint8Array>, counts: Counts): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw selectError('InvalidTextEncoding');
    }
  };
  for await (const chunk of bytes) {
    counts.processed += chunk.length;
    const text = decode(chunk);
    if (text !== '') yield text;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}

async function* counted(bytes: AsyncIterable<Uint8Array>, counts: Counts): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    counts.scanned += chunk.length;
    yield chunk;
  }
}

/** Yields the records of an object as batches of JSON texts, one per line. */
export class RecordSource {
  readonly counts: Counts = { scanned: 0, processed: 0 };

  /** @param size bytes of the object */
  constructor(
    private readonly read: Reader,
    private readonly size: number,
    private readonly format: Exclude<InputFormat, { kind: 'parquet' }>,
    private readonly scan: Scan | undefined,
  ) {}

  /**
   * Returns the column names of a CSV file; `null` without a used header, undefined for JSON.
   * @throws AwsError errors of reading it
   */
  async columns(): Promise<readonly string[] | null | undefined> {
    const { format } = this;
    if (format.kind === 'json') return undefined;
    if (format.csv.header !== 'USE') return null;
    const counts = { scanned: 0, processed: 0 };
    const bytes = decompressed(this.read(0, this.size), format.compression);
    for await (const record of csvRecords(decoded(bytes, counts), format.csv)) return record;
    return [];
  }

  /** @throws AwsError (during iteration) errors of reading the object */
  async *batches(): AsyncGenerator<string> {
    let batch: string[] = [];
    let size = 0;
    for await (const record of this.records()) {
      batch.push(record);
      size += record.length;
      if (size < BATCH_SIZE) continue;
      yield batch.join('\n');
      batch = [];
      size = 0;
    }
    yield batch.join('\n');
  }

  private records(): AsyncGenerator<string> {
    const { format } = this;
    return format.kind === 'json' ? jsonRecords(this.texts('\n'), format.lines) : this.csv(format.csv);
  }

  private async *csv(format: CsvFormat): AsyncGenerator<string> {
    let header = format.header !== 'NONE' && (this.scan?.start ?? 0) === 0;
    for await (const record of csvRecords(this.texts(format.recordDelimiter), format)) {
      if (!header) yield JSON.stringify(record);
      header = false;
    }
  }

  private texts(delimiter: string): AsyncGenerator<string> {
    const { read, size, scan, counts, format } = this;
    if (!scan) return decoded(decompressed(counted(read(0, size), counts), format.compression), counts);
    const ending = Buffer.from(delimiter);
    const from = Math.max(0, scan.start - ending.length);
    return decoded(recordsWithin(counted(read(from, size), counts), from, scan, ending), counts);
  }
}
