import type { DeepReadonly } from '@emu/core/service';
import type { TableRecord } from '../records.ts';

/** Units of capacity per second. */
export interface Units {
  readonly read: number;
  readonly write: number;
}

/** Returns the provisioned units of a table with its global secondary indexes; zero for on-demand tables. */
export function provisionedUnits({ throughput, globalIndexes }: DeepReadonly<TableRecord>): Units {
  let { read, write } = throughput;
  for (const index of globalIndexes) {
    read += index.throughput.read;
    write += index.throughput.write;
  }
  return { read, write };
}

/** Sum of the provisioned units of all tables, updated with each change. */
export class ProvisionedThroughput implements Units {
  read = 0;
  write = 0;

  /** Updates the sum for a created, changed or deleted table. */
  replace(before: DeepReadonly<TableRecord> | undefined, after: DeepReadonly<TableRecord> | undefined): void {
    const less = before && provisionedUnits(before);
    const more = after && provisionedUnits(after);
    this.read += (more?.read ?? 0) - (less?.read ?? 0);
    this.write += (more?.write ?? 0) - (less?.write ?? 0);
  }
}
