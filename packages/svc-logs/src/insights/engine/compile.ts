import { LinearRegex } from '@emu/core/regex';
import { QueryError } from '../language/errors.ts';
import { operandsOf, subqueriesOf } from '../language/operands.ts';
import type { Call, Command, CommandOf, Expression, Field, Projection, Query, Subquery } from '../language/syntax.ts';
import { AGGREGATES } from './aggregates.ts';
import { comparedRange } from './compared-range.ts';
import { pointerTo } from './event.ts';
import { compileRegex, Expressions } from './expressions.ts';
import type { Compiled, QueryClock } from './functions/function.ts';
import { hintsOf } from './hints.ts';
import { NestedQuery } from './nested.ts';
import { floorTo, lengthOf } from './periods.ts';
import { type Counts, type Output, Pipeline, Sink, type TimeRange } from './pipeline.ts';
import { Scope } from './scope.ts';
import { JoinedScope, joinStage, ofLeft, ofRight } from './stages/join.ts';
import { type LookupSource, lookupStage } from './stages/lookup.ts';
import { dedupStage, limitStage, sortStage } from './stages/order.ts';
import { captureStage, globOf, logfmtStage, multiStage } from './stages/parse.ts';
import { type PatternSlots, type Phase, patternStage } from './stages/pattern.ts';
import { type MakeStage, perRow, type Stage } from './stages/stage.ts';
import { type Aggregation, type Derived, statsStage } from './stages/stats.ts';
import { isTrue, scalarText } from './values.ts';

/** Default number of result rows. */
export const DEFAULT_RESULTS = 10_000;

/** Environment of a query. */
export interface QuerySettings extends QueryClock {
  /** Maximum number of result rows. */
  readonly limit: number;
  /** @returns undefined for an unknown table */
  lookup(table: string): LookupSource | undefined;
}

/**
 * Compiles a query.
 * @throws QueryError for an invalid query
 */
export const compileQuery = (query: Query, settings: QuerySettings): Pipeline => new Compiler(settings).compile(query);

class Compiler {
  private scope = new Scope(true);
  private readonly stages: MakeStage[] = [];
  private outputs: Output[] = [];
  private displayed: Output[] | undefined;
  private readonly phase: Phase = { previous: false };
  private readonly counts: Counts = { matched: 0 };
  private compared: TimeRange | undefined;
  /** Whether the query has set the order of rows. */
  private ordered = false;
  private counted = false;
  /** Slots of event rows; later `stats` have their own. */
  private eventScope = this.scope;
  private chosen = false;
  /** Default columns after a join. */
  private unchosen: Output[] | undefined;
  private readonly nested: NestedQuery[] = [];

  constructor(private readonly settings: QuerySettings) {}

  compile({ commands }: Query): Pipeline {
    for (const [index, command] of commands.entries()) this.command(command, commands.slice(index + 1));
    this.count();
    const most = this.settings.limit;
    if (!this.ordered) this.stages.push(this.newestFirst(most));
    const outputs = this.results();
    const sink = new Sink(most);
    const first = this.stages.reduceRight<Stage>((next, make) => make(next), sink);
    const { size } = this.eventScope;
    const hints = hintsOf(commands);
    return new Pipeline(first, sink, outputs, size, this.phase, this.compared, this.counts, hints, this.nested);
  }

  /** Compiles a nested query; returns its displayed columns, or all event fields. */
  private inner(query: Query): NestedQuery {
    const compiler = new Compiler({ ...this.settings, limit: Number.POSITIVE_INFINITY });
    const pipeline = compiler.compile(query);
    const shown = compiler.columns();
    const chooses = compiler.chosen || compiler.displayed !== undefined;
    const nested = new NestedQuery(query, pipeline, shown, (name, segments) =>
      chooses ? shown.find((output) => output.name === name)?.of : compiler.scope.resolve(name, segments),
    );
    this.nested.push(nested);
    return nested;
  }

  private get expressions(): Expressions {
    return new Expressions(this.scope, this.settings);
  }

  private command(command: Command, rest: readonly Command[]): void {
    switch (command.type) {
      case 'fields':
        this.fields(command);
        return;
      case 'display':
        this.displayed = command.items.map((item) => this.project(item));
        return;
      case 'filter':
      case 'filterIndex':
        this.filter(command.condition);
        return;
      case 'stats':
        this.stats(command);
        return;
      case 'sort':
        this.sort(command, rest);
        return;
      case 'limit':
        this.limit(command);
        return;
      case 'dedup': {
        this.inOrder(Number.POSITIVE_INFINITY);
        const fields = command.fields.map((field) => this.expressions.compile(field));
        this.stages.push(dedupStage(fields));
        return;
      }
      case 'parse':
        this.parse(command);
        return;
      case 'pattern':
        this.pattern(command, rest[0]?.type === 'diff' ? rest[0] : undefined);
        return;
      case 'diff':
        this.compared = comparedRange(command.modifier, this.settings);
        return;
      case 'unmask':
        for (const field of command.fields) this.unmask(field);
        return;
      case 'unnest':
        this.unnest(command);
        return;
      case 'lookup':
        this.lookup(command);
        return;
      case 'join':
        this.join(command);
        return;
      case 'unsupported':
        throw new Error(`${command.name} is refused when it is parsed`);
    }
  }

  private fields({ items }: CommandOf<'fields'>): void {
    this.chosen = true;
    for (const item of items) this.outputs.push(this.project(item));
  }

  /** Compiles an item of `fields` or `display`; its alias becomes a column. */
  private project({ expression, text, alias, offset }: Projection): Output {
    const of = this.expressions.compile(expression);
    if (alias === null) return { name: expression.type === 'field' ? expression.name : text, of };
    const slot = this.define(alias, of.kind, offset);
    this.stages.push(
      perRow((row, next) => {
        row.values[slot] = of.evaluate(row);
        next.push(row);
      }),
    );
    return { name: alias, of: this.scope.resolve(alias, [alias]) };
  }

  /** @throws QueryError for a name that the query already uses */
  private define(name: string, kind: Compiled['kind'], offset: number): number {
    if (this.scope.has(name))
      throw new QueryError(`Ephemeral field ${name} is already defined`, offset, offset + name.length);
    return this.scope.define(name, kind);
  }

  private filter(condition: Expression): void {
    const replaced = new Map<Expression, Compiled>(
      subqueriesOf(condition).map((subquery) => [subquery, this.subquery(subquery)]),
    );
    const { evaluate } = new Expressions(this.scope, this.settings, replaced).compile(condition);
    this.stages.push(
      perRow((row, next) => {
        if (isTrue(evaluate(row))) next.push(row);
      }),
    );
  }

  /**
   * Compiles a condition that a field has one of the values of a subquery.
   * @throws QueryError if the subquery does not return the field
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Subqueries.html
   */
  private subquery({ operand, query, offset }: Subquery): Compiled {
    const nested = this.inner(query);
    const name = operand.type === 'field' ? operand.name : undefined;
    const returned = nested.shown.find((output) => output.name === name)?.of;
    if (!returned) throw new QueryError(`The subquery must return the field ${name ?? ''}`.trim(), offset, offset + 1);
    const { evaluate } = this.expressions.compile(operand);
    const found = nested.by(returned);
    return {
      kind: 'plain',
      evaluate(row) {
        const text = scalarText(evaluate(row));
        return text !== undefined && found.has(text);
      },
    };
  }

  private join({ kind, left, right, where, query }: CommandOf<'join'>): void {
    const nested = this.inner(query);
    const before = this.scope;
    const fieldOf = (alias: string): string[] => where.find(({ segments }) => segments[0] === alias)!.segments.slice(1);
    const [one, other] = [fieldOf(left), fieldOf(right)];
    const key = before.resolve(one.join('.'), one);
    const returned = nested.resolve(other.join('.'), other) ?? { kind: 'plain', evaluate: () => undefined };
    this.stages.push(joinStage(key, nested.by(returned), kind === 'left'));
    // Columns displayed by either side stay until the query selects others.
    this.unchosen = [
      ...this.columns().map(({ name, of }) => ({ name: `${left}.${name}`, of: ofLeft(name, of) })),
      ...nested.shown.map(({ name, of }) => ({ name: `${right}.${name}`, of: ofRight(name, of) })),
    ];
    this.scope = new JoinedScope(
      { alias: left, resolve: (name, segments) => before.resolve(name, segments) },
      { alias: right, resolve: nested.resolve },
    );
    this.chosen = false;
    this.displayed = undefined;
    this.outputs = [];
  }

  private stats({ items, by, shift }: CommandOf<'stats'>): void {
    this.count();
    this.ordered = true;
    const before = this.expressions;
    const after = new Scope(false);
    const keys = by.map(({ expression, text, alias }) => {
      const of = shift ? this.shifted(expression, lengthOf(shift)) : before.compile(expression);
      return { slot: after.define(alias ?? (expression.type === 'field' ? expression.name : text), of.kind), of };
    });
    const names = by.map(
      ({ expression, text, alias }) => alias ?? (expression.type === 'field' ? expression.name : text),
    );
    const aggregations: Aggregation[] = [];
    const derived: Derived[] = [];
    for (const { expression, text, alias } of items) {
      const replaced = new Map<Expression, Compiled>();
      for (const call of aggregateCalls(expression)) {
        const slot = after.define(`\0${aggregations.length}`, 'computed');
        const args = call.args.map((arg) => before.compile(arg));
        aggregations.push({ slot, aggregate: AGGREGATES.get(call.name)!, args });
        replaced.set(call, { kind: 'computed', evaluate: ({ values }) => values[slot] });
      }
      // Later items may use earlier aliases.
      const of = new Expressions(after, this.settings, replaced).compile(expression);
      const name = alias ?? text;
      derived.push({ slot: after.define(name, of.kind), of });
      names.push(name);
    }
    this.stages.push(statsStage({ by: keys, aggregations, derived, size: after.size }));
    this.scope = after;
    this.chosen = true;
    this.displayed = undefined;
    this.outputs = names.map((name) => ({ name, of: after.resolve(name, [name]) }));
  }

  /** Returns `bin` with an offset. */
  private shifted(expression: Expression, by: number): Compiled {
    const [period] = expression.type === 'call' && expression.name === 'bin' ? expression.args : [];
    if (period?.type !== 'period') return this.expressions.compile(expression);
    const floor = floorTo(period);
    return { kind: 'timestamp', evaluate: ({ event }) => event && floor(event.timestamp - by) + by };
  }

  private sort({ keys }: CommandOf<'sort'>, rest: readonly Command[]): void {
    this.count();
    this.ordered = true;
    const compiled = keys.map(({ expression, descending }) => ({
      of: this.expressions.compile(expression),
      descending,
    }));
    this.stages.push(sortStage(compiled, this.boundOf(rest)));
  }

  /** Returns the number of sorted rows that the following commands need. */
  private boundOf(rest: readonly Command[]): number {
    for (const command of rest) {
      if (command.type === 'limit' && !command.last) return command.count;
      if (!['fields', 'display', 'parse', 'unmask', 'lookup'].includes(command.type)) return Number.POSITIVE_INFINITY;
    }
    return this.settings.limit;
  }

  private limit({ count, any, last }: CommandOf<'limit'>): void {
    if (any) this.ordered = true;
    this.inOrder(last ? Number.POSITIVE_INFINITY : count);
    this.stages.push(limitStage(count, last));
  }

  /** Adds the default sort order: events are sorted newest first. */
  private inOrder(bound: number): void {
    this.count();
    if (!this.ordered) this.stages.push(this.newestFirst(bound));
    this.ordered = true;
  }

  private newestFirst(bound: number): MakeStage {
    return sortStage([{ of: this.scope.resolve('@timestamp', ['@timestamp']), descending: true }], bound);
  }

  /** Counts the rows that reach this point as matched records. */
  private count(): void {
    if (this.counted) return;
    this.counted = true;
    const { counts, phase } = this;
    this.stages.push(
      perRow((row, next) => {
        if (!phase.previous) counts.matched++;
        next.push(row);
      }),
    );
  }

  private parse(command: CommandOf<'parse'>): void {
    const message: Field = { type: 'field', name: '@message', segments: ['@message'] };
    const of = this.expressions.compile(command.of ?? message);
    if (command.kind === 'logfmt') {
      const [name] = command.names as [string];
      this.stages.push(logfmtStage(of, this.shown(name, command.offset)));
      return;
    }
    const glob = command.kind === 'glob';
    const multi = command.kind === 'regex' && command.multi;
    const regex = glob ? globOf(command.pattern) : compileRegex(command.pattern.source, command.pattern.offset);
    const named = command.names.length || glob ? command.names : groupNames(command.pattern.source);
    const columns = named.map((name, index) => ({
      slot: this.shown(name, command.offset),
      group: command.names.length ? index + 1 : name,
    }));
    this.stages.push(
      multi && regex instanceof LinearRegex ? multiStage(of, regex, columns) : captureStage(of, regex, columns),
    );
  }

  /**
   * Adds a displayed column.
   * @returns its slot
   */
  private shown(name: string, offset: number): number {
    const slot = this.define(name, 'plain', offset);
    this.outputs.push({ name, of: this.scope.resolve(name, [name]) });
    return slot;
  }

  private pattern({ of }: CommandOf<'pattern'>, diff: CommandOf<'diff'> | undefined): void {
    this.count();
    this.ordered = true;
    const text = this.expressions.compile(of);
    const after = new Scope(false);
    const slots: PatternSlots = {
      pattern: after.define('@pattern', 'plain'),
      ratio: after.define('@ratio', 'computed'),
      sampleCount: after.define('@sampleCount', 'plain'),
      severity: after.define('@severityLabel', 'plain'),
      ...(diff && {
        difference: {
          count: after.define('@differenceEventCount', 'plain'),
          percent: after.define('@differencePercent', 'computed'),
          description: after.define('@differenceDescription', 'plain'),
        },
      }),
    };
    this.stages.push(patternStage(text, slots, after.size, this.phase));
    this.scope = after;
    this.chosen = true;
    this.displayed = undefined;
    const names = ['@pattern', '@ratio', '@sampleCount', '@severityLabel'];
    if (diff) names.push('@differenceEventCount', '@differencePercent', '@differenceDescription');
    this.outputs = names.map((name) => ({ name, of: after.resolve(name, [name]) }));
  }

  private unmask(field: Field): void {
    const of = this.expressions.compile({ type: 'call', name: 'unmask', args: [field], open: 0 });
    const slot = this.scope.define(field.name, 'plain');
    this.stages.push(
      perRow((row, next) => {
        row.values[slot] = of.evaluate(row);
        next.push(row);
      }),
    );
    const shown = { name: field.name, of: this.scope.resolve(field.name, field.segments) };
    const index = this.outputs.findIndex(({ name }) => name === field.name);
    if (index >= 0) this.outputs[index] = shown;
    else if (this.chosen) this.outputs.push(shown);
  }

  private unnest({ of, as, offset }: CommandOf<'unnest'>): void {
    const list = this.expressions.compile(of);
    const name = as ?? of.name;
    const slot = this.scope.has(name) && as === null ? this.scope.define(name, 'plain') : this.shown(name, offset);
    this.stages.push(
      perRow((row, next) => {
        const value = list.evaluate(row);
        if (value === undefined) return;
        for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
          const copy = row.copy();
          copy.values[slot] = item === null ? undefined : (item as string);
          next.push(copy);
        }
      }),
    );
  }

  private lookup({ table, keys, outputs, offset }: CommandOf<'lookup'>): void {
    const source = this.settings.lookup(table);
    if (!source) throw new QueryError(`Lookup table ${table} does not exist`, offset, offset + table.length);
    const placeOf = (column: string): number => {
      const place = source.columns.indexOf(column);
      if (place < 0)
        throw new QueryError(`Lookup table ${table} has no field ${column}`, offset, offset + table.length);
      return place;
    };
    const matched = keys.map(({ column, field }) => ({
      place: placeOf(column),
      of: this.expressions.compile(field ?? { type: 'field', name: column, segments: column.split('.') }),
    }));
    const added = outputs.map((name) => {
      const overwritten = this.scope.has(name);
      const slot = overwritten ? this.scope.define(name, 'plain') : this.shown(name, offset);
      return { slot, place: placeOf(name) };
    });
    this.stages.push(lookupStage(source.rows, matched, added));
  }

  /** Returns the displayed columns: the defaults, and those of `fields` and `parse`, without duplicates. */
  private columns(): Output[] {
    const system = (name: string): Output => ({ name, of: this.scope.resolve(name, [name]) });
    const unchosen = this.chosen ? [] : (this.unchosen ?? [system('@timestamp'), system('@message')]);
    const shown = this.displayed ?? [...unchosen, ...this.outputs];
    return [...new Map(shown.map((output) => [output.name, output])).values()];
  }

  /** Returns the columns of the results; event rows end with their pointer. */
  private results(): Output[] {
    const outputs = this.columns();
    if (!this.scope.events) return outputs;
    const pointer: Compiled = { kind: 'plain', evaluate: ({ event }) => event && pointerTo(event) };
    return [...outputs.filter(({ name }) => name !== '@ptr'), { name: '@ptr', of: pointer }];
  }
}

const groupNames = (source: string): string[] =>
  [...source.matchAll(/\(\?P?<([A-Za-z_$][\w$]*)>/g)].map(([, name]) => name!);

/** Aggregations in an expression of `stats`. */
const aggregateCalls = (expression: Expression): Call[] =>
  expression.type === 'call' && AGGREGATES.has(expression.name)
    ? [expression]
    : operandsOf(expression).flatMap(aggregateCalls);
