import { DueTimers, type InterruptedWork, interruptedRecords, type Worker } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import QuickLRU from 'quick-lru';
import type { LogGroup } from '../groups/groups.ts';
import { parseSystemCriteria, systemField } from '../metric-filters/system-fields.ts';
import { parsePattern } from '../patterns/parse.ts';
import type { DeliveryPosition, Subscription } from '../records.ts';
import type { LogsRegistry, WrittenEvents } from '../registry.ts';
import { groupType } from '../resources.ts';
import type { AppendedEvent } from '../store/append-reader.ts';
import { deliver } from './destination.ts';
import { dataMessage, streamKey } from './payload.ts';
import { selects } from './selection.ts';

/** Number of lines processed per step. */
const STEP = 1000;
/** Maximum bytes of messages per record: compressed and in base64 it must fit into a function's payload. */
const MAX_BYTES = 512 * 1024;
const FIRST_RETRY = 1000;
const LAST_RETRY = 60_000;
/** Milliseconds for which a delivery is retried. */
const GIVE_UP = 24 * 3_600_000;
/** Number of events whose cause is stored. */
const KNOWN_CAUSES = 10_000;

/** Retryable errors; others are permanent. */
const RETRYABLE =
  /Throttl|TooManyRequests|ProvisionedThroughput|ServiceUnavailable|Internal|LimitExceeded|ResourceConflict/;

/**
 * Delivers stored events to subscribers in order of arrival. Positions are persisted, so that each event is delivered
 * once, even after a restart.
 */
export class Deliveries implements Worker {
  private readonly running = new Set<string>();
  private readonly again = new Set<string>();
  private readonly retries: DueTimers;
  /** Start and number of delivery failures, by position key. */
  private readonly failures = new Map<string, { since: number; count: number }>();
  /** Causes of the newest events, by event id. */
  private readonly causes = new QuickLRU<string, string>({ maxSize: KNOWN_CAUSES });
  private closed = false;

  constructor(private readonly state: LogsRegistry) {
    this.retries = new DueTimers(state.clock);
  }

  /** Continues deliveries after a restart. After a failure, events so far are not delivered. */
  interrupted(): InterruptedWork[] {
    const groups = new Map(
      [...this.state.groups.list()].flatMap((group) =>
        this.of(group).map(([key, filter]) => [positionKey(key, group), { key, filter, group }] as const),
      ),
    );
    return interruptedRecords(groups, {
      name: ({ filter, group }) => `subscription filter ${filter.name} of ${group.name}`,
      isLeft: ({ group: { end } }, position) => {
        const { segment, offset } = this.state.positions.get(position) ?? { segment: 0, offset: 0 };
        return segment !== end.segment || offset !== end.offset;
      },
      resume: ({ key, filter, group }) => this.run(key, filter, group),
      fail: ({ key, group }) => this.begin(key, [group]),
    });
  }

  close(): void {
    this.closed = true;
    this.retries.cancelAll();
  }

  /**
   * Delivers new events of a group.
   * @param written the new events
   */
  wake(group: LogGroup, written?: WrittenEvents): void {
    const filters = this.of(group);
    if (filters.length) this.note(written);
    for (const [key, filter] of filters) void this.run(key, filter, group);
  }

  private note(written: WrittenEvents | undefined): void {
    written?.ids.forEach((id, index) => {
      const cause = written.causeOf(index);
      if (cause !== undefined) this.causes.set(id, cause);
    });
  }

  /** Returns the filters of a group: its own, and the account's that select it. */
  of(group: LogGroup): [string, Subscription][] {
    const { subscriptions } = this.state;
    if (!subscriptions.size) return [];
    return [...subscriptions.entries()].filter(([, filter]) =>
      filter.group === undefined ? selects(this.state, filter, group) : filter.group === group.name,
    );
  }

  /** Sets a filter's position to the current end. */
  begin(key: string, groups: Iterable<LogGroup>): void {
    for (const group of groups) this.state.positions.put(positionKey(key, group), { ...group.end });
  }

  /** Deletes the positions of a filter. */
  end(key: string): void {
    for (const position of [...this.state.positions.keys()])
      if (position.startsWith(`${key} `)) {
        this.state.positions.delete(position);
        this.retries.cancel(position);
        this.failures.delete(position);
      }
  }

  /** Runs a delivery, only one per filter and group at a time. */
  private async run(key: string, filter: Subscription, group: LogGroup): Promise<void> {
    const position = positionKey(key, group);
    if (this.retries.has(position)) return;
    if (this.running.has(position)) {
      this.again.add(position);
      return;
    }
    this.running.add(position);
    try {
      do {
        this.again.delete(position);
        while (await this.step(key, position, filter, group));
      } while (this.again.has(position));
    } catch (error) {
      this.state.log.error('events could not be delivered to a subscriber', { error });
    } finally {
      this.running.delete(position);
    }
  }

  /**
   * Delivers the next events.
   * @returns whether there may be more
   */
  private async step(key: string, position: string, filter: Subscription, group: LogGroup): Promise<boolean> {
    const { subscriptions, positions } = this.state;
    const isCurrent = (): boolean => !this.closed && subscriptions.get(key) === filter;
    if (!isCurrent()) return false;
    const from: DeliveryPosition = positions.get(position) ?? { segment: 0, offset: 0 };
    const { events, next } = await group.appended(from, STEP);
    const pattern = parsePattern(filter.pattern);
    const wanted = parseSystemCriteria(filter.criteria)(this.state) ? events : [];
    const matching = wanted.filter(({ event }) =>
      pattern.test((filter.onTransformed ? event.transformed : undefined) ?? event.message),
    );
    for (const run of runsOf(matching)) {
      if (!isCurrent()) return false;
      if (!(await this.deliverRun(position, filter, group, run))) return false;
      if (!isCurrent()) return false;
      positions.put(position, { ...run.at(-1)!.next });
    }
    if (!isCurrent()) return false;
    const moved = next.segment !== from.segment || next.offset !== from.offset;
    if (moved) positions.put(position, { ...next });
    return moved;
  }

  /** @returns whether to continue with the next */
  private async deliverRun(
    position: string,
    filter: Subscription,
    group: LogGroup,
    run: readonly AppendedEvent[],
  ): Promise<boolean> {
    const { state } = this;
    const { logStream } = run[0]!.event;
    const source = {
      owner: state.accountId,
      logGroup: group.name,
      logStream,
      filter: filter.name,
      ofAccount: filter.group === undefined,
      transformed: filter.onTransformed,
      systemFields:
        filter.systemFields && Object.fromEntries(filter.systemFields.map((name) => [name, systemField(name, state)])),
    };
    const data = dataMessage(
      source,
      run.map(({ event }) => ({ ...event, message: state.protection.masked(group, event) })),
    );
    const partitionKey = filter.distribution === 'Random' ? state.ids.uuid() : streamKey(logStream);
    const sourceArn = `${groupType.arn({ name: group.name }, state)}:*`;
    const cause = this.causes.get(run[0]!.event.eventId);
    try {
      await deliver(state, filter, { data, partitionKey, sourceArn, cause });
      this.failures.delete(position);
      state.forwarded(group, filter, { ForwardedBytes: data.length, ForwardedLogEvents: run.length });
      return true;
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return this.failed(position, filter, group, error);
    }
  }

  /** @returns whether to drop the events */
  private failed(position: string, filter: Subscription, group: LogGroup, error: AwsError): boolean {
    const { clock, log } = this.state;
    const now = clock.now();
    const { since, count } = this.failures.get(position) ?? { since: now, count: 0 };
    this.state.forwarded(group, filter, {
      [/Throttl|ThroughputExceeded/.test(error.code) ? 'DeliveryThrottling' : 'DeliveryErrors']: 1,
    });
    const retry = (RETRYABLE.test(error.code) || (error.status ?? 0) >= 500) && error.code !== 'NotImplemented';
    if (!retry || now - since >= GIVE_UP) {
      this.failures.delete(position);
      log.warn(`events of ${group.name} were not delivered to ${filter.destinationArn}`, { error });
      return true;
    }
    this.failures.set(position, { since, count: count + 1 });
    this.retries.set(position, now + Math.min(FIRST_RETRY * 2 ** count, LAST_RETRY), () => this.wake(group));
    return false;
  }
}

const positionKey = (key: string, group: LogGroup): string => `${key} ${group.record.id}`;

/** Splits consecutive events of one stream into records. */
function* runsOf(events: readonly AppendedEvent[]): Iterable<AppendedEvent[]> {
  let run: AppendedEvent[] = [];
  let size = 0;
  for (const item of events) {
    const bytes = Buffer.byteLength(item.event.message);
    if (run.length && (run[0]!.event.logStream !== item.event.logStream || size + bytes > MAX_BYTES)) {
      yield run;
      run = [];
      size = 0;
    }
    run.push(item);
    size += bytes;
  }
  if (run.length) yield run;
}
