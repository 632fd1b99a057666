/** Limits of a program from a user. A limit that is left out does not apply. */
export interface WorkLimits {
  /** Maximum number of evaluated parts, e.g. operators, visited values and comparisons. */
  readonly steps?: number;
  /** Maximum size of all produced values, in the interpreter's unit, e.g. characters or elements. */
  readonly size?: number;
  /** Maximum nesting depth of parts. */
  readonly depth?: number;
  /** A budget that counts the steps and sizes as well. */
  readonly within?: WorkBudget;
}

/** A program from a user exceeds a limit. The service answers its own error. */
export class WorkLimitError extends Error {
  override readonly name = 'WorkLimitError';

  constructor(
    /** Exceeded limit. */
    readonly limit: Exclude<keyof WorkLimits, 'within'>,
    /** Its value. */
    readonly most: number,
  ) {
    super(
      limit === 'depth'
        ? `More than ${most} levels of nesting`
        : limit === 'size'
          ? `Produced values above the size of ${most}`
          : `More than ${most} steps`,
    );
  }
}

/**
 * Counts the work of one run of a program from a user, so that no input blocks the process, exhausts its memory or its
 * stack. Parsers use the depth only.
 */
export class WorkBudget {
  private steps = 0;
  private size = 0;
  private depth = 0;

  constructor(private readonly limits: WorkLimits) {}

  /** Counts evaluated parts. @throws WorkLimitError */
  step(count = 1): void {
    this.steps += count;
    const { steps = Number.POSITIVE_INFINITY } = this.limits;
    if (this.steps > steps) throw new WorkLimitError('steps', steps);
    this.limits.within?.step(count);
  }

  /** Counts the size of a produced value, if possible before it is made. @throws WorkLimitError */
  produce(size: number): void {
    this.size += size;
    const { size: most = Number.POSITIVE_INFINITY } = this.limits;
    if (this.size > most) throw new WorkLimitError('size', most);
    this.limits.within?.produce(size);
  }

  /** Runs a nested part. @throws WorkLimitError */
  nested<T>(part: () => T): T {
    const { depth = Number.POSITIVE_INFINITY } = this.limits;
    if (this.depth >= depth) throw new WorkLimitError('depth', depth);
    this.depth++;
    try {
      return part();
    } finally {
      this.depth--;
    }
  }
}
