import { type Collection, type DeepReadonly, DueTimers, type StateScope, type Worker } from '@emu/core/service';
import { nextTime, parseTiming } from '../schedule-expressions.ts';
import {
  type AssociationExecutionRecord,
  type AssociationRecord,
  type AssociationVersionRecord,
  associationCollection,
  associationExecutionCollection,
} from './records.ts';

export type Association = DeepReadonly<AssociationRecord>;
export type AssociationVersion = DeepReadonly<AssociationVersionRecord>;
export type AssociationExecution = DeepReadonly<AssociationExecutionRecord>;

/** Retention of executions, in milliseconds. */
const RETENTION = 30 * 86_400_000;

/** Returns the current version of an association. */
export const currentVersion = ({ versions }: Association): AssociationVersion => versions.at(-1)!;

/** Associations of an account and region, with their schedules. */
export class AssociationStore implements Worker {
  readonly associations: Collection<AssociationRecord>;
  readonly executions: Collection<AssociationExecutionRecord>;
  private readonly timers: DueTimers;

  /** @param run runs an association at its scheduled time */
  constructor(
    private readonly scope: StateScope,
    private readonly run: (association: Association) => void,
  ) {
    this.associations = scope.collection(associationCollection);
    this.executions = scope.collection(associationExecutionCollection);
    this.timers = new DueTimers(scope.clock);
  }

  resume(): void {
    for (const { id } of this.associations.values()) this.watch(id);
  }

  close(): void {
    this.timers.cancelAll();
  }

  /** Returns the next scheduled run of an association in epoch milliseconds; undefined if there is no further run. */
  nextRun(association: Association, after: number): number | undefined {
    const { createdAt, settings } = currentVersion(association);
    const timing = settings.ScheduleExpression === undefined ? undefined : parseTiming(settings.ScheduleExpression);
    if (!timing) return undefined;
    // The first run of a rate is the immediate one.
    const from = timing.kind === 'rate' ? Math.max(after, createdAt) : after;
    return nextTime(timing, from, { since: createdAt, offset: settings.ScheduleOffset });
  }

  /** Sets the timer for the next run of an association; clears it if there is no further run. */
  watch(id: string): void {
    const association = this.associations.get(id);
    const now = this.scope.clock.now();
    const due = association && this.nextRun(association, Math.max(now, association.ranFor ?? 0));
    if (due === undefined) this.timers.cancel(id);
    else
      this.timers.set(id, due, () => {
        const started = this.associations.update(id, (draft) => {
          draft.ranFor = due;
        });
        this.evictOld();
        this.run(started);
        this.watch(id);
      });
  }

  delete(id: string): void {
    this.associations.delete(id);
    this.timers.cancel(id);
    for (const { id: execution } of this.executionsOf(id)) this.executions.delete(execution);
  }

  executionsOf(associationId: string): AssociationExecution[] {
    return [...this.executions.values()].filter((execution) => execution.associationId === associationId);
  }

  private evictOld(): void {
    const since = this.scope.clock.now() - RETENTION;
    for (const { id, endedAt } of [...this.executions.values()])
      if (endedAt !== undefined && endedAt <= since) this.executions.delete(id);
  }
}
