import {
  type Document,
  type DocumentOptions,
  Lexer,
  type ParsedNode,
  type ParseOptions,
  Parser,
  parseDocument,
  type SchemaOptions,
  type ToJSOptions,
  parse as unlimited,
} from 'yaml';

type Options = ParseOptions & DocumentOptions & SchemaOptions;

/**
 * Maximum nesting of YAML from users. The library recurses for each level: thousands exhaust the stack, near whose end
 * V8 ends the process while it compiles a regular expression, and each level of explicit keys multiplies the time.
 */
const MAX_NESTING = 200;
/** Nesting up to which an estimate is sufficient. */
const SHALLOW = 100;

/**
 * Parses YAML from a user.
 * @throws SyntaxError if it is nested too deeply
 * @throws Error of the library if it is invalid
 */
export function parseYaml(text: string, options: Options & ToJSOptions = {}): unknown {
  refuseDeep(text);
  return unlimited(text, { logLevel: 'error', ...options });
}

/**
 * Parses YAML from a user to a document, which contains the errors of its syntax.
 * @throws SyntaxError if it is nested too deeply
 */
export function parseYamlDocument(text: string, options: Options = {}): Document.Parsed<ParsedNode> {
  refuseDeep(text);
  return parseDocument(text, { logLevel: 'error', ...options });
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
