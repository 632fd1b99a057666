import { discover } from '../fields/discover.ts';
import type { Fields } from '../fields/fields.ts';
import type { QueryEvent } from './event.ts';
import type { Value } from './values.ts';

/** A row of a query: an event or a `stats` group, with the query's columns. */
export class Row {
  private fields: Fields | undefined;

  constructor(
    readonly event: QueryEvent | undefined,
    /** Columns by slot. */
    readonly values: Value[],
  ) {}

  /** Returns a discovered field of the event. */
  discovered(segments: readonly string[], name: string): Value {
    if (!this.event) return undefined;
    this.fields ??= discover(this.event);
    return this.fields.get(name, segments);
  }

  /** Copies the row with columns of its own. */
  copy(): Row {
    const row = new Row(this.event, [...this.values]);
    row.fields = this.fields;
    return row;
  }
}
