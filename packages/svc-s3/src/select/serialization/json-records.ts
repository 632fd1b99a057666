import { selectError } from '../errors.ts';
import { endOfString } from './json-text.ts';

/** Maximum characters of a record in JSON lines. */
const MAX_LINE = 1_000_000;
/** Maximum characters of a document, which is completely in memory. */
const MAX_DOCUMENT = 64 * 1024 * 1024;

/**
 * Splits a sequence of JSON values into texts without line breaks.
 * @param lines whether each value is on its own line, with a length limit
 * @throws AwsError (during iteration) `JSONParsingError`, `OverMaxRecordSize`
 */
export async function* jsonRecords(texts: AsyncIterable<string>, lines: boolean): AsyncGenerator<string> {
  const most = lines ? MAX_LINE : MAX_DOCUMENT;
  const splitter = new Splitter();
  for await (const text of texts) {
    yield* splitter.push(text);
    if (splitter.pending > most) throw selectError('OverMaxRecordSize');
  }
  const last = splitter.end();
  if (last !== undefined) yield last;
}

/** Finds the ends of values incrementally. */
class Splitter {
  private text = '';
  private at = 0;
  private depth = 0;
  /** Start of the current value; -1 between values. */
  private start = -1;

  /** Characters of the incomplete value. */
  get pending(): number {
    return this.text.length;
  }

  *push(more: string): Generator<string> {
    this.text += more;
    while (this.at < this.text.length) {
      const char = this.text[this.at]!;
      const blank = char === '\n' || char === ' ' || char === '\r' || char === '\t';
      if (this.start < 0) {
        if (!blank) this.start = this.at;
        else {
          this.at++;
          continue;
        }
      } else if (this.depth === 0 && (blank || char === '{' || char === '[')) {
        yield this.take(this.at);
        continue;
      }
      if (char === '"') {
        const end = endOfString(this.text, this.at);
        // The string is incomplete: it is read again from its start.
        if (end < 0) break;
        this.at = end;
        continue;
      }
      this.at++;
      if (char === '{' || char === '[') this.depth++;
      else if (char === '}' || char === ']') {
        if (--this.depth < 0) throw selectError('JSONParsingError');
        if (this.depth === 0) yield this.take(this.at);
      }
    }
    if (this.start < 0) this.cut(this.at);
  }

  /** Returns the value at the end of the text. */
  end(): string | undefined {
    if (this.start < 0) return undefined;
    if (this.depth > 0 || this.at < this.text.length) throw selectError('JSONParsingError');
    return this.take(this.at);
  }

  private take(end: number): string {
    const value = this.text.slice(this.start, end);
    this.cut(end);
    return /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]+/g, ' ') : value;
  }

  private cut(end: number): void {
    this.text = this.text.slice(end);
    this.at = 0;
    this.start = -1;
  }
}
