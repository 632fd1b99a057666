import { nextRun, parseSchedule } from '@emu/core/schedules';
import { type Clock, type Collection, type DeepReadonly, DueTimers, numericKey, type Worker } from '@emu/core/service';
import type { ScheduledQueryRecord, TriggerRecord } from './records.ts';

/** A stored scheduled query. */
export type ScheduledQuery = DeepReadonly<ScheduledQueryRecord>;
/** A stored run. */
export type Trigger = DeepReadonly<TriggerRecord>;

/** Maximum number of stored runs per query. */
const MAX_TRIGGERS = 1000;

/** The scheduled queries of an account and region, and their scheduling. */
export class ScheduledQueries implements Worker {
  private readonly timers: DueTimers;

  /** @param run runs a query and returns its outcome */
  constructor(
    private readonly clock: Clock,
    readonly queries: Collection<ScheduledQueryRecord>,
    private readonly triggers: Collection<TriggerRecord>,
    private readonly run: (query: ScheduledQuery, at: number) => Promise<TriggerRecord>,
  ) {
    this.timers = new DueTimers(clock);
  }

  resume(): void {
    for (const query of this.queries.values()) this.schedule(query);
  }

  /** Returns the query with an id or name. */
  find(idOrName: string): ScheduledQuery | undefined {
    return this.queries.get(idOrName) ?? [...this.queries.values()].find(({ name }) => name === idOrName);
  }

  /** Returns all queries in order of name. */
  list(): ScheduledQuery[] {
    return [...this.queries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  put(record: ScheduledQueryRecord): ScheduledQuery {
    const query = this.queries.put(record.id, record);
    this.schedule(query);
    return query;
  }

  delete(id: string): void {
    this.timers.cancel(id);
    this.queries.delete(id);
    for (const [key, { query }] of [...this.triggers.entries()]) if (query === id) this.triggers.delete(key);
  }

  /** Returns the runs of a query, oldest first. */
  history(id: string): Trigger[] {
    return [...this.triggers.values()].filter(({ query }) => query === id);
  }

  /** Schedules a query's next run, replacing an earlier schedule. */
  private schedule(query: ScheduledQuery): void {
    this.timers.cancel(query.id);
    const due = query.state === 'ENABLED' ? dueAfter(query, this.clock.now()) : undefined;
    if (due === undefined) return;
    this.timers.set(query.id, due, async () => {
      const current = this.queries.get(query.id);
      if (!current) return;
      this.schedule(current);
      await this.trigger(current, due);
    });
  }

  private async trigger(query: ScheduledQuery, at: number): Promise<void> {
    const trigger = await this.run(query, at);
    if (!this.queries.has(query.id)) return;
    this.triggers.put(`${query.id} ${numericKey(at)}`, trigger);
    const keys = [...this.triggers.entries()].filter(([, { query: id }]) => id === query.id).map(([key]) => key);
    for (const key of keys.slice(0, -MAX_TRIGGERS)) this.triggers.delete(key);
    this.queries.update(query.id, (draft) => {
      draft.triggeredAt = at;
      draft.status = trigger.status;
    });
  }
}

/** Returns the next due time after a time; undefined if there is none. */
export function dueAfter({ schedule, timezone, startsAt, endsAt }: ScheduledQuery, time: number): number | undefined {
  const parsed = parseSchedule(schedule, timezone);
  const due = parsed && nextRun(parsed, Math.max(time, (startsAt ?? 0) - 1), time);
  return due !== undefined && (endsAt === undefined || due <= endsAt) ? due : undefined;
}
