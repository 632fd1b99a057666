import type { Query } from '../language/syntax.ts';
import type { Compiled } from './functions/function.ts';
import type { Output, Pipeline } from './pipeline.ts';
import type { Row } from './row.ts';
import { textOf } from './values.ts';

/** Rows of a nested query by the texts of one of their values. */
export type RowsByText = ReadonlyMap<string, readonly Row[]>;

/** A query inside another one, which is run to its end before the other begins. */
export class NestedQuery {
  private rows: readonly Row[] = [];

  /** @param resolve what a name stands for in its rows; undefined for what it does not return */
  constructor(
    /** Reads the log groups of the other query where it has no `SOURCE`. */
    readonly query: Query,
    readonly pipeline: Pipeline,
    /** The columns that it shows. */
    readonly shown: readonly Output[],
    readonly resolve: (name: string, segments: readonly string[]) => Compiled | undefined,
  ) {}

  /** Takes over its rows, when all its events have come. */
  finish(): void {
    this.rows = this.pipeline.drain();
  }

  /** Groups its rows, once they are there; those without the value are left out. */
  by({ evaluate }: Compiled): () => RowsByText {
    let found: Map<string, Row[]> | undefined;
    return () => {
      if (found) return found;
      found = new Map();
      for (const row of this.rows) {
        const key = textOf(evaluate(row));
        if (key === undefined) continue;
        const others = found.get(key);
        if (others) others.push(row);
        else found.set(key, [row]);
      }
      return found;
    };
  }
}
