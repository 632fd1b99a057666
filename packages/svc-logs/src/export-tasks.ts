import { gzipSync } from 'node:zlib';
import {
  asService,
  type CallOptions,
  type DeepReadonly,
  DueTimers,
  type InterruptedWork,
  interruptedRecords,
  type Worker,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { ExportTaskRecord } from './records.ts';
import type { LogsRegistry } from './registry.ts';
import { groupType } from './resources.ts';

/** Milliseconds from the creation of a task to its start. */
const PENDING = 1000;
/** Maximum bytes of text in one object before compression. */
const MAX_BYTES = 64 * 1024 * 1024;
const DEFAULT_PREFIX = 'exportedlogs';

/** Returns the principal that writes to buckets. */
export const exporter = (state: LogsRegistry, group: string): CallOptions =>
  asService(`logs.${state.region}`, state.accountId, `${groupType.arn({ name: group }, state)}:*`);

/**
 * Writes an object of a log group's export. Bucket policies may require its ACL.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/S3ExportTasks.html
 */
export async function exportObject(
  state: LogsRegistry,
  group: string,
  object: { Bucket: string; Key: string; Body: string | Buffer },
): Promise<void> {
  await state.call('s3', 'PutObject', { ...object, ACL: 'bucket-owner-full-control' }, exporter(state, group));
}

/** Whether a task is pending or running. */
export const isActive = ({ status }: Pick<ExportTaskRecord, 'status'>): boolean =>
  status === 'PENDING' || status === 'RUNNING';

/** Exports events to S3, one task at a time. */
export class ExportTasks implements Worker {
  private readonly timers: DueTimers;

  constructor(private readonly state: LogsRegistry) {
    this.timers = new DueTimers(state.clock);
  }

  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.state.exportTasks, {
      name: ({ id }) => `export task ${id}`,
      isLeft: isActive,
      resume: ({ id }) => {
        this.schedule(id);
        return undefined;
      },
      fail: ({ id }, reason) => this.finish(id, 'FAILED', reason),
    });
  }

  close(): void {
    this.timers.cancelAll();
  }

  /** Schedules a task. */
  schedule(id: string): void {
    this.timers.set(id, this.state.clock.now() + PENDING, () => this.run(id));
  }

  /** Cancels a pending or running task. */
  cancel(id: string): void {
    this.timers.cancel(id);
    this.finish(id, 'CANCELLED', 'Cancelled by user');
  }

  private async run(id: string): Promise<void> {
    const { exportTasks } = this.state;
    if (exportTasks.get(id)?.status !== 'PENDING' && exportTasks.get(id)?.status !== 'RUNNING') return;
    const task = exportTasks.update(id, (draft) => {
      draft.status = 'RUNNING';
    });
    try {
      await this.write(task);
      this.finish(id, 'COMPLETED', 'Completed successfully');
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      this.finish(id, 'FAILED', error.message);
    }
  }

  private finish(id: string, status: ExportTaskRecord['status'], message: string): void {
    const { exportTasks, clock } = this.state;
    const task = exportTasks.get(id);
    if (!task || !isActive(task)) return;
    exportTasks.update(id, (draft) => {
      draft.status = status;
      draft.message = message;
      draft.completedAt = clock.now();
    });
  }

  /** Writes one or more objects per stream: compressed lines of time and message. */
  private async write(task: DeepReadonly<ExportTaskRecord>): Promise<void> {
    const { state } = this;
    const group = state.groups.find(task.group);
    if (!group) throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
    const prefix = task.prefix ?? DEFAULT_PREFIX;
    const { streamPrefix = '' } = task;
    const chosen = [...group.list()].filter(({ name }) => name.startsWith(streamPrefix));
    for (const { name, number } of chosen) {
      const base = `${prefix}/${task.id}/${name.replaceAll('/', '-')}`;
      let part = 0;
      let lines: string[] = [];
      let size = 0;
      const flush = async (): Promise<void> => {
        if (!lines.length) return;
        const Key = `${base}/${String(part++).padStart(6, '0')}.gz`;
        await exportObject(state, task.group, { Bucket: task.bucket, Key, Body: gzipSync(lines.join('')) });
        lines = [];
        size = 0;
      };
      const range = { from: task.from, to: task.to, streams: new Set([number]) };
      for await (const { events } of group.events.read(range))
        for (const event of events) {
          const message = state.protection.masked(group, event);
          const line = `${new Date(event.timestamp).toISOString()} ${message}${message.endsWith('\n') ? '' : '\n'}`;
          lines.push(line);
          size += line.length;
          if (size >= MAX_BYTES) await flush();
        }
      await flush();
    }
  }
}
