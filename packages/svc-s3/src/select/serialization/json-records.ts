import { selectError } from '../errors.ts';
import { endOfString } from './json-text.ts';

/** Characters of the longest record of a file with one on each line. */
const MAX_LINE = 1_000_000;
/** Characters of the longest document; it is in memory as a whole while its parts are looked at. */
const MAX_DOCUMENT = 64 * 1024 * 1024;

/**
 * Splits a sequence of JSON values into the texts of single ones, each without line breaks.
 * @param lines whether each value is on a line of its own, which may not be long
 * @throws AwsError (the iteration) `JSONParsingError`, `OverMaxRecordSize`
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

/** Finds where values end. What has been looked at is not looked at again. */
class Splitter {
  private text = '';
  private at = 0;
  private depth = 0;
  /** Where the value began; -1 between values. */
  private start = -1;

  /** Characters of the value that has not ended. */
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
        // The rest of the string is still to come: it is read again from its start.
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

  /** The value that ends with the text. */
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
