import type { Clock, Worker } from '@emu/core/service';
import { type QueryFacts, type QueryOutcome, QueryRun, type ScanCounts } from './query-run.ts';

/** Retention of results in milliseconds. */
const KEPT = 7 * 86_400_000;
/** Maximum bytes of stored results; the oldest are evicted. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_QUERIES = 10_000;
/** Maximum number of concurrent queries. */
export const MAX_RUNNING = 100;

/** The queries of an account and region: running ones, and results of others, in memory. */
export class Queries implements Worker {
  private readonly runs = new Map<string, QueryRun>();

  constructor(private readonly clock: Clock) {}

  /** Starts a query. */
  start(facts: QueryFacts, run: (counts: ScanCounts, signal: AbortSignal) => Promise<QueryOutcome>): QueryRun {
    const query = new QueryRun(facts, run, () => this.evictOld());
    this.runs.set(facts.id, query);
    return query;
  }

  find(id: string): QueryRun | undefined {
    this.evictOld();
    return this.runs.get(id);
  }

  /** Returns all queries, oldest first. */
  list(): QueryRun[] {
    this.evictOld();
    return [...this.runs.values()];
  }

  get running(): number {
    return [...this.runs.values()].filter(({ isRunning }) => isRunning).length;
  }

  close(): void {
    for (const query of this.runs.values()) query.stop(this.clock.now());
  }

  private evictOld(): void {
    const oldest = this.clock.now() - KEPT;
    let bytes = 0;
    for (const { size } of this.runs.values()) bytes += size;
    for (const [id, { facts, size, isRunning }] of this.runs) {
      if (isRunning) continue;
      if (facts.createdAt >= oldest && bytes <= MAX_BYTES && this.runs.size <= MAX_QUERIES) break;
      this.runs.delete(id);
      bytes -= size;
    }
  }
}
