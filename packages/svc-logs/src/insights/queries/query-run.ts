import type { QueryLanguage, QueryStatistics, QueryStatus } from '@emu/service-types/logs';
import type { ResultField } from '../engine/pipeline.ts';

/** What a query has looked at. */
export interface ScanCounts {
  scanned: number;
  bytes: number;
  /** Estimates of what an index has spared. */
  skipped: number;
  skippedBytes: number;
  groups: number;
}

/** What of a query is known when it is started. */
export interface QueryFacts {
  readonly id: string;
  readonly language: QueryLanguage;
  /** As DescribeQueries shows it: with the log groups and the time range. */
  readonly shown: string;
  /** Names of the log groups; ARNs of those of other accounts. */
  readonly groups: readonly string[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** What a query comes to. */
export interface QueryOutcome {
  readonly results: ResultField[][];
  readonly matched: number;
}

/** A query that was started: it runs by itself until it is complete or stopped. */
export class QueryRun {
  status: QueryStatus = 'Running';
  results: readonly (readonly ResultField[])[] = [];
  /** Bytes of the results, about. */
  size = 0;
  /** Why it failed. */
  problem: string | undefined;
  private matched = 0;
  private readonly counts: ScanCounts = { scanned: 0, bytes: 0, skipped: 0, skippedBytes: 0, groups: 0 };
  private readonly stopped = new AbortController();
  /** Resolves when it runs no more. */
  readonly ended: Promise<void>;

  /**
   * @param run runs it, and ends early when it is stopped
   * @param onEnd told when it runs no more
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

  /** @returns whether it was running */
  stop(): boolean {
    if (!this.isRunning) return false;
    this.status = 'Cancelled';
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
