import type { NumberScale } from './matchers.ts';

/** Differences between the services that use patterns. */
export interface PatternDialect {
  /** Whether `wildcard` is supported. */
  readonly wildcards: boolean;
  /**
   * Whether `anything-but` supports `suffix`, `wildcard`, `equals-ignore-case` and lists, in addition to one `prefix`,
   * and `prefix` and `suffix` support `equals-ignore-case`.
   */
  readonly nestedOperators: boolean;
  /**
   * Converts a number before it is compared for equality; NaN for one that equals no other. Without it numbers are
   * compared as they are.
   */
  readonly scale?: NumberScale;
  /** Converts a number before `numeric` compares it, with the limits of its operands; NaN outside of the limits. */
  readonly ranges: { readonly scale: NumberScale; readonly limits: string };
}

/** Limit of `numeric` in event patterns, positive and negative. */
const EVENT_LIMIT = 5_000_000_000;
const SIX_PLACES = 1_000_000;

/**
 * Converts a number of an event pattern's `numeric` to units of its sixth decimal place, counted from the lowest limit,
 * as aws/event-ruler does; truncates further places.
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

/** Limit of numbers in filter policies, positive and negative. */
const FILTER_LIMIT = 1_000_000_000;
const FIVE_PLACES = 100_000;

/**
 * Converts a number of a filter policy to units of its fifth decimal place; truncates further places.
 * @see https://docs.aws.amazon.com/sns/latest/dg/subscription-filter-policy-constraints.html
 */
const inFivePlaces: NumberScale = (value) =>
  Math.abs(value) <= FILTER_LIMIT
    ? // Such a number has fifteen digits; without rounding to them, 1.00003 would become 100002.
      Math.trunc(Number((value * FIVE_PLACES).toPrecision(15)))
    : Number.NaN;

/** Filter policies of SNS. */
export const FILTER_POLICIES: PatternDialect = {
  wildcards: false,
  nestedOperators: false,
  scale: inFivePlaces,
  ranges: { scale: inFivePlaces, limits: '-1.0E9 and 1.0E9' },
};
