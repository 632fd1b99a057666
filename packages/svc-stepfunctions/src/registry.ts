import type { Collection, DeepReadonly } from '@emu/core/service';
import type { Executions } from './executions/executions.ts';
import type { ActivityRecord, AliasRecord, MachineRecord, VersionRecord } from './records.ts';

/** Parts of the state that resource types depend on. */
export interface StepfunctionsRegistry {
  readonly executions: Executions;
  readonly machines: Collection<MachineRecord>;
  readonly activities: Collection<ActivityRecord>;
  machine(name: string): DeepReadonly<MachineRecord> | undefined;
  readonly machineCount: number;
  readonly activityCount: number;
  listMachines(): DeepReadonly<MachineRecord>[];
  version(machine: string, number: string): DeepReadonly<VersionRecord> | undefined;
  alias(machine: string, name: string): DeepReadonly<AliasRecord> | undefined;
  listAliases(): DeepReadonly<AliasRecord>[];
  activity(name: string): DeepReadonly<ActivityRecord> | undefined;
  listActivities(): DeepReadonly<ActivityRecord>[];
  /** Whether a Map Run exists. */
  hasMapRun(key: { machine: string; label: string; id: string }): boolean;
}
