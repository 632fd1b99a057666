import { type Collection, type DeepReadonly, DueTimers, type StateScope, type Worker } from '@emu/core';
import type { SessionRecord } from './records.ts';

export type Session = DeepReadonly<SessionRecord>;

/** AWS keeps sessions for thirty days. */
const RETENTION = 30 * 86_400_000;

/** Whether a session is one of the history. */
export const isPast = ({ status }: Session): boolean => status === 'Terminated' || status === 'Failed';

/** The sessions of an account and region, which end on the clock. */
export class Sessions implements Worker {
  private readonly timers: DueTimers;

  constructor(
    private readonly scope: StateScope,
    private readonly records: Collection<SessionRecord>,
  ) {
    this.timers = new DueTimers(scope.clock);
  }

  resume(): void {
    for (const session of this.records.values()) this.watch(session);
  }

  close(): void {
    this.timers.cancelAll();
  }

  get(id: string): Session | undefined {
    return this.records.get(id);
  }

  /** Every session, the oldest first. */
  all(): Iterable<Session> {
    return this.records.values();
  }

  put(record: SessionRecord): Session {
    const oldest = this.scope.clock.now() - RETENTION;
    for (const { id, endedAt } of this.records.values())
      if (endedAt !== undefined && endedAt < oldest) this.records.delete(id);
    const session = this.records.put(record.id, record);
    this.watch(session);
    return session;
  }

  /** Ends a session for good. */
  terminate(id: string): void {
    this.timers.cancel(id);
    this.records.update(id, (draft) => {
      draft.status = 'Terminated';
      draft.endedAt ??= Math.floor(this.scope.clock.now());
    });
  }

  private watch(session: Session): void {
    if (session.endsBy !== undefined && !isPast(session))
      this.timers.set(session.id, session.endsBy, () => this.terminate(session.id));
  }
}
