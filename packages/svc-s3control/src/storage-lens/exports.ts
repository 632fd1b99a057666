import { boolean, readAs } from '@emu/core/options';
import type { Collection, DeepReadonly, StateScope, Worker } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { storageLensGroupType, storageLensType } from '../resources.ts';
import { writeExport } from './export.ts';
import type { StorageLensGroupRecord, StorageLensRecord } from './records.ts';

/** Settings declared by S3: a single setting enables all deliveries. */
const S3_SETTINGS = { EMULATOR_S3_EAGER_DELIVERY: readAs('false', boolean) };

/** Milliseconds between checks for due exports. */
const INTERVAL = 3_600_000;
const DAY = 86_400_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Writes the metrics exports of a region's dashboards after each day (UTC). */
export class StorageLensExports implements Worker {
  constructor(
    private readonly scope: StateScope,
    private readonly configurations: Collection<StorageLensRecord>,
    private readonly groups: Collection<StorageLensGroupRecord>,
  ) {}

  /** Starts checking for exports, if deliveries are enabled. */
  resume(): void {
    const { clock, settings } = this.scope;
    if (settings.of(S3_SETTINGS).EMULATOR_S3_EAGER_DELIVERY) clock.every(INTERVAL, () => this.run());
  }

  /** Returns the day of a dashboard's next export if it were made now. */
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
      // Stored last: an export interrupted by a restart is repeated.
      if (this.configurations.get(id)?.configuration.IsEnabled)
        this.configurations.update(id, (draft) => {
          draft.exported = yesterday;
        });
    }
  }

  /** Writes an export. As on AWS, an export rejected by the destination is lost. */
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
