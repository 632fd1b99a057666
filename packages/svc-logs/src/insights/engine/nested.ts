import type { Query } from '../language/syntax.ts';
import type { Compiled } from './functions/function.ts';
import type { InnerQuery, Output, Pipeline } from './pipeline.ts';
import type { Row } from './row.ts';
import type { Steps } from './stages/stage.ts';
import { scalarText } from './values.ts';

/** Rows of a nested query by the text of one value. */
export type RowsByText = ReadonlyMap<string, readonly Row[]>;

/** Results of a nested query. */
export class NestedQuery implements InnerQuery {
  private readonly indexes: { readonly of: Compiled; readonly rows: Map<string, Row[]> }[] = [];

  /** @param resolve resolves a name in its rows; undefined if the query does not return it */
  constructor(
    readonly query: Query,
    readonly pipeline: Pipeline,
    /** Its displayed columns. */
    readonly shown: readonly Output[],
    readonly resolve: (name: string, segments: readonly string[]) => Compiled | undefined,
  ) {}

  *finish(): Steps {
    for (const row of yield* this.pipeline.drain()) {
      for (const { of, rows } of this.indexes) {
        const key = scalarText(of.evaluate(row));
        if (key === undefined) continue;
        const others = rows.get(key);
        if (others) others.push(row);
        else rows.set(key, [row]);
      }
      yield;
    }
  }

  /** Returns its rows by a value, once the query is finished; rows without the value are left out. */
  by(of: Compiled): RowsByText {
    const rows = new Map<string, Row[]>();
    this.indexes.push({ of, rows });
    return rows;
  }
}
