import { Slices } from '@emu/core/service';
import type { RegisteredGroup } from '../../registry.ts';
import type { StoredEvent } from '../../store/event.ts';
import { LineEvent } from '../../store/event-reader.ts';
import type { QueryEvent, QueryGroup } from '../engine/event.ts';
import type { Hints, Pipeline, TimeRange } from '../engine/pipeline.ts';
import type { ScanCounts } from './query-run.ts';

/** Scope of a query. */
export interface Scan {
  readonly targets: readonly RegisteredGroup[];
  /** Epoch milliseconds, inclusive. */
  readonly range: TimeRange;
  readonly pipeline: Pipeline;
  readonly counts: ScanCounts;
  readonly signal: AbortSignal;
}

/** A stored event as queries see it. */
class StoredQueryEvent implements QueryEvent {
  /** @param mask mask of the group's data protection, if any */
  constructor(
    private readonly event: StoredEvent,
    readonly group: QueryGroup,
    private readonly mask?: (event: StoredEvent) => string,
  ) {}

  get timestamp(): number {
    return this.event.timestamp;
  }

  get ingestionTime(): number {
    return this.event.ingestionTime;
  }

  get message(): string {
    return this.mask ? this.mask(this.event) : this.event.message;
  }

  get unmasked(): string {
    return this.event.message;
  }

  get transformed(): string | undefined {
    const { transformed } = this.event;
    return transformed !== undefined && this.mask
      ? this.mask({ ...this.event, ingestionTime: this.ingestionTime, message: transformed })
      : transformed;
  }

  get logStream(): string {
    return this.event.logStream;
  }

  get eventId(): string {
    return this.event.eventId;
  }

  settle(): void {
    if (this.event instanceof LineEvent) this.event.settle();
  }
}

/** Adapts an event of a group for queries. */
export const queryEvent = (event: StoredEvent, target: RegisteredGroup): QueryEvent =>
  new StoredQueryEvent(event, queryGroup(target), maskOf(target));

/** Returns the message mask of a group; undefined without data protection. */
const maskOf = ({ state, group }: RegisteredGroup): ((event: StoredEvent) => string) | undefined =>
  group.record.dataProtection || state.protection.isInherited
    ? (event) => state.protection.masked(group, event)
    : undefined;

/** Adapts a group for queries. */
const queryGroup = ({ state, group }: RegisteredGroup): QueryGroup => ({
  name: group.name,
  accountId: state.accountId,
  region: state.region,
  discovers: group.record.class === 'STANDARD',
});

/** Pushes the events of a scan through its query. */
export async function scan(work: Scan): Promise<void> {
  const { pipeline, range } = work;
  if (pipeline.compared) {
    pipeline.compare(true);
    await scanRange(work, pipeline.compared);
    pipeline.compare(false);
  }
  await scanRange(work, range);
}

async function scanRange({ targets, pipeline, counts, signal }: Scan, range: TimeRange): Promise<void> {
  const slices = new Slices();
  for await (const events of readEvents({ targets, range, counts, signal }, pipeline.hints)) {
    for (const event of events) {
      pipeline.push(event);
      const pause = slices.pause();
      if (pause) await pause;
    }
    if (pipeline.isDone) return;
  }
}

/** Reads and counts the events of groups; ends early when stopped. */
export async function* readEvents(
  { targets, range, counts, signal }: Omit<Scan, 'pipeline'>,
  { contains, descending }: Pick<Hints, 'contains' | 'descending'>,
): AsyncGenerator<Iterable<QueryEvent>, void, undefined> {
  for (const target of targets) {
    const group = queryGroup(target);
    const mask = maskOf(target);
    // The search text may be part of the mask.
    const wanted = { contains: mask ? undefined : contains, descending, lazily: true };
    const read = target.group.events.read({ from: range.start, to: range.end + 1, ...wanted });
    for await (const { events, scanned, looked } of read) {
      if (signal.aborted) return;
      counts.bytes += scanned;
      counts.scanned += looked;
      yield events.map((event) => new StoredQueryEvent(event, group, mask));
    }
  }
}
