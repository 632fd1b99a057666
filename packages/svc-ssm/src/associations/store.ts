import { type Collection, type DeepReadonly, DueTimers, type StateScope, type Worker } from '@emu/core';
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

/** Milliseconds for which executions are remembered. */
const HISTORY = 30 * 86_400_000;

/** The version of an association that holds. */
export const currentVersion = ({ versions }: Association): AssociationVersion => versions.at(-1)!;

/** The associations of an account and region, which run by the clock. */
export class AssociationStore implements Worker {
  readonly associations: Collection<AssociationRecord>;
  readonly executions: Collection<AssociationExecutionRecord>;
  private readonly timers: DueTimers;

  /** @param run runs an association whose time has come */
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

  /** When an association runs next by its schedule, in epoch milliseconds; undefined where it does not. */
  nextRun(association: Association, after: number): number | undefined {
    const { createdAt, settings } = currentVersion(association);
    const timing = settings.ScheduleExpression === undefined ? undefined : parseTiming(settings.ScheduleExpression);
    if (!timing) return undefined;
    // The first run of a rate is the one at once.
    const from = timing.kind === 'rate' ? Math.max(after, createdAt) : after;
    return nextTime(timing, from, { since: createdAt, offset: settings.ScheduleOffset });
  }

  /** Sets the clock for an association's next run, or leaves it where there is none. */
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
        this.forgetOld();
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

  private forgetOld(): void {
    const since = this.scope.clock.now() - HISTORY;
    for (const { id, endedAt } of [...this.executions.values()])
      if (endedAt !== undefined && endedAt <= since) this.executions.delete(id);
  }
}
