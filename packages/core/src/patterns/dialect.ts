import type { NumberScale } from './matchers.ts';

/** What the services that use patterns disagree on. */
export interface PatternDialect {
  /** Whether there is `wildcard`. */
  readonly wildcards: boolean;
  /**
   * Whether `anything-but` takes `suffix`, `wildcard` and `equals-ignore-case` and lists besides one `prefix`, and
   * `prefix` and `suffix` take `equals-ignore-case`.
   */
  readonly nestedOperators: boolean;
  /** What of a number is compared with one that a pattern names, where not all of it is; NaN of one that equals no other. */
  readonly scale?: NumberScale;
  /** What of a number `numeric` compares, and between which numbers its operands have to be; NaN of others. */
  readonly ranges: { readonly scale: NumberScale; readonly limits: string };
}

/** Largest number that `numeric` knows in event patterns, either side of zero. */
const EVENT_LIMIT = 5_000_000_000;
const SIX_PLACES = 1_000_000;

/**
 * A number of an event pattern's `numeric` in units of its sixth decimal place, counted from the smallest one, as
 * aws/event-ruler does: what is behind that is cut off.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
const inSixPlaces: NumberScale = (value) =>
  Math.abs(value) <= EVENT_LIMIT ? Math.trunc(SIX_PLACES * (EVENT_LIMIT + value)) : Number.NaN;

/** Event patterns of EventBridge, Pipes and Lambda's event source mappings. */
export const EVENT_PATTERNS: PatternDialect = {
  wildcards: true,
  nestedOperators: true,
  ranges: { scale: inSixPlaces, limits: '-5.0E9 and 5.0E9' },
};

/** Largest number of filter policies, either side of zero. */
const FILTER_LIMIT = 1_000_000_000;
const FIVE_PLACES = 100_000;

/**
 * A number of a filter policy in units of its fifth decimal place; what is behind that is cut off.
 * @see https://docs.aws.amazon.com/sns/latest/dg/subscription-filter-policy-constraints.html
 */
const inFivePlaces: NumberScale = (value) =>
  Math.abs(value) <= FILTER_LIMIT
    ? // Fifteen digits are all that such a number has; without the cut, 1.00003 would become 100002.
      Math.trunc(Number((value * FIVE_PLACES).toPrecision(15)))
    : Number.NaN;

/** Filter policies of SNS. */
export const FILTER_POLICIES: PatternDialect = {
  wildcards: false,
  nestedOperators: false,
  scale: inFivePlaces,
  ranges: { scale: inFivePlaces, limits: '-1.0E9 and 1.0E9' },
};
