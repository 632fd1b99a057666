import type { Collection } from '@emu/core/service';
import type { EventRecord } from '../runtime/events.ts';
import { changedEvent, type Sealer, UNSEALED } from '../sealing.ts';

/** Histories of executions: the records of their events, and these in order. */
export class Histories {
  private readonly byExecution = new Map<string, EventRecord[]>();

  constructor(private readonly events: Collection<EventRecord>) {
    for (const [key, event] of events.entries())
      this.writable(key.slice(0, key.lastIndexOf('/'))).push(event as EventRecord);
  }

  /**
   * Returns an execution's events, oldest first.
   * @param key of the execution's record
   */
  of(key: string): readonly EventRecord[] {
    return this.byExecution.get(key) ?? [];
  }

  /** Adds an event to an execution, sealed. */
  append(key: string, event: EventRecord, sealer: Sealer): void {
    const kept = sealer === UNSEALED ? event : changedEvent(event, (text) => sealer.seal(text));
    this.writable(key).push(kept);
    this.events.put(`${key}/${event.id}`, kept);
  }

  /** Removes an execution's events. */
  remove(key: string): void {
    for (const { id } of this.of(key)) this.events.delete(`${key}/${id}`);
    this.byExecution.delete(key);
  }

  private writable(key: string): EventRecord[] {
    const history = this.byExecution.get(key) ?? [];
    this.byExecution.set(key, history);
    return history;
  }
}
