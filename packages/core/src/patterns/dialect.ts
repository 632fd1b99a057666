/** What the services that use patterns disagree on. */
export interface PatternDialect {
  /** Whether there is `wildcard`. */
  readonly wildcards: boolean;
  /**
   * Whether `anything-but` takes `suffix`, `wildcard` and `equals-ignore-case` and lists besides one `prefix`, and
   * `prefix` and `suffix` take `equals-ignore-case`.
   */
  readonly nestedOperators: boolean;
}

/** Event patterns of EventBridge, Pipes and Lambda's event source mappings. */
export const EVENT_PATTERNS: PatternDialect = { wildcards: true, nestedOperators: true };
/** Filter policies of SNS. */
export const FILTER_POLICIES: PatternDialect = { wildcards: false, nestedOperators: false };
