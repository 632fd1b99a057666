import type { Query } from '../language/syntax.ts';
import type { QueryEvent } from './event.ts';
import type { Compiled } from './functions/function.ts';
import { Row } from './row.ts';
import type { Phase } from './stages/pattern.ts';
import type { Stage } from './stages/stage.ts';
import { display, type Value } from './values.ts';

/** A field of a result, as GetQueryResults answers it. */
export interface ResultField {
  field: string;
  value: string;
}

/** A column of the results. */
export interface Output {
  readonly name: string;
  readonly of: Compiled;
}

/** What a query has come to so far. */
export interface Counts {
  matched: number;
}

/** The time range that `diff` compares with, in epoch milliseconds, both included. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** What lets the reader of events pass over most of them. */
export interface Hints {
  /** Fields of `filterIndex`: only groups with an index of them are scanned. */
  readonly indexes: readonly string[];
  /** A text that every matching message has. */
  readonly contains: string | undefined;
  /** Whether the newest events are wanted first. */
  readonly descending: boolean;
}

/** A query inside another one, which comes to its end before the other begins. */
export interface InnerQuery {
  /** Reads the log groups of the other query where it has no `SOURCE`. */
  readonly query: Query;
  readonly pipeline: Pipeline;
  /** Takes over its rows, when all its events have come. */
  finish(): void;
}

/** A query, ready to be run once: events are pushed into it, and its results come out at the end. */
export class Pipeline {
  /**
   * @param size columns that rows of events have room for
   * @param most rows of the results
   * @param compared the time range whose events come before those of the query, for `diff`
   * @param nested queries that have to come to their end before
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

  /** Whether no more events are wanted. */
  get isDone(): boolean {
    return this.first.isDone ?? false;
  }

  push(event: QueryEvent): void {
    this.first.push(new Row(event, this.size ? new Array<Value>(this.size).fill(undefined) : NO_VALUES));
  }

  /** Events of the compared time range come, or end. */
  compare(previous: boolean): void {
    this.phase.previous = previous;
  }

  /** Ends the query. @returns its rows */
  finish(): ResultField[][] {
    return this.drain().map((row) =>
      this.outputs.flatMap(({ name, of }) => {
        const value = display(of.evaluate(row), of.kind);
        return value === undefined ? [] : [{ field: name, value }];
      }),
    );
  }

  /** Ends the query. @returns its rows as another query goes on with them */
  drain(): Row[] {
    this.first.end();
    return this.sink.rows;
  }
}

const NO_VALUES: Value[] = [];

/** Where rows end up. */
export class Sink implements Stage {
  readonly rows: Row[] = [];

  constructor(private readonly most: number) {}

  push(row: Row): void {
    if (this.rows.length < this.most) this.rows.push(row);
  }

  end(): void {}
}
