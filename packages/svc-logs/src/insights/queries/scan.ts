import type { RegisteredGroup } from '../../registry.ts';
import type { StoredEvent } from '../../store/event.ts';
import { LineEvent } from '../../store/event-reader.ts';
import type { QueryEvent, QueryGroup } from '../engine/event.ts';
import type { Pipeline, TimeRange } from '../engine/pipeline.ts';
import type { ScanCounts } from './query-run.ts';

/** What a query of the language is run over. */
export interface Scan {
  readonly targets: readonly RegisteredGroup[];
  /** Epoch milliseconds, both included. */
  readonly range: TimeRange;
  readonly pipeline: Pipeline;
  readonly counts: ScanCounts;
  readonly signal: AbortSignal;
}

/** A stored event as queries look at it. */
class StoredQueryEvent implements QueryEvent {
  /** @param mask of the group's protection, where it has any */
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

/** An event of a group for queries. */
export const queryEvent = (event: StoredEvent, target: RegisteredGroup): QueryEvent =>
  new StoredQueryEvent(event, queryGroup(target), maskOf(target));

/** What masks the messages of a group; undefined where nothing is masked. */
const maskOf = ({ state, group }: RegisteredGroup): ((event: StoredEvent) => string) | undefined =>
  group.record.dataProtection || state.protection.isInherited
    ? (event) => state.protection.masked(group, event)
    : undefined;

/** A group for queries. */
export const queryGroup = ({ state, group }: RegisteredGroup): QueryGroup => ({
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

async function scanRange({ targets, pipeline, counts, signal }: Scan, { start, end }: TimeRange): Promise<void> {
  counts.groups = targets.length;
  for (const target of targets) {
    const group = queryGroup(target);
    const mask = maskOf(target);
    const { contains, descending } = pipeline.hints;
    // A mask may be what is looked for.
    const range = { from: start, to: end + 1, contains: mask ? undefined : contains, descending, lazily: true };
    for await (const { events, scanned, looked } of target.group.events.read(range)) {
      if (signal.aborted) return;
      counts.bytes += scanned;
      counts.scanned += looked;
      for (const event of events) pipeline.push(new StoredQueryEvent(event, group, mask));
      if (pipeline.isDone) return;
    }
  }
}
