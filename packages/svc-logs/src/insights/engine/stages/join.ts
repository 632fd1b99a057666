import type { Compiled } from '../functions/function.ts';
import type { RowsByText } from '../nested.ts';
import { Row } from '../row.ts';
import { Scope } from '../scope.ts';
import { scalarText, type Value } from '../values.ts';
import { type MakeStage, perRow } from './stage.ts';

/** A joined row: the left event, and the right row, which may be missing. */
class JoinedRow extends Row {
  constructor(
    readonly left: Row,
    readonly right: Row | undefined,
    values: Value[] = [],
  ) {
    super(left.event, values);
  }

  override copy(): Row {
    return new JoinedRow(this.left, this.right, [...this.values]);
  }
}

type Resolve = (name: string, segments: readonly string[]) => Compiled | undefined;

/** One side of a join, which resolves names in its own rows. */
export interface JoinSide {
  readonly alias: string;
  readonly resolve: Resolve;
}

/** Name scope after a join: names with an alias refer to its side, others to the left side, then the right. */
export class JoinedScope extends Scope {
  constructor(
    private readonly left: JoinSide,
    private readonly right: JoinSide,
  ) {
    super(false);
  }

  protected override outside(name: string, segments: readonly string[]): Compiled {
    const [first, ...rest] = segments;
    const inner = rest.join('.');
    if (rest.length && first === this.left.alias) return ofLeft(name, this.left.resolve(inner, rest));
    if (rest.length && first === this.right.alias) return ofRight(name, this.right.resolve(inner, rest));
    const [left, right] = [this.left.resolve(name, segments), this.right.resolve(name, segments)];
    const [one, other] = [ofLeft(name, left), ofRight(name, right)];
    return {
      kind: (left ?? right)?.kind ?? 'plain',
      name,
      evaluate: (row) => one.evaluate(row) ?? other.evaluate(row),
    };
  }
}

/** Evaluates an expression on the left row. */
export const ofLeft = (name: string, inner: Compiled | undefined): Compiled => ({
  kind: inner?.kind ?? 'plain',
  name,
  evaluate: (row) => (row instanceof JoinedRow ? inner?.evaluate(row.left) : undefined),
});

/** Evaluates an expression on the right row; undefined if missing. */
export const ofRight = (name: string, inner: Compiled | undefined): Compiled => ({
  kind: inner?.kind ?? 'plain',
  name,
  evaluate: (row) => (row instanceof JoinedRow && row.right ? inner?.evaluate(row.right) : undefined),
});

/**
 * Joins rows with those of a nested query by equal values.
 * @param keeps whether rows without a match are kept
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Join.html
 */
export const joinStage = (key: Compiled, matches: RowsByText, keeps: boolean): MakeStage =>
  perRow((row, next) => {
    const text = scalarText(key.evaluate(row));
    const found = text === undefined ? undefined : matches.get(text);
    if (found) for (const match of found) next.push(new JoinedRow(row, match));
    else if (keeps) next.push(new JoinedRow(row, undefined));
  });
