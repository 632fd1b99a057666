import { discover } from '../fields/discover.ts';
import type { Fields } from '../fields/fields.ts';
import type { QueryEvent } from './event.ts';
import type { Value } from './values.ts';

/** A row of a query: an event, or a group of `stats`, with the columns that the query has made. */
export class Row {
  private fields: Fields | undefined;

  constructor(
    readonly event: QueryEvent | undefined,
    /** Columns by their slots. */
    readonly values: Value[],
  ) {}

  /** A field that was discovered in the event. */
  discovered(segments: readonly string[], name: string): Value {
    if (!this.event) return undefined;
    this.fields ??= discover(this.event);
    return this.fields.get(name, segments);
  }

  /** The same event with columns of its own. */
  copy(): Row {
    const row = new Row(this.event, [...this.values]);
    row.fields = this.fields;
    return row;
  }
}
