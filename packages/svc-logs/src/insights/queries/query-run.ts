import type { QueryLanguage, QueryStatistics, QueryStatus } from '@emu/service-types/logs';
import type { ResultField } from '../engine/pipeline.ts';

/** Milliseconds in which queries of AWS usually run. */
const USUAL_DURATION = 5000;

/** Statistics of a query. */
export interface ScanCounts {
  scanned: number;
  bytes: number;
  /** Estimates of the work that an index saved. */
  skipped: number;
  skippedBytes: number;
  groups: number;
}

/** Properties of a query at its start. */
export interface QueryFacts {
  readonly id: string;
  readonly language: QueryLanguage;
  /** Query text as DescribeQueries returns it: with log groups and time range. */
  readonly shown: string;
  /** Names of log groups; ARNs in other accounts. */
  readonly groups: readonly string[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** Results of a query. */
export interface QueryOutcome {
  readonly results: ResultField[][];
  readonly matched: number;
}

/** A started query; runs until it is complete or stopped. */
export class QueryRun {
  status: QueryStatus = 'Running';
  results: readonly (readonly ResultField[])[] = [];
  /** Approximate bytes of the results. */
  size = 0;
  /** Reason of a failure. */
  problem: string | undefined;
  private matched = 0;
  /** Whether a response has shown its end. */
  private endReported = false;
  private readonly counts: ScanCounts = { scanned: 0, bytes: 0, skipped: 0, skippedBytes: 0, groups: 0 };
  private readonly stopped = new AbortController();
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;

  /**
   * @param run runs the query; ends early when it is stopped
   * @param onEnd called when it has ended
   */
  constructor(
    readonly facts: QueryFacts,
    run: (counts: ScanCounts, signal: AbortSignal) => Promise<QueryOutcome>,
    onEnd: () => void,
  ) {
    this.ended = this.follow(run).finally(onEnd);
  }

  get isRunning(): boolean {
    return this.status === 'Running';
  }

  get statistics(): QueryStatistics {
    const { scanned, bytes, skipped, skippedBytes, groups } = this.counts;
    return {
      recordsMatched: this.matched,
      recordsScanned: scanned,
      estimatedRecordsSkipped: skipped,
      bytesScanned: bytes,
      estimatedBytesSkipped: skippedBytes,
      logGroupsScanned: groups,
    };
  }

  /** Returns the status for a response; from then on, an ended query cannot be stopped. */
  report(): QueryStatus {
    if (!this.isRunning) this.endReported = true;
    return this.status;
  }

  /**
   * Stops the query. One that ended within the time that AWS takes for a query can still be stopped until a response
   * has shown its end.
   * @param now epoch milliseconds
   * @returns whether it was running
   */
  stop(now: number): boolean {
    const endedEarly = this.status === 'Complete' && !this.endReported && now - this.facts.createdAt < USUAL_DURATION;
    if (!this.isRunning && !endedEarly) return false;
    this.status = 'Cancelled';
    this.results = [];
    this.size = 0;
    this.stopped.abort();
    return true;
  }

  private async follow(run: (counts: ScanCounts, signal: AbortSignal) => Promise<QueryOutcome>): Promise<void> {
    try {
      const { results, matched } = await run(this.counts, this.stopped.signal);
      if (!this.isRunning) return;
      this.results = results;
      this.matched = matched;
      this.size = sizeOf(results);
      this.status = 'Complete';
    } catch (error) {
      if (!this.isRunning) return;
      this.problem = (error as Error).message;
      this.status = 'Failed';
    }
  }
}

const sizeOf = (results: readonly (readonly ResultField[])[]): number =>
  results.reduce((size, row) => size + row.reduce((sum, { field, value }) => sum + field.length + value.length, 0), 0);
