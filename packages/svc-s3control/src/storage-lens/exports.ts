import type { Collection, DeepReadonly, StateScope, Timer, Worker } from '@emu/core';
import { boolean, readAs } from '@emu/core/options';
import { AwsError } from '@emu/wire';
import { storageLensArn, storageLensGroupArn } from './arns.ts';
import { writeExport } from './export.ts';
import type { StorageLensGroupRecord, StorageLensRecord } from './records.ts';

/** What is read of the settings that S3 declares: it is said in one place whether anything is delivered. */
const S3_SETTINGS = { EMULATOR_S3_EAGER_DELIVERY: readAs('false', boolean) };

/** How often it is looked for exports that are due, in milliseconds. */
const INTERVAL = 3_600_000;
const DAY = 86_400_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Writes the metrics exports of the dashboards of a region: after each day (UTC) that of the day. */
export class StorageLensExports implements Worker {
  /** Only where reports are delivered at all. */
  private readonly timer: Timer | undefined;

  constructor(
    private readonly scope: StateScope,
    private readonly configurations: Collection<StorageLensRecord>,
    private readonly groups: Collection<StorageLensGroupRecord>,
  ) {
    const { EMULATOR_S3_EAGER_DELIVERY: delivers } = scope.settings.of(S3_SETTINGS);
    if (delivers) this.timer = scope.clock.every(INTERVAL, () => this.run());
  }

  /** The day that the next export of a dashboard is of, where it is made now. */
  today(): string {
    return dayOf(this.scope.clock.now());
  }

  close(): void {
    this.timer?.cancel();
  }

  private async run(): Promise<void> {
    const yesterday = dayOf(this.scope.clock.now() - DAY);
    for (const id of [...this.configurations.keys()]) {
      const record = this.configurations.get(id);
      // It may have been deleted while others were written.
      if (!record?.configuration.IsEnabled || !record.configuration.DataExport?.S3BucketDestination) continue;
      const { since, exported } = record;
      if (since > yesterday || (exported ?? '') >= yesterday) continue;
      this.configurations.update(id, (draft) => {
        draft.exported = yesterday;
      });
      await this.write(record, yesterday);
    }
  }

  /** What the destination does not let in is not delivered, as in AWS. */
  private async write({ id, configuration }: DeepReadonly<StorageLensRecord>, date: string): Promise<void> {
    const { scope } = this;
    const groups = [...this.groups.values()].map((record) => ({
      arn: storageLensGroupArn(scope, record.name),
      record,
    }));
    try {
      await writeExport({ configuration, arn: storageLensArn(scope, id), date, groups }, scope);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      scope.log.warn('an export of S3 Storage Lens could not be delivered', { dashboard: id, error });
    }
  }
}
