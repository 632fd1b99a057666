import type { Worker } from '@emu/core/service';
import type { LiveTailSessionLogEvent, StartLiveTailResponseStream } from '@emu/service-types/logs';
import { logsError } from './errors.ts';
import type { LogGroup } from './groups/groups.ts';
import type { FilterPattern } from './patterns/pattern.ts';
import type { LogsRegistry } from './registry.ts';
import { groupType } from './resources.ts';
import type { StoredEvent } from './store/event.ts';

/** Maximum events per session and second; surplus events are sampled. */
const MAX_PER_SECOND = 500;
const SECOND = 1000;
/** Duration of a session in milliseconds. */
const SESSION = 3 * 3_600_000;

/** Filters of a session. */
export interface TailRequest {
  readonly groups: readonly LogGroup[];
  readonly streams: ((name: string) => boolean) | undefined;
  readonly pattern: FilterPattern;
}

/** A session that receives new events. */
class TailSession {
  private results: LiveTailSessionLogEvent[] = [];
  private sampled = false;
  private second = 0;
  private inSecond = 0;
  private ended = false;
  private failure: Error | undefined;
  private wakeUp: (() => void) | undefined;

  constructor(private readonly request: TailRequest) {}

  /** Adds matching new events. */
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
      if (this.inSecond >= MAX_PER_SECOND) {
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

  /** Sends the next update, even an empty one. */
  wake(): void {
    this.wakeUp?.();
    this.wakeUp = undefined;
  }

  end(failure?: Error): void {
    this.ended = true;
    this.failure = failure;
    this.wake();
  }

  /** Yields the updates of the session, when events are available or a flush is requested. */
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

/** The live tail sessions of one account and region. */
export class LiveTails implements Worker {
  private readonly sessions = new Set<TailSession>();

  constructor(private readonly state: LogsRegistry) {}

  /**
   * Passes new events to the sessions.
   * @param events creates the events, called only if there are sessions
   */
  publish(group: LogGroup, stream: string, events: () => readonly StoredEvent[]): void {
    for (const session of this.sessions) session.take(this.state, group, stream, events);
  }

  /**
   * Starts a session; it ends with the signal, after three hours, or when the state is closed.
   * @param first the first event of the stream
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
