import { identifier, literal } from '@emu/core/duckdb';
import { QueryError } from '../language/errors.ts';
import { RENAMED } from './functions.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A query for DuckDB. */
export interface Translation {
  readonly sql: string;
  /** Its sources: log groups, or `logGroups(…)`, which become table names. */
  readonly tables: readonly string[];
  /** Event fields it uses. */
  readonly columns: readonly string[];
  /** Names it defines, which may also be field names. */
  readonly aliases: ReadonlySet<string>;
  /** Whether it selects all fields. */
  readonly everything: boolean;
}

const KEYWORDS = new Set(
  `ALL AND ANTI ANY AS ASC BETWEEN BY CASE CAST CROSS CURRENT DESC DISTINCT ELSE END ESCAPE EXCEPT EXISTS EXTRACT FALSE FILTER
  FIRST FOLLOWING FOR FROM FULL GROUP HAVING IN INNER INTERSECT INTERVAL IS JOIN LAST LEFT LIKE LIMIT NOT NULL NULLS OFFSET ON
  OR ORDER OUTER OVER PARTITION PRECEDING RANGE REGEXP RIGHT RLIKE ROW ROWS SELECT SEMI SIMILAR THEN TO TRUE UNBOUNDED UNION
  USING WHEN WHERE WITH`.split(/\s+/),
);
/** Keywords that may follow the end of an expression. */
const VALUES = new Set(['END', 'FALSE', 'NULL', 'TRUE']);
const PLAIN = /^[A-Za-z_]\w*$/;

const upper = (token: Token | undefined): string | undefined =>
  token?.kind === 'word' ? token.value.toUpperCase() : undefined;
const isSymbol = (token: Token | undefined, value: string): boolean =>
  token?.kind === 'symbol' && token.value === value;
const isKeyword = (token: Token | undefined): boolean => KEYWORDS.has(upper(token) ?? '');
const isName = (token: Token | undefined): boolean =>
  token?.kind === 'name' || (token?.kind === 'word' && !isKeyword(token));

/** Translates a query's tokens in one pass. */
class Translator {
  private readonly output: string[] = [];
  private readonly tables = new Set<string>();
  private readonly qualifiers = new Set<string>();
  private readonly columns = new Set<string>();
  private readonly aliases = new Set<string>();
  private readonly withs = new Set<string>();
  private everything = false;
  private at = 0;
  /** For each open parenthesis, whether it contains a query. */
  private readonly open: boolean[] = [];
  /** Whether a source comes next. */
  private reading = false;

  constructor(
    private readonly query: string,
    private readonly tokens: readonly Token[],
  ) {}

  translate(): Translation {
    const first = upper(this.tokens[0]);
    if (first !== 'SELECT' && first !== 'WITH') throw this.unexpected(this.tokens[0]);
    this.findNames();
    while (this.at < this.tokens.length) this.next();
    const { output, tables, columns, aliases, everything } = this;
    return { sql: output.join(' '), tables: [...tables], columns: [...columns], aliases, everything };
  }

  /** Finds table aliases, which may be defined before or after their use. */
  private findNames(): void {
    for (const [index, token] of this.tokens.entries()) {
      const before = this.tokens[index - 1];
      if (!isName(token)) continue;
      if (upper(this.tokens[index + 1]) === 'AS' && isSymbol(this.tokens[index + 2], '(')) {
        this.withs.add(token.value.toLowerCase());
        this.qualifiers.add(token.value.toLowerCase());
      }
      const named = upper(before) === 'AS' ? this.tokens[index - 2] : before;
      if (isName(named) || isSymbol(named, ')')) this.qualifiers.add(token.value.toLowerCase());
    }
  }

  private next(): void {
    const token = this.tokens[this.at]!;
    if (this.reading && isName(token)) {
      this.table();
      return;
    }
    this.reading = false;
    if (token.kind === 'text') {
      this.output.push(literal(token.value.replaceAll('\0', '')));
      this.at++;
    } else if (isName(token)) this.name(token);
    else if (token.kind === 'word') this.keyword(token);
    else this.symbol(token);
  }

  private keyword(token: Token): void {
    const word = upper(token)!;
    const queried = this.open.at(-1) ?? true;
    this.reading = queried && (word === 'FROM' || word === 'JOIN');
    this.at++;
    if (word !== 'RLIKE' && word !== 'REGEXP') {
      this.output.push(token.value);
      return;
    }
    // Spark matches part of the text, DuckDB's operator all of it.
    const pattern = this.tokens[this.at];
    if (pattern?.kind !== 'text') throw this.unexpected(pattern);
    this.output.push('SIMILAR TO', literal(`(?s).*(?:${pattern.value}).*`));
    this.at++;
  }

  private symbol(token: Token): void {
    const { value } = token;
    const before = this.tokens[this.at - 1];
    if (value === '(') {
      const inside = upper(this.tokens[this.at + 1]);
      this.open.push(inside === 'SELECT' || inside === 'WITH');
    } else if (value === ')') {
      if (!this.open.length) throw this.unexpected(token);
      this.open.pop();
    } else if (value === ';') {
      if (this.at < this.tokens.length - 1) throw this.unexpected(token);
      this.at++;
      return;
    } else if (value === '*' && !isSymbol(before, '(')) {
      const selects = ['SELECT', 'DISTINCT', 'ALL'].includes(upper(before) ?? '');
      this.everything ||= selects || isSymbol(before, ',') || isSymbol(before, '.');
    } else if (value === '$' || value === '?') throw this.unexpected(token);
    this.output.push(value === '<=>' ? 'IS NOT DISTINCT FROM' : value);
    this.at++;
  }

  /**
   * Translates a source: a log group, or a query of the `WITH` clause; with its alias, and further sources after
   * commas.
   */
  private table(): void {
    const { name, next } = this.chain(this.at);
    const own = !this.withs.has(name.toLowerCase());
    if (own) this.tables.add(name);
    this.qualifiers.add(name.toLowerCase());
    this.output.push(identifier(name));
    this.at = next;
    if (upper(this.tokens[this.at]) === 'AS') {
      this.output.push('AS');
      this.at++;
    }
    const alias = this.tokens[this.at];
    if (isName(alias)) {
      this.output.push(identifier(alias!.value));
      this.at++;
    }
    this.reading = isSymbol(this.tokens[this.at], ',');
    if (!this.reading) return;
    this.output.push(',');
    this.at++;
  }

  /** Translates a field, alias or function. */
  private name(token: Token): void {
    const before = this.tokens[this.at - 1];
    if (token.kind === 'word' && isSymbol(this.tokens[this.at + 1], '(')) {
      this.output.push(RENAMED.get(upper(token)!) ?? token.value);
      this.at++;
      return;
    }
    const { name, next } = this.chain(this.at);
    const [first = '', ...rest] = this.partsFrom(this.at, next);
    this.at = next;
    if (this.endsValue(before) || upper(before) === 'AS') {
      if (token.kind === 'name' || PLAIN.test(name)) this.aliases.add(name.toLowerCase());
      this.output.push(token.kind === 'word' && PLAIN.test(name) ? name : identifier(name));
    } else if (rest.length && this.qualifiers.has(first.toLowerCase())) {
      const field = rest.join('.');
      if (field) this.columns.add(field);
      this.output.push(`${identifier(first)}.${field ? identifier(field) : ''}`);
    } else {
      this.columns.add(name);
      this.output.push(token.kind === 'word' && PLAIN.test(name) ? name : identifier(name));
    }
  }

  /** Whether an expression may end with a token, so that a following name is its alias. */
  private endsValue(token: Token | undefined): boolean {
    if (!token) return false;
    if (token.kind === 'symbol') return token.value === ')' || token.value === ']';
    return !isKeyword(token) || VALUES.has(upper(token)!);
  }

  /** Joins names separated by dots into one. A dot may be last, before a star. */
  private chain(start: number): { name: string; next: number } {
    let next = start + 1;
    while (isSymbol(this.tokens[next], '.')) next += isName(this.tokens[next + 1]) ? 2 : 1;
    return { name: this.partsFrom(start, next).join('.'), next };
  }

  private partsFrom(start: number, next: number): string[] {
    const parts: string[] = [];
    for (let at = start; at < next; at += 2) parts.push(this.tokens[at]!.value);
    if ((next - start) % 2 === 0) parts.push('');
    return parts;
  }

  private unexpected(token: Token | undefined): QueryError {
    const { start, end } = token ?? { start: this.query.length, end: this.query.length };
    const text = this.query.slice(start, end) || 'end of input';
    return new QueryError(`Syntax error at or near '${text}'`, start, end);
  }
}

/**
 * Translates OpenSearch SQL, a Spark dialect: names in backticks, texts in either kind of quotes.
 * @throws QueryError unless it is a single query
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_AnalyzeLogData_SQL.html
 */
export const translate = (query: string): Translation => new Translator(query, tokensOf(query)).translate();
