import { boolean, readAs } from '@emu/core/options';
import type { Collection, DeepReadonly, StateScope, Worker } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { storageLensGroupType, storageLensType } from '../resources.ts';
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
  constructor(
    private readonly scope: StateScope,
    private readonly configurations: Collection<StorageLensRecord>,
    private readonly groups: Collection<StorageLensGroupRecord>,
  ) {}

  /** Looks for exports from now on, only where reports are delivered at all. */
  resume(): void {
    const { clock, settings } = this.scope;
    if (settings.of(S3_SETTINGS).EMULATOR_S3_EAGER_DELIVERY) clock.every(INTERVAL, () => this.run());
  }

  /** The day that the next export of a dashboard is of, where it is made now. */
  today(): string {
    return dayOf(this.scope.clock.now());
  }

  private async run(): Promise<void> {
    const yesterday = dayOf(this.scope.clock.now() - DAY);
    for (const id of [...this.configurations.keys()]) {
      const record = this.configurations.get(id);
      // It may have been deleted while others were written.
      if (!record?.configuration.IsEnabled || !record.configuration.DataExport?.S3BucketDestination) continue;
      const { since, exported } = record;
      if (since > yesterday || (exported ?? '') >= yesterday) continue;
      await this.write(record, yesterday);
      // Not before: an export that a restart interrupts is made again.
      if (this.configurations.get(id)?.configuration.IsEnabled)
        this.configurations.update(id, (draft) => {
          draft.exported = yesterday;
        });
    }
  }

  /** What the destination does not let in is not delivered, as in AWS. */
  private async write({ id, configuration }: DeepReadonly<StorageLensRecord>, date: string): Promise<void> {
    const { scope } = this;
    const groups = [...this.groups.values()].map((record) => ({
      arn: storageLensGroupType.arn(record, scope),
      record,
    }));
    try {
      const arn = storageLensType.arn({ id }, scope);
      await writeExport({ configuration, arn, date, groups, run: scope.ids.uuid() }, scope);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      scope.log.warn('an export of S3 Storage Lens could not be delivered', { dashboard: id, error });
    }
  }
}
