import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type InterruptedWork,
  interruptedRecords,
  type Timer,
  type Worker,
} from '@emu/core/service';
import type { SentMails } from '../events/sent.ts';
import type { ExportRecord } from '../records.ts';
import { insightRows, metricRows, type Row } from './export-rows.ts';

/** State that exports read. */
export interface ExportHost {
  readonly clock: Clock;
  readonly sent: SentMails;
}

type Export = DeepReadonly<ExportRecord>;

/** Milliseconds before a job starts, during which it can be cancelled. */
const WAIT = 1000;

/** Export jobs of mail events. An interrupted job continues after a restart. */
export class Exports implements Worker {
  private readonly waiting = new Map<string, Timer>();

  constructor(
    private readonly state: ExportHost,
    private readonly records: Collection<ExportRecord>,
  ) {}

  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.records, {
      name: ({ id }) => `export job ${id}`,
      isLeft: isUnderWay,
      resume: ({ id }) => {
        this.schedule(id);
        return undefined;
      },
      fail: ({ id }, reason) =>
        void this.records.update(id, (draft) => {
          draft.status = 'FAILED';
          draft.completedAt = this.state.clock.now();
          draft.failure = { ErrorMessage: reason };
        }),
    });
  }

  close(): void {
    for (const timer of this.waiting.values()) timer.cancel();
    this.waiting.clear();
  }

  get(id: string): Export | undefined {
    return this.records.get(id);
  }

  /** Returns all jobs, oldest first. */
  list(): Export[] {
    return [...this.records.values()];
  }

  /** Starts a job. */
  begin(job: ExportRecord): void {
    this.records.put(job.id, job);
    this.schedule(job.id);
  }

  /**
   * Cancels a running job.
   * @returns false if it has ended
   */
  cancel(id: string): boolean {
    const job = this.records.get(id);
    if (!job || !isUnderWay(job)) return false;
    this.waiting.get(id)?.cancel();
    this.waiting.delete(id);
    this.records.update(id, (draft) => {
      draft.status = 'CANCELLED';
      draft.completedAt = this.state.clock.now();
    });
    return true;
  }

  private schedule(id: string): void {
    this.waiting.set(
      id,
      this.state.clock.after(WAIT, () => this.run(id)),
    );
  }

  private async run(id: string): Promise<void> {
    this.waiting.delete(id);
    const job = this.records.update(id, (draft) => {
      draft.status = 'PROCESSING';
    });
    const mails = this.state.sent.list();
    const { rows, seen } = job.metrics ? metricRows(job.metrics, mails) : insightRows(job.insights!, mails);
    const file = await written(job, rows);
    // It may have been cancelled or removed by a reset.
    if (this.records.get(id)?.status !== 'PROCESSING') return;
    this.records.update(id, (draft) => {
      draft.status = 'COMPLETED';
      draft.completedAt = this.state.clock.now();
      draft.processed = seen;
      draft.exported = rows.length;
      draft.file = file;
    });
  }
}

const isUnderWay = ({ status }: Export): boolean => status === 'CREATED' || status === 'PROCESSING';

/** Formats rows as CSV with header, or JSON lines. */
async function written({ format, metrics }: Export, rows: readonly Row[]): Promise<string> {
  if (format === 'JSON') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const { stringify } = await import('csv-stringify/sync');
  const columns = metrics
    ? ['Timestamp', ...Object.keys(metrics.dimensions), 'Metric', 'Aggregation', 'Value']
    : INSIGHT_COLUMNS;
  return stringify(rows as Row[], { header: true, columns, escape_formulas: true });
}

const INSIGHT_COLUMNS = [
  'MessageId',
  'FromEmailAddress',
  'Subject',
  'Destination',
  'Isp',
  'SendTimestamp',
  'LastDeliveryEvent',
  'LastEngagementEvent',
];
