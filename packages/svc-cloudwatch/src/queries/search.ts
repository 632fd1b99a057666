import { MathError } from '../math/parse.ts';
import type { Series } from '../metrics/store.ts';

/** Predicate of matching series. */
export type Matcher = (series: Series) => boolean;

const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|([(){}=,])|(\bAND\b|\bOR\b|\bNOT\b)|([^\s(){}=,"]+))/y;

type Token = { kind: 'quoted' | 'sign' | 'operator' | 'word'; text: string };

/**
 * Compiles a search such as `{AWS/EC2,InstanceId} MetricName="CPUUtilization" NOT test`.
 * @throws MathError if it is invalid
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html
 */
export function compileSearch(text: string): Matcher {
  const parser = new SearchParser(tokensOf(text));
  return parser.whole();
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (!match) throw new MathError('Invalid search expression');
    const [, quoted, sign, operator, word] = match;
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.replace(/\\(.)/g, '$1') });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator });
    else tokens.push({ kind: 'word', text: word! });
  }
  return tokens;
}

class SearchParser {
  private position = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Matcher {
    const schema = this.takes('{') ? this.schema() : undefined;
    const terms = this.position < this.tokens.length ? this.either() : undefined;
    if (this.position < this.tokens.length || (!schema && !terms)) throw new MathError('Invalid search expression');
    return (series) => (schema?.(series) ?? true) && (terms?.(series) ?? true);
  }

  private get current(): Token | undefined {
    return this.tokens[this.position];
  }

  private takes(text: string, kind: Token['kind'] = 'sign'): boolean {
    if (this.current?.kind !== kind || this.current.text !== text) return false;
    this.position++;
    return true;
  }

  /** Parses `{namespace, dimension, …}`: metrics of the namespace with exactly these dimensions. */
  private schema(): Matcher {
    const names: string[] = [];
    let name = '';
    for (;;) {
      const token = this.current;
      if (!token) throw new MathError('Invalid search expression');
      this.position++;
      if (token.kind === 'sign' && (token.text === '}' || token.text === ',')) {
        if (name) names.push(name);
        name = '';
        if (token.text === '}') break;
      } else name = name ? `${name} ${token.text}` : token.text;
    }
    const [namespace, ...dimensions] = names;
    const wanted = dimensions.sort().join('\n');
    return (series) =>
      series.namespace === namespace && series.dimensions.map(({ Name }) => Name).join('\n') === wanted;
  }

  private either(): Matcher {
    const found = [this.all()];
    while (this.takes('OR', 'operator')) found.push(this.all());
    return (series) => found.some((matches) => matches(series));
  }

  private all(): Matcher {
    const found = [this.term()];
    for (;;) {
      this.takes('AND', 'operator');
      const token = this.current;
      if (!token || (token.kind === 'operator' && token.text === 'OR') || (token.kind === 'sign' && token.text === ')'))
        break;
      found.push(this.term());
    }
    return (series) => found.every((matches) => matches(series));
  }

  private term(): Matcher {
    if (this.takes('NOT', 'operator')) {
      const inner = this.term();
      return (series) => !inner(series);
    }
    if (this.takes('(')) {
      const inner = this.either();
      if (!this.takes(')')) throw new MathError('Invalid search expression');
      return inner;
    }
    const token = this.current;
    if (!token || (token.kind !== 'word' && token.kind !== 'quoted')) throw new MathError('Invalid search expression');
    this.position++;
    if (!this.takes('=')) return textMatcher(token, allTexts);
    return this.property(token.text);
  }

  /** Parses `MetricName="…"`, or a list of values in parentheses. */
  private property(name: string): Matcher {
    const texts = textsOf(name);
    if (this.takes('(')) {
      const found: Matcher[] = [];
      while (!this.takes(')')) {
        const token = this.current;
        if (!token) throw new MathError('Invalid search expression');
        this.position++;
        if (token.kind === 'word' || token.kind === 'quoted') found.push(textMatcher(token, texts));
      }
      return (series) => found.some((matches) => matches(series));
    }
    const token = this.current;
    if (!token || (token.kind !== 'word' && token.kind !== 'quoted')) throw new MathError('Invalid search expression');
    this.position++;
    return textMatcher(token, texts);
  }
}

type Texts = (series: Series) => string[];

const allTexts: Texts = ({ namespace, name, dimensions }) => [
  namespace,
  name,
  ...dimensions.flatMap(({ Name, Value }) => [Name, Value]),
];

function textsOf(property: string): Texts {
  if (property === 'Namespace') return ({ namespace }) => [namespace];
  if (property === 'MetricName') return ({ name }) => [name];
  return ({ dimensions }) => dimensions.flatMap(({ Name, Value }) => (Name === property ? [Value] : []));
}

/** Returns a matcher for text: quoted text must match exactly, other text by its parts. */
function textMatcher({ kind, text }: Token, texts: Texts): Matcher {
  if (kind === 'quoted') {
    const wanted = text.toLowerCase();
    return (series) => texts(series).some((candidate) => candidate.toLowerCase() === wanted);
  }
  const wanted = partsOf(text);
  return (series) =>
    texts(series).some((candidate) => {
      const parts = new Set(partsOf(candidate));
      return wanted.every((part) => parts.has(part));
    });
}

/**
 * Returns the words of a text, split at other characters than letters and digits and at case changes, and the text
 * itself.
 */
function partsOf(text: string): string[] {
  const words = text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  const runs = text.match(/[A-Za-z0-9]+/g) ?? [];
  const parts = words.length > 1 ? words : runs;
  return /^[A-Za-z0-9]+$/.test(text) && text === text.toLowerCase()
    ? [text]
    : [...new Set([...parts, ...(words.length > 1 ? runs : [])].map((part) => part.toLowerCase()))];
}
