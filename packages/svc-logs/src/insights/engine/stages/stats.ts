import type { Accumulator, Aggregate } from '../aggregates.ts';
import type { Compiled } from '../functions/function.ts';
import { Row } from '../row.ts';
import { isStructure, type Value } from '../values.ts';
import type { MakeStage, Stage, Steps } from './stage.ts';

/** An aggregation of a `stats` command with its result slot. */
export interface Aggregation {
  readonly slot: number;
  readonly aggregate: Aggregate;
  readonly args: readonly Compiled[];
}

/** Expressions over aggregation results. */
export interface Derived {
  readonly slot: number;
  readonly of: Compiled;
}

export interface StatsPlan {
  readonly by: readonly { slot: number; of: Compiled }[];
  readonly aggregations: readonly Aggregation[];
  readonly derived: readonly Derived[];
  readonly size: number;
}

interface Group {
  readonly keys: readonly Value[];
  readonly accumulators: readonly Accumulator[];
}

/** Groups rows in order of first occurrence, and creates one row per group. */
export const statsStage =
  (plan: StatsPlan): MakeStage =>
  (next) =>
    new Stats(plan, next);

class Stats implements Stage {
  private readonly groups = new Map<unknown, Group>();

  constructor(
    private readonly plan: StatsPlan,
    private readonly next: Stage,
  ) {}

  push(row: Row): void {
    const { by } = this.plan;
    const [only] = by;
    let key: unknown;
    let keys: Value[] | undefined;
    // Most groups have a single key.
    if (by.length === 1) key = keyOf(only!.of.evaluate(row));
    else if (by.length) {
      keys = by.map(({ of }) => keyOf(of.evaluate(row)));
      key = JSON.stringify(keys.map((each) => each ?? null));
    }
    let group = this.groups.get(key);
    if (!group) {
      group = { keys: keys ?? [key as Value], accumulators: this.accumulators() };
      this.groups.set(key, group);
    }
    for (const accumulator of group.accumulators) accumulator.add(row);
  }

  *end(): Steps {
    const { by, aggregations, derived, size } = this.plan;
    for (const { keys, accumulators } of this.groups.values()) {
      const row = new Row(undefined, new Array<Value>(size).fill(undefined));
      for (const [index, { slot }] of by.entries()) row.values[slot] = keys[index];
      for (const [index, { slot }] of aggregations.entries()) row.values[slot] = accumulators[index]!.result();
      for (const { slot, of } of derived) row.values[slot] = of.evaluate(row);
      this.next.push(row);
      yield;
    }
    yield* this.next.end();
  }

  private accumulators(): Accumulator[] {
    return this.plan.aggregations.map(({ aggregate, args }) => aggregate.make(args));
  }
}

/** Structures cannot be group keys. */
const keyOf = (value: Value): Value => (isStructure(value) ? undefined : value);
