import type { Worker } from '@emu/core';
import type { LiveTailSessionLogEvent, StartLiveTailResponseStream } from '@emu/service-types/logs';
import { logsError } from './errors.ts';
import type { LogGroup } from './groups.ts';
import type { FilterPattern } from './patterns/pattern.ts';
import type { LogsRegistry } from './registry.ts';
import { groupType } from './resources.ts';
import type { StoredEvent } from './store/event.ts';

/** Events that a session gets in a second; of more it gets some. */
const MOST_PER_SECOND = 500;
const SECOND = 1000;
/** Milliseconds that a session lasts. */
const SESSION = 3 * 3_600_000;

/** What a session wants to see. */
export interface TailRequest {
  readonly groups: readonly LogGroup[];
  readonly streams: ((name: string) => boolean) | undefined;
  readonly pattern: FilterPattern;
}

/** One reader of new events. */
class TailSession {
  private results: LiveTailSessionLogEvent[] = [];
  private sampled = false;
  private second = 0;
  private inSecond = 0;
  private ended = false;
  private failure: Error | undefined;
  private wakeUp: (() => void) | undefined;

  constructor(private readonly request: TailRequest) {}

  /** Takes what the session wants of new events. */
  take(state: LogsRegistry, group: LogGroup, stream: string, events: () => readonly StoredEvent[]): void {
    const { groups, streams, pattern } = this.request;
    if (!groups.includes(group) || (streams && !streams(stream))) return;
    const now = state.clock.now();
    const second = Math.floor(now / SECOND);
    if (second !== this.second) {
      this.second = second;
      this.inSecond = 0;
    }
    for (const event of events()) {
      if (!pattern.test(event.message)) continue;
      if (this.inSecond >= MOST_PER_SECOND) {
        this.sampled = true;
        continue;
      }
      this.inSecond++;
      this.results.push({
        logStreamName: stream,
        logGroupIdentifier: groupType.arn({ name: group.name }, state),
        message: state.protection.masked(group, event),
        timestamp: event.timestamp,
        ingestionTime: event.ingestionTime,
      });
    }
    if (this.results.length) this.wake();
  }

  /** Lets the next update go out, whatever is in it. */
  wake(): void {
    this.wakeUp?.();
    this.wakeUp = undefined;
  }

  end(failure?: Error): void {
    this.ended = true;
    this.failure = failure;
    this.wake();
  }

  /** The updates of the session, each when there is something new, or told to. */
  async *updates(): AsyncGenerator<StartLiveTailResponseStream, void, undefined> {
    for (;;) {
      if (!this.results.length && !this.ended)
        await new Promise<void>((resolve) => {
          this.wakeUp = resolve;
        });
      if (this.ended) break;
      const sessionResults = this.results;
      const { sampled } = this;
      this.results = [];
      this.sampled = false;
      yield { sessionUpdate: { sessionMetadata: { sampled }, sessionResults } };
    }
    if (this.failure) throw this.failure;
  }
}

/** The sessions of one account and region that look at new events. */
export class LiveTails implements Worker {
  private readonly sessions = new Set<TailSession>();

  constructor(private readonly state: LogsRegistry) {}

  /** Tells the sessions of new events. @param events made where somebody wants them */
  publish(group: LogGroup, stream: string, events: () => readonly StoredEvent[]): void {
    for (const session of this.sessions) session.take(this.state, group, stream, events);
  }

  /**
   * Begins a session; it ends with the signal, after three hours, or with the state.
   * @param first the event that it begins with
   */
  async *open(
    request: TailRequest,
    first: StartLiveTailResponseStream,
    signal: AbortSignal,
  ): AsyncGenerator<StartLiveTailResponseStream, void, undefined> {
    const { clock } = this.state;
    const session = new TailSession(request);
    this.sessions.add(session);
    const end = (): void => session.end();
    signal.addEventListener('abort', end);
    const beat = clock.every(SECOND, () => session.wake());
    const last = clock.after(SESSION, () =>
      session.end(logsError('SessionTimeoutException', 'The Live Tail session has timed out.')),
    );
    try {
      yield first;
      yield* session.updates();
    } finally {
      this.sessions.delete(session);
      signal.removeEventListener('abort', end);
      beat.cancel();
      last.cancel();
    }
  }

  close(): void {
    for (const session of this.sessions) session.end();
  }

  endWaits(): void {
    this.close();
  }
}
