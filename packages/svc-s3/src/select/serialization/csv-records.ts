import { Readable } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { selectError } from '../errors.ts';
import type { CsvFormat } from './formats.ts';

/** Maximum characters of a record. */
const MAX_RECORD = 1_000_000;

function optionsOf(format: CsvFormat): Options {
  const { quote, escape: escaping, fieldDelimiter, recordDelimiter, comments } = format;
  return {
    bom: true,
    delimiter: fieldDelimiter,
    // By default, both line ending styles are accepted.
    record_delimiter: recordDelimiter === '\n' ? ['\r\n', '\n'] : recordDelimiter,
    quote: quote ?? null,
    escape: escaping,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD,
    ...(comments !== undefined && { comment: comments, comment_no_infix: true }),
  };
}

/**
 * Yields the records of a CSV file as fields.
 * @throws AwsError (during iteration) `CSVParsingError`, `CSVEscapingRecordDelimiter`, `OverMaxRecordSize`
 */
export async function* csvRecords(texts: AsyncIterable<string>, format: CsvFormat): AsyncGenerator<string[]> {
  const source = Readable.from(texts);
  const parser = parse(optionsOf(format));
  let failure: unknown;
  source.on('error', (error) => {
    failure = error;
    parser.destroy(error);
  });
  source.pipe(parser);
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (!format.quotedDelimiters && record.some((field) => field.includes(format.recordDelimiter)))
        throw selectError('CSVEscapingRecordDelimiter');
      yield record;
    }
  } catch (error) {
    if (failure !== undefined) throw failure;
    if (!(error instanceof CsvError)) throw error;
    throw selectError(error.code === 'CSV_MAX_RECORD_SIZE' ? 'OverMaxRecordSize' : 'CSVParsingError');
  } finally {
    source.destroy();
    parser.destroy();
  }
}
