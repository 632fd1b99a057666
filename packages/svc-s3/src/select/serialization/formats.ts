import type { CSVInput, InputSerialization, OutputSerialization } from '@emu/service-types/s3';
import { type SelectErrorCode, selectError } from '../errors.ts';

/** CSV format. */
export interface CsvFormat {
  readonly header: 'USE' | 'IGNORE' | 'NONE';
  readonly comments: string | undefined;
  /** Undefined without quoting. */
  readonly quote: string | undefined;
  readonly escape: string;
  readonly fieldDelimiter: string;
  readonly recordDelimiter: string;
  readonly quotedDelimiters: boolean;
}

/** Input format of a request. */
export type InputFormat = { readonly compression: 'NONE' | 'GZIP' | 'BZIP2' } & (
  | { readonly kind: 'csv'; readonly csv: CsvFormat }
  | { readonly kind: 'json'; readonly lines: boolean }
  | { readonly kind: 'parquet' }
);

/** @throws AwsError the given code for an unknown value */
function known<T extends string>(
  value: string | undefined,
  values: readonly T[],
  code: SelectErrorCode,
): T | undefined {
  if (value === undefined) return undefined;
  const found = values.find((one) => one === value);
  if (found === undefined) throw selectError(code);
  return found;
}

/** @throws AwsError `InvalidRequestParameter` */
function characters(value: string | undefined, otherwise: string, most: number): string {
  if (value === undefined || value === '') return otherwise;
  if ([...value].length > most) throw selectError('InvalidRequestParameter');
  return value;
}

function csvFormat(csv: CSVInput): CsvFormat {
  return {
    header: known(csv.FileHeaderInfo, ['USE', 'IGNORE', 'NONE'], 'InvalidFileHeaderInfo') ?? 'NONE',
    comments: csv.Comments ? characters(csv.Comments, '', 1) : undefined,
    quote: csv.QuoteCharacter === '' ? undefined : characters(csv.QuoteCharacter, '"', 1),
    escape: characters(csv.QuoteEscapeCharacter, '"', 1),
    fieldDelimiter: characters(csv.FieldDelimiter, ',', 1),
    recordDelimiter: characters(csv.RecordDelimiter, '\n', 2),
    quotedDelimiters: csv.AllowQuotedRecordDelimiter === true,
  };
}

/**
 * Parses `InputSerialization`.
 * @throws AwsError `InvalidDataSource`, `ObjectSerializationConflict`, …
 */
export function inputFormatOf({ CSV, JSON: json, Parquet, CompressionType }: InputSerialization): InputFormat {
  const given = [CSV, json, Parquet].filter((one) => one !== undefined);
  if (given.length === 0) throw selectError('InvalidDataSource');
  if (given.length > 1) throw selectError('ObjectSerializationConflict');
  const compression = known(CompressionType, ['NONE', 'GZIP', 'BZIP2'], 'InvalidCompressionFormat') ?? 'NONE';
  if (CSV) return { kind: 'csv', csv: csvFormat(CSV), compression };
  if (json) {
    const type = known(json.Type, ['LINES', 'DOCUMENT'], 'InvalidJsonType');
    if (type === undefined) throw selectError('MissingRequiredParameter');
    return { kind: 'json', lines: type === 'LINES', compression };
  }
  // Parquet files are compressed internally.
  if (compression !== 'NONE') throw selectError('InvalidCompressionFormat');
  return { kind: 'parquet', compression };
}

/** Output format. */
export type OutputFormat =
  | { readonly kind: 'json'; readonly recordDelimiter: string }
  | {
      readonly kind: 'csv';
      readonly always: boolean;
      readonly quote: string;
      readonly escape: string;
      readonly fieldDelimiter: string;
      readonly recordDelimiter: string;
    };

/**
 * Parses `OutputSerialization`.
 * @throws AwsError `MissingRequiredParameter`, `ObjectSerializationConflict`, …
 */
export function outputFormatOf({ CSV, JSON: json }: OutputSerialization): OutputFormat {
  if (CSV && json) throw selectError('ObjectSerializationConflict');
  if (json) return { kind: 'json', recordDelimiter: characters(json.RecordDelimiter, '\n', 2) };
  if (!CSV) throw selectError('MissingRequiredParameter');
  return {
    kind: 'csv',
    always: known(CSV.QuoteFields, ['ALWAYS', 'ASNEEDED'], 'InvalidQuoteFields') === 'ALWAYS',
    quote: characters(CSV.QuoteCharacter, '"', 1),
    escape: characters(CSV.QuoteEscapeCharacter, '"', 1),
    fieldDelimiter: characters(CSV.FieldDelimiter, ',', 1),
    recordDelimiter: characters(CSV.RecordDelimiter, '\n', 2),
  };
}
