import type { DeepReadonly } from '@emu/core';
import type { TableRecord } from '../records.ts';

/** Units of capacity per second. */
export interface Units {
  readonly read: number;
  readonly write: number;
}

/** What a table is provisioned with, together with its global secondary indexes; nothing where it is paid per request. */
export function provisionedUnits({ throughput, globalIndexes }: DeepReadonly<TableRecord>): Units {
  let { read, write } = throughput;
  for (const index of globalIndexes) {
    read += index.throughput.read;
    write += index.throughput.write;
  }
  return { read, write };
}

/** The sum of what tables are provisioned with, kept as they change. */
export class ProvisionedThroughput implements Units {
  read = 0;
  write = 0;

  /** A table comes, changes or goes. */
  replace(before: DeepReadonly<TableRecord> | undefined, after: DeepReadonly<TableRecord> | undefined): void {
    const less = before && provisionedUnits(before);
    const more = after && provisionedUnits(after);
    this.read += (more?.read ?? 0) - (less?.read ?? 0);
    this.write += (more?.write ?? 0) - (less?.write ?? 0);
  }
}
