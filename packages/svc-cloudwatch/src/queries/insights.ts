import type { DeepReadonly } from '@emu/core/service';
import { MathError } from '../math/parse.ts';
import type { NamedSeries } from '../math/values.ts';
import { aggregate, pointsBetween, type Series, startOf } from '../metrics/store.ts';
import type { TimeRange } from '../metrics/time-series.ts';
import type { PointRecord } from '../records.ts';

type Condition = (series: Series) => boolean;

/** A parsed Metrics Insights query. */
export interface InsightsQuery {
  aggregation: Aggregation;
  metric: string;
  namespace: string | undefined;
  /** The exact dimensions of a `SCHEMA`, ordered by name. */
  schema: readonly string[] | undefined;
  where: Condition | undefined;
  groupBy: readonly string[];
  order: { by: Aggregation; descending: boolean } | undefined;
  limit: number;
}

type Aggregation = 'AVG' | 'COUNT' | 'MAX' | 'MIN' | 'SUM';

/** A group in a query's result. */
export interface InsightsGroup {
  attributes: Record<string, string>;
  series: NamedSeries;
}

const MAX_GROUPS = 500;
const AGGREGATIONS = new Set(['AVG', 'COUNT', 'MAX', 'MIN', 'SUM']);
const TOKEN = /\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|(!=|[(),=.;])|(\d+)|([A-Za-z_][\w.:/-]*))/y;

interface Token {
  kind: 'name' | 'text' | 'sign' | 'number' | 'word';
  text: string;
}

/** Whether an expression is a Metrics Insights query. */
export const isInsightsQuery = (expression: string): boolean => /^\s*SELECT\s/i.test(expression);

/**
 * Parses a query.
 * @throws MathError if it is invalid
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-metrics-insights-querylanguage.html
 */
export function parseInsights(text: string): InsightsQuery {
  return new InsightsParser(text).whole();
}

class InsightsParser {
  private readonly tokens: Token[] = [];
  private position = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    const end = text.trimEnd().length;
    while (TOKEN.lastIndex < end) {
      const from = TOKEN.lastIndex;
      const match = TOKEN.exec(text);
      if (!match) throw new MathError(`Invalid query syntax at '${text.slice(from).trim()}'`);
      const [, name, string, sign, number, word] = match;
      if (name !== undefined) this.tokens.push({ kind: 'name', text: name.replaceAll('""', '"') });
      else if (string !== undefined) this.tokens.push({ kind: 'text', text: string.replaceAll("''", "'") });
      else if (sign !== undefined) this.tokens.push({ kind: 'sign', text: sign });
      else if (number !== undefined) this.tokens.push({ kind: 'number', text: number });
      else this.tokens.push({ kind: 'word', text: word! });
    }
  }

  whole(): InsightsQuery {
    this.needsWord('SELECT');
    const aggregation = this.aggregation();
    this.needs('(');
    const metric = this.name();
    this.needs(')');
    this.needsWord('FROM');
    const { namespace, schema } = this.source();
    const where = this.takesWord('WHERE') ? this.either() : undefined;
    const groupBy: string[] = [];
    if (this.takesWord('GROUP')) {
      this.needsWord('BY');
      do groupBy.push(this.name());
      while (this.takes(','));
    }
    let order: InsightsQuery['order'];
    if (this.takesWord('ORDER')) {
      this.needsWord('BY');
      const by = this.aggregation();
      this.needs('(');
      this.needs(')');
      const descending = this.takesWord('DESC');
      if (!descending) this.takesWord('ASC');
      order = { by, descending };
    }
    const limit = this.takesWord('LIMIT') ? Number(this.next('number')) : MAX_GROUPS;
    this.takes(';');
    if (this.current) throw this.invalid();
    return { aggregation, metric, namespace, schema, where, groupBy, order, limit: Math.min(limit, MAX_GROUPS) };
  }

  private source(): Pick<InsightsQuery, 'namespace' | 'schema'> {
    if (!this.takesWord('SCHEMA')) return { namespace: this.name(), schema: undefined };
    this.needs('(');
    const namespace = this.name();
    const schema: string[] = [];
    while (this.takes(',')) schema.push(this.name());
    this.needs(')');
    return { namespace, schema: schema.sort() };
  }

  private either(): Condition {
    const found = [this.all()];
    while (this.takesWord('OR')) found.push(this.all());
    return (series) => found.some((matches) => matches(series));
  }

  private all(): Condition {
    const found = [this.condition()];
    while (this.takesWord('AND')) found.push(this.condition());
    return (series) => found.every((matches) => matches(series));
  }

  private condition(): Condition {
    if (this.takes('(')) {
      const inner = this.either();
      this.needs(')');
      return inner;
    }
    const key = this.name();
    const equal = this.takes('=');
    if (!equal) this.needs('!=');
    const value = this.next('text');
    return (series) => (dimensionOf(series, key) === value) === equal;
  }

  private get current(): Token | undefined {
    return this.tokens[this.position];
  }

  private invalid(): MathError {
    return new MathError(`Invalid query syntax${this.current ? ` at '${this.current.text}'` : ''}`);
  }

  private takes(sign: string): boolean {
    if (this.current?.kind !== 'sign' || this.current.text !== sign) return false;
    this.position++;
    return true;
  }

  private needs(sign: string): void {
    if (!this.takes(sign)) throw this.invalid();
  }

  private takesWord(word: string): boolean {
    if (this.current?.kind !== 'word' || this.current.text.toUpperCase() !== word) return false;
    this.position++;
    return true;
  }

  private needsWord(word: string): void {
    if (!this.takesWord(word)) throw this.invalid();
  }

  private next(kind: Token['kind']): string {
    const token = this.current;
    if (token?.kind !== kind) throw this.invalid();
    this.position++;
    return token.text;
  }

  /** Parses a name, with or without quotation marks. */
  private name(): string {
    const token = this.current;
    if (token?.kind !== 'name' && token?.kind !== 'word') throw this.invalid();
    this.position++;
    return token.text;
  }

  private aggregation(): Aggregation {
    const word = this.next('word').toUpperCase();
    if (!AGGREGATIONS.has(word)) throw new MathError(`Invalid query syntax at '${word}'`);
    return word as Aggregation;
  }
}

const dimensionOf = ({ dimensions }: Series, key: string): string | undefined =>
  dimensions.find(({ Name }) => Name === key)?.Value;

/**
 * Runs a query in steps.
 * @returns a series for each group, in the query's order
 */
export function* insightsInSteps(
  query: InsightsQuery,
  all: Iterable<Series>,
  range: TimeRange,
  period: number,
): Generator<undefined, InsightsGroup[], undefined> {
  const groups = new Map<string, { attributes: Record<string, string>; members: Series[] }>();
  for (const series of all) {
    yield;
    if (!belongs(query, series)) continue;
    const values = query.groupBy.map((key) => dimensionOf(series, key));
    if (values.includes(undefined)) continue;
    const key = values.join('\u0000');
    const group = groups.get(key);
    if (group) group.members.push(series);
    else
      groups.set(key, {
        attributes: Object.fromEntries(query.groupBy.map((name, index) => [name, values[index]!])),
        members: [series],
      });
  }
  const results: (InsightsGroup & { readonly rank: number })[] = [];
  for (const { attributes, members } of groups.values()) {
    const totals = yield* totalsOf(members, range, period);
    const times = [...totals.keys()].sort((a, b) => a - b);
    const label = Object.values(attributes).join(' ') || query.metric;
    const values = times.map((time) => valueFor(query.aggregation, totals.get(time)!));
    const rank = query.order ? rankOf(query.order.by, values) : 0;
    results.push({ attributes, rank, series: { label, period, times, values } });
  }
  const kept = results.filter(({ series }) => series.times.length);
  if (query.order) {
    const sign = query.order.descending ? -1 : 1;
    kept.sort((a, b) => sign * (a.rank - b.rank));
  }
  return kept.slice(0, query.limit);
}

function belongs({ metric, namespace, schema, where }: InsightsQuery, series: Series): boolean {
  if (series.name !== metric || series.namespace !== namespace) return false;
  if (schema && series.dimensions.map(({ Name }) => Name).join('\n') !== schema.join('\n')) return false;
  return where?.(series) ?? true;
}

/** Returns the totals of all members per period. */
function* totalsOf(
  members: readonly Series[],
  range: TimeRange,
  period: number,
): Generator<undefined, Map<number, ReturnType<typeof aggregate>>, undefined> {
  const points = new Map<number, DeepReadonly<PointRecord>[]>();
  for (const series of members) {
    for (const point of pointsBetween(series, range.start, range.end)) {
      const at = range.start + startOf(point.at - range.start, period);
      const list = points.get(at);
      if (list) list.push(point);
      else points.set(at, [point]);
    }
    yield;
  }
  return new Map([...points].map(([at, list]) => [at, aggregate(list)]));
}

function valueFor(aggregation: Aggregation, { count, sum, min, max }: ReturnType<typeof aggregate>): number {
  switch (aggregation) {
    case 'AVG':
      return sum / count;
    case 'COUNT':
      return count;
    case 'MAX':
      return max;
    case 'MIN':
      return min;
    case 'SUM':
      return sum;
  }
}

/** Returns the sort value of a group, aggregated from its datapoints. */
function rankOf(by: Aggregation, values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  switch (by) {
    case 'AVG':
      return values.length ? sum / values.length : 0;
    case 'COUNT':
      return values.length;
    case 'MAX':
      return Math.max(...values);
    case 'MIN':
      return Math.min(...values);
    case 'SUM':
      return sum;
  }
}
