import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';

/** Represents a part that is known at run time only. */
export const HOLE = '{}';

/** A string, template, name or number in the sources. */
export interface Literal {
  readonly text: string;
  /** Codes of the errors with this text as message; undefined represents any other use. */
  readonly codes: ReadonlySet<string | undefined>;
}

/** Tokens after which a slash is a division; after others it starts a regular expression. */
const OPERANDS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.ThisKeyword,
  SyntaxKind.StringLiteral,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
]);
/** Text before the message of an error with a known code: the code is its only string. */
const CODED = /(?: [aA]wsError \( | (?:Error)?Code : | code : )"([^"]*)" , (?:(?:(?:Error)?Message|message) : )?$/;
const WINDOW = 6;

const scanner = createScanner(true);

/** Calls back for each literal, name and number in TypeScript text, with the error code it belongs to. */
function scan(text: string, found: (literal: string, code?: string) => void): void {
  scanner.setText(text);
  /** For each open brace the enclosing template, or undefined for a brace of code. */
  const open: ({ text: string; readonly code: string | undefined } | undefined)[] = [];
  const before: string[] = [];
  let previous = SyntaxKind.Unknown;
  const codeHere = (): string | undefined => CODED.exec(` ${before.join('')}`)?.[1];
  for (;;) {
    let token = scanner.scan();
    if (token === SyntaxKind.EndOfFile) return;
    if ((token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken) && !OPERANDS.has(previous))
      token = scanner.reScanSlashToken();
    const template = token === SyntaxKind.CloseBraceToken ? open.pop() : undefined;
    if (template) {
      token = scanner.reScanTemplateToken(false);
      template.text += HOLE + scanner.getTokenValue();
      if (token === SyntaxKind.TemplateMiddle) open.push(template);
      else found(template.text, template.code);
    } else if (token === SyntaxKind.OpenBraceToken) open.push(undefined);
    else if (token === SyntaxKind.TemplateHead) open.push({ text: scanner.getTokenValue(), code: codeHere() });
    else if (token === SyntaxKind.StringLiteral || token === SyntaxKind.NoSubstitutionTemplateLiteral)
      found(scanner.getTokenValue(), codeHere());
    else if (token === SyntaxKind.Identifier || token === SyntaxKind.NumericLiteral) found(scanner.getTokenValue());
    before.push(token === SyntaxKind.StringLiteral ? `"${scanner.getTokenValue()}" ` : `${scanner.getTokenText()} `);
    if (before.length > WINDOW) before.shift();
    previous = token;
  }
}

/** Pattern of `error(…)` with a text, in the actions of a peggy grammar. */
const GRAMMAR_ERROR = /\berror\((?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)\)/g;

/** Returns the literals in the sources of a package, except generated ones. */
export function literalsOf(root: string, folder: string): Literal[] {
  const source = join(root, folder, 'src');
  const found = new Map<string, Set<string | undefined>>();
  const add = (text: string, code?: string): void => {
    const codes = found.get(text);
    if (codes) codes.add(code);
    else found.set(text, new Set([code]));
  };
  const names = existsSync(source) ? readdirSync(source, { recursive: true, encoding: 'utf8' }) : [];
  for (const name of names.filter((each) => !each.split(sep).includes('generated'))) {
    if (name.endsWith('.ts')) scan(readFileSync(join(source, name), 'utf8'), add);
    if (name.endsWith('.peggy'))
      for (const [, plain, template] of readFileSync(join(source, name), 'utf8').matchAll(GRAMMAR_ERROR))
        add(plain ?? template!.replace(/\$\{[^}]*\}/g, HOLE));
  }
  return [...found].map(([text, codes]) => ({ text, codes }));
}
