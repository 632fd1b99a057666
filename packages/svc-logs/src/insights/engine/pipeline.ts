import type { Query } from '../language/syntax.ts';
import type { QueryEvent } from './event.ts';
import type { Compiled } from './functions/function.ts';
import { Row } from './row.ts';
import type { Phase } from './stages/pattern.ts';
import type { Stage, Steps } from './stages/stage.ts';
import { display, type Value } from './values.ts';

/** Result field as GetQueryResults returns it. */
export interface ResultField {
  field: string;
  value: string;
}

/** A result column. */
export interface Output {
  readonly name: string;
  readonly of: Compiled;
}

/** Current results of a query. */
export interface Counts {
  matched: number;
}

/** Time range that `diff` compares to, in epoch milliseconds, inclusive. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** Lets the reader skip most events. */
export interface Hints {
  /** Fields of `filterIndex`: only groups with an index on them are scanned. */
  readonly indexes: readonly string[];
  /** Text in every matching message. */
  readonly contains: string | undefined;
  /** Whether to read newest events first. */
  readonly descending: boolean;
}

/** A nested query, which completes before the outer one starts. */
export interface InnerQuery {
  /** Uses the outer query's log groups if it has no `SOURCE`. */
  readonly query: Query;
  readonly pipeline: Pipeline;
  /** Stores its rows after all of its events are read. */
  finish(): Steps;
}

/** A compiled query, run once: receives events and returns results at the end. */
export class Pipeline {
  /**
   * @param size slots of event rows
   * @param most maximum number of result rows
   * @param compared time range of the events that precede the query's own, for `diff`
   * @param nested queries that must complete first
   */
  constructor(
    private readonly first: Stage,
    private readonly sink: Sink,
    private readonly outputs: readonly Output[],
    private readonly size: number,
    private readonly phase: Phase,
    readonly compared: TimeRange | undefined,
    readonly counts: Counts,
    readonly hints: Hints,
    readonly nested: readonly InnerQuery[],
  ) {}

  /** Whether no more events are needed. */
  get isDone(): boolean {
    return this.first.isDone ?? false;
  }

  push(event: QueryEvent): void {
    this.first.push(new Row(event, this.size ? new Array<Value>(this.size).fill(undefined) : NO_VALUES));
  }

  /** Starts or ends the events of the compared time range. */
  compare(previous: boolean): void {
    this.phase.previous = previous;
  }

  /**
   * Ends the query.
   * @returns its result rows
   */
  *finish(): Steps<ResultField[][]> {
    const results: ResultField[][] = [];
    for (const row of yield* this.drain()) {
      results.push(
        this.outputs.flatMap(({ name, of }) => {
          const value = display(of.evaluate(row), of.kind);
          return value === undefined ? [] : [{ field: name, value }];
        }),
      );
      yield;
    }
    return results;
  }

  /**
   * Ends the query.
   * @returns its rows for the outer query
   */
  *drain(): Steps<readonly Row[]> {
    yield* this.first.end();
    return this.sink.rows;
  }
}

const NO_VALUES: Value[] = [];

/** Final stage, which collects rows. */
export class Sink implements Stage {
  readonly rows: Row[] = [];

  constructor(private readonly most: number) {}

  push(row: Row): void {
    if (this.rows.length < this.most) this.rows.push(row);
  }

  *end(): Steps {}
}
