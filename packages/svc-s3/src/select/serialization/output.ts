import type { Row } from '../engine.ts';
import { selectError } from '../errors.ts';
import type { OutputFormat } from './formats.ts';
import { elementsOf, membersOf } from './json-text.ts';

/** Maximum characters of a record. */
const MAX_RECORD = 1_000_000;

/** Returns the CSV text of a JSON value: unquoted strings; nested values as JSON. */
const plain = (json: string | null): string => {
  if (json === null || json === 'null') return '';
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
};

/**
 * Creates a writer for result rows.
 * @param columns column names; `null` if a row is the whole record
 * @param headers columns of the queried CSV file, whose records are arrays
 */
export class ResultWriter {
  constructor(
    private readonly format: OutputFormat,
    private readonly columns: readonly string[] | null,
    private readonly headers: readonly string[] | null | undefined,
  ) {}

  /** @throws AwsError `OverMaxRecordSize` */
  write(row: Row): string {
    const text = this.format.kind === 'csv' ? this.csv(this.fields(row)) : this.json(row);
    if (text.length > MAX_RECORD) throw selectError('OverMaxRecordSize');
    return text + this.format.recordDelimiter;
  }

  /** Returns the fields of a row, in order. */
  private fields(row: Row): (string | null)[] {
    if (this.columns) return [...row];
    const [record] = row as [string | null];
    if (record === null) return [null];
    if (record.startsWith('{')) return Array.from(membersOf(record), ([, value]) => value);
    return this.headers === undefined ? [record] : [...elementsOf(record)];
  }

  private csv(fields: (string | null)[]): string {
    return fields.map((field) => this.quoted(plain(field))).join(this.csvFormat.fieldDelimiter);
  }

  private get csvFormat(): Extract<OutputFormat, { kind: 'csv' }> {
    return this.format as Extract<OutputFormat, { kind: 'csv' }>;
  }

  private quoted(text: string): string {
    const { always, quote, escape: escaping, fieldDelimiter, recordDelimiter } = this.csvFormat;
    const needed = always || [quote, fieldDelimiter, recordDelimiter, '\n', '\r'].some((one) => text.includes(one));
    if (!needed) return text;
    const escaped = escaping === quote ? text : text.replaceAll(escaping, escaping + escaping);
    return quote + escaped.replaceAll(quote, escaping + quote) + quote;
  }

  private json(row: Row): string {
    if (!this.columns) {
      const [record] = row as [string | null];
      if (record === null) return '{}';
      if (record.startsWith('{')) return compact(record);
      if (this.headers === undefined) return `{"_1":${compact(record)}}`;
      return object([...elementsOf(record)].map((value, index) => [this.headers?.[index] ?? `_${index + 1}`, value]));
    }
    return object(this.columns.flatMap((name, index) => (row[index] == null ? [] : [[name, row[index]] as const])));
  }
}

const object = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${compact(value)}`).join(',')}}`;

/** Returns the JSON without white space between tokens; numbers and strings keep their notation. */
const compact = (json: string): string =>
  /\s/.test(json) ? json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text: string | undefined) => text ?? '') : json;
