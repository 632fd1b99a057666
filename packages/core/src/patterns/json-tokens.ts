/** Deepest supported nesting of a pattern or an event, as in Jackson's StreamReadConstraints. */
export const MAX_NESTING = 1000;

/** Maximum characters of the source in an error message. */
const MAX_SHOWN = 500;

const HIDDEN_SOURCE = 'REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled)';

/** Error of an invalid pattern; the message ends with the place, in the form of AWS's parser. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  /**
   * @param reason description of the problem
   * @param place ` at [Source: …]` after a line break, or empty if AWS names no place
   */
  constructor(
    readonly reason: string,
    place: string,
  ) {
    super(reason + place);
  }
}

export type Token =
  | 'START_OBJECT'
  | 'END_OBJECT'
  | 'START_ARRAY'
  | 'END_ARRAY'
  | 'FIELD_NAME'
  | 'STRING'
  | 'NUMBER'
  | 'TRUE'
  | 'FALSE'
  | 'NULL'
  | 'END';

interface Container {
  readonly array: boolean;
  readonly start: number;
  count: number;
}

const EXPECTED_VALUE = "JSON String, Number, Array, Object or token 'null', 'true' or 'false'";
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  '/': '/',
};
const LITERALS: readonly (readonly [string, Token])[] = [
  ['true', 'TRUE'],
  ['false', 'FALSE'],
  ['null', 'NULL'],
];

/**
 * Reads JSON by tokens. AWS reads patterns with a streaming parser, whose position is part of its error messages. This
 * parser has the same positions: it reads a string only when its text is requested or skipped, and reads the beginning
 * of a field's value with its name.
 */
export class JsonTokens {
  private position = 0;
  private readonly containers: Container[] = [];
  private pending: Token | undefined;
  /** Whether a string's opening quote is read and its characters are not. */
  private unread = false;
  private value = '';
  /** Name of the field of the latest FIELD_NAME token. */
  fieldName = '';

  /** @param showsSource whether errors contain the text */
  constructor(
    private readonly source: string,
    private readonly showsSource = true,
  ) {}

  /** @throws PatternError for invalid JSON */
  next(): Token {
    if (this.pending) {
      const token = this.pending;
      this.pending = undefined;
      return this.enter(token);
    }
    if (this.unread) this.text();
    const container = this.containers.at(-1);
    this.skipSpace();
    if (this.position >= this.source.length) return this.end(container);
    const character = this.source[this.position]!;
    if (character === ']' || character === '}') return this.leave(character, container);
    if (!container) return this.enter(this.readValue());
    if (container.count++) this.separator(container);
    if (container.array) return this.enter(this.readValue());
    this.readName();
    this.pending = this.readValue();
    return 'FIELD_NAME';
  }

  /** Returns the text of the current token: a string's characters, a number's digits, a bracket. */
  text(): string {
    if (this.unread) {
      this.unread = false;
      this.value = this.readString('was expecting closing quote for a string value');
    }
    return this.value;
  }

  /** Returns an error at the parser's current place. */
  error(reason: string): PatternError {
    return new PatternError(reason, this.place(this.position));
  }

  private place(position: number): string {
    return `\n at ${this.describe(position)}`;
  }

  private describe(position: number): string {
    let line = 1;
    let lineStart = 0;
    for (let index = 0; index < position; index++) {
      const character = this.source[index];
      if (character === '\n' || (character === '\r' && this.source[index + 1] !== '\n')) {
        line++;
        lineStart = index + 1;
      }
    }
    const source = this.showsSource ? this.shownSource() : HIDDEN_SOURCE;
    return `[Source: ${source}; line: ${line}, column: ${position - lineStart + 1}]`;
  }

  private shownSource(): string {
    const more = this.source.length - MAX_SHOWN;
    return `(String)"${this.source.slice(0, MAX_SHOWN)}"${more > 0 ? `[truncated ${more} chars]` : ''}`;
  }

  private enter(token: Token): Token {
    if (token !== 'START_OBJECT' && token !== 'START_ARRAY') return token;
    this.containers.push({ array: token === 'START_ARRAY', start: this.position, count: 0 });
    if (this.containers.length > MAX_NESTING)
      throw this.error(
        `Document nesting depth (${this.containers.length}) exceeds the maximum allowed (${MAX_NESTING})`,
      );
    return token;
  }

  private leave(character: ']' | '}', container: Container | undefined): Token {
    this.position++;
    const array = character === ']';
    if (!container || container.array !== array) {
      const kind = container?.array ? 'Array' : 'Object';
      if (!container) throw this.unexpected('expected a value');
      throw this.error(
        `Unexpected close marker '${character}': expected '${container.array ? ']' : '}'}' (for ${kind} starting at ${this.describe(container.start - 1)})`,
      );
    }
    this.containers.pop();
    this.value = character;
    return array ? 'END_ARRAY' : 'END_OBJECT';
  }

  private end(container: Container | undefined): Token {
    if (!container) return 'END';
    const kind = container.array ? 'Array' : 'Object';
    throw this.error(
      `Unexpected end-of-input: expected close marker for ${kind} (start marker at ${this.describe(container.start - 1)})`,
    );
  }

  private separator({ array }: Container): void {
    if (this.source[this.position] !== ',') {
      this.position++;
      throw this.unexpected(`was expecting comma to separate ${array ? 'Array' : 'Object'} entries`);
    }
    this.position++;
    this.skipSpace();
  }

  private readName(): void {
    if (this.position >= this.source.length) this.end(this.containers.at(-1));
    if (this.source[this.position++] !== '"') throw this.unexpected('was expecting double-quote to start field name');
    this.fieldName = this.readString('was expecting closing quote for a field name');
    this.skipSpace();
    if (this.position >= this.source.length) this.end(this.containers.at(-1));
    if (this.source[this.position++] !== ':')
      throw this.unexpected('was expecting a colon to separate field name and value');
    this.skipSpace();
  }

  /** Reads a scalar, an opening bracket, or the opening quote of a string. */
  private readValue(): Token {
    const { source, position } = this;
    const character = source[position];
    if (character === undefined) return this.end(this.containers.at(-1));
    if (character === '"') {
      this.position++;
      this.unread = true;
      return 'STRING';
    }
    if (character === '{' || character === '[') {
      this.position++;
      this.value = character;
      return character === '{' ? 'START_OBJECT' : 'START_ARRAY';
    }
    if (character === '-' || (character >= '0' && character <= '9')) return this.readNumber();
    for (const [literal, token] of LITERALS)
      if (source.startsWith(literal, position) && !isNamePart(source[position + literal.length])) {
        this.position += literal.length;
        this.value = literal;
        return token;
      }
    return this.refuseValue(character);
  }

  private refuseValue(character: string): never {
    this.position++;
    if (character === ',' || character === ']' || character === '}') throw this.unexpected('expected a value');
    if (!isNamePart(character)) throw this.unexpected(`expected a valid value (${EXPECTED_VALUE})`);
    const start = this.position - 1;
    while (isNamePart(this.source[this.position])) this.position++;
    const word = this.source.slice(start, this.position);
    throw this.error(`Unrecognized token '${word}': was expecting (${EXPECTED_VALUE})`);
  }

  private readNumber(): Token {
    const pattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.source);
    if (!match) {
      this.position += 2;
      throw this.unexpected('expected digit (0-9) to follow minus sign, for valid numeric value');
    }
    this.position = pattern.lastIndex;
    this.value = match[0];
    const follower = this.source[this.position];
    if (follower !== undefined && !/[\s,\]}]/.test(follower)) {
      this.position++;
      if (match[0].endsWith('0') && /\d/.test(follower))
        throw this.error('Invalid numeric value: Leading zeroes not allowed');
      throw this.unexpected('Expected space separating root-level values');
    }
    return 'NUMBER';
  }

  private readString(unended: string): string {
    const { source } = this;
    let out = '';
    let start = this.position;
    for (;;) {
      const character = source[this.position];
      if (character === undefined) throw this.error(`Unexpected end-of-input: ${unended}`);
      if (character === '"') {
        out += source.slice(start, this.position++);
        return out;
      }
      if (character === '\\') {
        out += source.slice(start, this.position++) + this.readEscape();
        start = this.position;
      } else if (character < ' ') {
        this.position++;
        throw this.error(
          `Illegal unquoted character ((CTRL-CHAR, code ${character.charCodeAt(0)})): has to be escaped using backslash to be included in string value`,
        );
      } else this.position++;
    }
  }

  private readEscape(): string {
    const character = this.source[this.position++];
    if (character === 'u') {
      const digits = this.source.slice(this.position, this.position + 4);
      if (!/^[\da-f]{4}$/i.test(digits)) throw this.error('expected a hex-digit for character escape sequence');
      this.position += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const escaped = character === undefined ? undefined : ESCAPES[character];
    if (escaped === undefined)
      throw this.error(
        character === undefined
          ? 'Unexpected end-of-input in character escape sequence'
          : `Unrecognized character escape ${describeCharacter(character)}`,
      );
    return escaped;
  }

  private skipSpace(): void {
    const { source } = this;
    while (this.position < source.length && ' \t\n\r'.includes(source[this.position]!)) this.position++;
  }

  /** Returns the error for the last character read; its place is before that character. */
  private unexpected(expectation: string): PatternError {
    const at = this.position - 1;
    const character = this.source[at];
    if (character === undefined) return this.error('Unexpected end-of-input');
    return new PatternError(`Unexpected character (${describeCharacter(character)}): ${expectation}`, this.place(at));
  }
}

const isNamePart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{Nd}_$]/u.test(character);

function describeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return code < 32 ? `(CTRL-CHAR, code ${code})` : `'${character}' (code ${code})`;
}

/**
 * Returns the error of AWS's parser for invalid JSON, with its place.
 * @returns undefined for valid JSON
 */
export function jsonSyntaxError(text: string): string | undefined {
  const tokens = new JsonTokens(text, false);
  try {
    if (tokens.next() === 'END') return tokens.error('No content to map due to end-of-input').message;
    while (tokens.next() !== 'END');
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
