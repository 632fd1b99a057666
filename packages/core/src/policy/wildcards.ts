import type { ContextValue } from './types.ts';

/** Looks up a condition key. @param spelled the key in the policy's spelling */
export type Lookup = (spelled: string) => ContextValue | undefined;

const STAR = Symbol('*');
const ONE = Symbol('?');

/** `${key}` or `${key, 'default'}`. */
interface Variable {
  readonly key: string;
  readonly fallback: string | undefined;
}

type Token = string | typeof STAR | typeof ONE | Variable;
type PlainToken = Exclude<Token, Variable>;

/** Special characters of a text. */
export interface PatternSyntax {
  /** Whether `${…}` is replaced, as in policies of version 2012-10-17. */
  readonly variables: boolean;
  /** Whether `*` and `?` are wildcards. */
  readonly wildcards: boolean;
  /** Whether `\\` escapes the character after it, as in filters of EC2. */
  readonly escapes?: boolean;
  /** Whether case is ignored. */
  readonly ignoreCase?: boolean;
}

const isVariable = (token: Token): token is Variable => typeof token === 'object';

/** Splits a text into literals, wildcards and variables. `${*}`, `${?}` and `${$}` are the characters themselves. */
function tokenize(text: string, { variables, wildcards, escapes }: PatternSyntax): Token[] {
  const tokens: Token[] = [];
  let literal = '';
  const flush = (): void => {
    if (literal) tokens.push(literal);
    literal = '';
  };
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    const end = variables && char === '$' && text[index + 1] === '{' ? text.indexOf('}', index) : -1;
    if (end > 0) {
      const content = text.slice(index + 2, end);
      if (content === '*' || content === '?' || content === '$') literal += content;
      else {
        flush();
        tokens.push(parseVariable(content));
      }
      index = end;
    } else if (escapes && char === '\\' && index + 1 < text.length) {
      index++;
      literal += text[index]!;
    } else if (wildcards && (char === '*' || char === '?')) {
      flush();
      tokens.push(char === '*' ? STAR : ONE);
    } else literal += char;
  }
  flush();
  return tokens;
}

function parseVariable(content: string): Variable {
  const comma = content.indexOf(',');
  if (comma < 0) return { key: content.trim(), fallback: undefined };
  const fallback = content.slice(comma + 1).trim();
  const quoted = fallback.length >= 2 && fallback.startsWith("'") && fallback.endsWith("'");
  return { key: content.slice(0, comma).trim(), fallback: quoted ? fallback.slice(1, -1) : undefined };
}

/** Text between two stars. Characters at `holes` match any character. */
interface Run {
  readonly text: string;
  readonly holes: ReadonlySet<number> | undefined;
}

function runAt({ text, holes }: Run, subject: string, at: number): boolean {
  if (!holes) return subject.startsWith(text, at);
  if (at + text.length > subject.length) return false;
  for (let index = 0; index < text.length; index++)
    if (!holes.has(index) && text.charCodeAt(index) !== subject.charCodeAt(at + index)) return false;
  return true;
}

function findRun(run: Run, subject: string, from: number): number {
  if (!run.holes) return subject.indexOf(run.text, from);
  for (let at = from; at + run.text.length <= subject.length; at++) if (runAt(run, subject, at)) return at;
  return -1;
}

/**
 * A pattern of literals and wildcards. Each part between two stars is searched from left to right without backtracking,
 * so that matching time is bounded for every pattern.
 */
class Glob {
  private readonly runs: Run[] = [];

  constructor(tokens: readonly PlainToken[]) {
    let text = '';
    let holes: Set<number> | undefined;
    const flush = (): void => {
      this.runs.push({ text, holes });
      text = '';
      holes = undefined;
    };
    for (const token of tokens)
      if (token === STAR) flush();
      else if (token === ONE) {
        holes ??= new Set();
        holes.add(text.length);
        text += '?';
      } else text += token;
    flush();
  }

  /** Whether it matches everything. */
  get matchesAll(): boolean {
    return this.runs.length > 1 && this.runs.every(({ text }) => text === '');
  }

  matches(subject: string): boolean {
    const { runs } = this;
    const first = runs[0]!;
    if (runs.length === 1) return subject.length === first.text.length && runAt(first, subject, 0);
    if (!runAt(first, subject, 0)) return false;
    const last = runs[runs.length - 1]!;
    const end = subject.length - last.text.length;
    let at = first.text.length;
    for (let index = 1; index < runs.length - 1; index++) {
      const found = findRun(runs[index]!, subject, at);
      if (found < 0) return false;
      at = found + runs[index]!.text.length;
    }
    return at <= end && runAt(last, subject, end);
  }
}

/** A policy's text with wildcards and variables, compiled once. */
export class Pattern {
  private readonly tokens: readonly Token[];
  /** Undefined if the text has variables. */
  private readonly glob: Glob | undefined;
  private readonly ignoreCase: boolean;

  constructor(source: string | readonly Token[], syntax: PatternSyntax) {
    this.ignoreCase = syntax.ignoreCase ?? false;
    this.tokens = typeof source === 'string' ? tokenize(source, syntax) : source;
    if (!this.tokens.some(isVariable)) this.glob = this.globOf(this.tokens as PlainToken[]);
  }

  /** Whether it matches everything in any context. */
  get matchesAll(): boolean {
    return this.glob?.matchesAll ?? false;
  }

  /** The condition keys of its variables. */
  get keys(): string[] {
    return this.tokens.filter(isVariable).map(({ key }) => key);
  }

  /** Whether a text matches; false if a variable has neither a value nor a default. */
  matches(subject: string, lookup: Lookup): boolean {
    const glob = this.glob ?? this.resolve(lookup);
    return glob?.matches(this.ignoreCase ? subject.toLowerCase() : subject) ?? false;
  }

  private resolve(lookup: Lookup): Glob | undefined {
    const tokens: PlainToken[] = [];
    for (const token of this.tokens) {
      if (!isVariable(token)) {
        tokens.push(token);
        continue;
      }
      const value = lookup(token.key);
      // Multivalued keys cannot be variables.
      const text = typeof value === 'string' ? value : token.fallback;
      if (text === undefined) return undefined;
      tokens.push(text);
    }
    return this.globOf(tokens);
  }

  private globOf(tokens: readonly PlainToken[]): Glob {
    if (!this.ignoreCase) return new Glob(tokens);
    return new Glob(tokens.map((token) => (typeof token === 'string' ? token.toLowerCase() : token)));
  }
}

/** Parts of an ARN. */
const SECTIONS = 6;

/** Splits an ARN into its six parts, the last with all its colons; undefined for other text. */
export function arnSections(text: string): readonly string[] | undefined {
  if (!text.startsWith('arn:')) return undefined;
  const sections: string[] = [];
  let from = 0;
  while (sections.length < SECTIONS - 1) {
    const colon = text.indexOf(':', from);
    if (colon < 0) return undefined;
    sections.push(text.slice(from, colon));
    from = colon + 1;
  }
  sections.push(text.slice(from));
  return sections;
}

/** Splits a pattern at its colons like an ARN; colons in variables do not count. */
function tokenSections(tokens: readonly Token[]): Token[][] {
  const sections: Token[][] = [[]];
  for (const token of tokens) {
    if (typeof token !== 'string') {
      sections[sections.length - 1]!.push(token);
      continue;
    }
    let rest = token;
    for (let colon = rest.indexOf(':'); colon >= 0 && sections.length < SECTIONS; colon = rest.indexOf(':')) {
      if (colon) sections[sections.length - 1]!.push(rest.slice(0, colon));
      sections.push([]);
      rest = rest.slice(colon + 1);
    }
    if (rest) sections[sections.length - 1]!.push(rest);
  }
  return sections;
}

/**
 * The pattern of an ARN: each of the six parts is matched separately, and parts missing at the end match anything.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
 */
export class ArnPattern {
  private readonly whole: Pattern;
  private readonly sections: readonly Pattern[] | undefined;

  constructor(text: string, variables: boolean) {
    const syntax = { variables, wildcards: true };
    const tokens = tokenize(text, syntax);
    this.whole = new Pattern(tokens, syntax);
    const sections = tokenSections(tokens);
    if (sections[0]![0] !== 'arn' || sections[0]!.length > 1) return;
    while (sections.length < SECTIONS) sections.push([STAR]);
    this.sections = sections.map((section) => new Pattern(section, syntax));
  }

  get keys(): string[] {
    return this.whole.keys;
  }

  /** @param arn the parts of `text`, if it is an ARN */
  matches(text: string, arn: readonly string[] | undefined, lookup: Lookup): boolean {
    if (this.whole.matchesAll) return true;
    if (!this.sections || !arn) return this.whole.matches(text, lookup);
    for (let index = 0; index < SECTIONS; index++)
      if (!this.sections[index]!.matches(arn[index]!, lookup)) return false;
    return true;
  }
}
