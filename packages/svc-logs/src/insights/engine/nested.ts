import type { Query } from '../language/syntax.ts';
import type { Compiled } from './functions/function.ts';
import type { InnerQuery, Output, Pipeline } from './pipeline.ts';
import type { Row } from './row.ts';
import { scalarText } from './values.ts';

/** Rows of a nested query by the text of one value. */
export type RowsByText = ReadonlyMap<string, readonly Row[]>;

/** Results of a nested query. */
export class NestedQuery implements InnerQuery {
  private rows: readonly Row[] = [];

  /** @param resolve resolves a name in its rows; undefined if the query does not return it */
  constructor(
    readonly query: Query,
    readonly pipeline: Pipeline,
    /** Its displayed columns. */
    readonly shown: readonly Output[],
    readonly resolve: (name: string, segments: readonly string[]) => Compiled | undefined,
  ) {}

  finish(): void {
    this.rows = this.pipeline.drain();
  }

  /** Groups its rows after they are complete; rows without the value are left out. */
  by({ evaluate }: Compiled): () => RowsByText {
    let found: Map<string, Row[]> | undefined;
    return () => {
      if (found) return found;
      found = new Map();
      for (const row of this.rows) {
        const key = scalarText(evaluate(row));
        if (key === undefined) continue;
        const others = found.get(key);
        if (others) others.push(row);
        else found.set(key, [row]);
      }
      return found;
    };
  }
}
