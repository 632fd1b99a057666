import {
  type Document,
  type DocumentOptions,
  isScalar,
  Lexer,
  LineCounter,
  type ParsedNode,
  type ParseOptions,
  Parser,
  parseDocument,
  type Scalar,
  type SchemaOptions,
  type ToJSOptions,
  visit,
  YAMLParseError,
} from 'yaml';

type Options = Omit<ParseOptions, 'lineCounter' | 'uniqueKeys'> & DocumentOptions & SchemaOptions;

/**
 * Maximum nesting of YAML from users. The library recurses for each level: thousands exhaust the stack, near whose end
 * V8 ends the process while it compiles a regular expression, and each level of explicit keys multiplies the time.
 */
const MAX_NESTING = 200;
/** Nesting up to which an estimate is sufficient. */
const SHALLOW = 100;

/**
 * Parses YAML from a user. Keys of a map are unique.
 * @throws SyntaxError if it is nested too deeply
 * @throws Error of the library if it is invalid
 */
export function parseYaml(text: string, options: Options & ToJSOptions = {}): unknown {
  return validDocument(text, options).toJS(options);
}

/** @throws Error for invalid YAML */
function validDocument(text: string, options: Options): Document.Parsed<ParsedNode> {
  const document = parseYamlDocument(text, options);
  const [error] = document.errors;
  if (error) throw error;
  return document;
}

/** Members of API definitions that are texts, also if they look like numbers: `version: 1.0`. */
export const VERSION_MEMBERS: ReadonlySet<unknown> = new Set(['openapi', 'payloadFormatVersion', 'swagger', 'version']);

/**
 * Parses an API definition in YAML. Versions keep their text, of which a number would lose the zero in `1.0`.
 * @param maxAliasCount maximum number of resolved aliases, since a document could grow without bound
 * @throws SyntaxError if it is nested too deeply
 * @throws Error of the library if it is invalid
 */
export function parseApiDefinition(text: string, maxAliasCount: number): unknown {
  const document = validDocument(text, {});
  visit(document, {
    Pair(_, { key, value }) {
      if (
        isScalar(key) &&
        VERSION_MEMBERS.has(key.value) &&
        isScalar(value) &&
        typeof value.value === 'number' &&
        value.source
      )
        value.value = value.source;
    },
  });
  return document.toJS({ maxAliasCount });
}

/**
 * Parses YAML from a user to a document, which contains the errors of its syntax. Keys of a map are unique.
 * @throws SyntaxError if it is nested too deeply
 */
export function parseYamlDocument(text: string, options: Options = {}): Document.Parsed<ParsedNode> {
  refuseDeep(text);
  const lineCounter = new LineCounter();
  // The library compares each key with all others of its map.
  const document = parseDocument(text, { logLevel: 'error', ...options, lineCounter, uniqueKeys: false });
  const repeated = repeatedKey(document);
  if (repeated) {
    document.errors.push(repetition(repeated, lineCounter));
    document.errors.sort((one, other) => one.pos[0] - other.pos[0]);
  }
  return document;
}

/** Returns the first key that its map already contains. */
function repeatedKey(document: Document.Parsed<ParsedNode>): Scalar | undefined {
  let first: Scalar | undefined;
  visit(document, {
    Map(_, { items }) {
      const values = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (values.has(key.value) && (!first || key.range![0] < first.range![0])) first = key;
        values.add(key.value);
      }
    },
  });
  return first;
}

/** Returns the library's error for a repeated key. */
function repetition({ range }: Scalar, lines: LineCounter): YAMLParseError {
  const [start, end] = range!;
  const error = new YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique');
  const place = lines.linePos(start);
  error.linePos = [place, lines.linePos(end)];
  error.message += ` at line ${place.line}, column ${place.col}`;
  return error;
}

/** @throws SyntaxError */
function refuseDeep(text: string): void {
  if (mostNesting(text) <= SHALLOW) return;
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > MAX_NESTING) throw new SyntaxError(`YAML is nested deeper than ${MAX_NESTING} levels`);
  }
}

/**
 * Returns an upper bound of the nesting: brackets, and two levels per column of indentation, because a list may have the
 * indentation of its key.
 */
function mostNesting(text: string): number {
  let brackets = 0;
  let indentation = 0;
  let atStart = true;
  let column = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '[':
      case '{':
        brackets++;
        atStart = false;
        break;
      case '\n':
        atStart = true;
        column = 0;
        break;
      case ' ':
      case '-':
      case '?':
      case ':':
      case '\t':
        if (atStart) indentation = Math.max(indentation, ++column);
        break;
      default:
        atStart = false;
    }
  }
  return brackets + 2 * indentation;
}
