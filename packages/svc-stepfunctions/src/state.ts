import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type Ids,
  Outbox,
  type ServiceHandle,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { type ExecutionOwner, Executions } from './executions/executions.ts';
import {
  type ActivityRecord,
  type AliasRecord,
  activityCollection,
  aliasCollection,
  type ExecutionRecord,
  type MachineRecord,
  machineCollection,
  type VersionRecord,
  versionCollection,
} from './records.ts';
import type { StepfunctionsRegistry } from './registry.ts';
import { activityType, executionType, machineType, mapRunType } from './resources.ts';

type Machine = DeepReadonly<MachineRecord>;

const byName = <T extends { readonly name: string }>(records: Iterable<T>): T[] =>
  [...records].sort((a, b) => (a.name < b.name ? -1 : 1));

/** State machines, executions and activities of an account and region. */
export class StepfunctionsState implements StepfunctionsRegistry, ExecutionOwner, WorkingState {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly executions: Executions;
  readonly workers: readonly Worker[];
  private readonly service: ServiceHandle<StepfunctionsState>;
  readonly machines: Collection<MachineRecord>;
  private readonly versions: Collection<VersionRecord>;
  private readonly aliases: Collection<AliasRecord>;
  readonly activities: Collection<ActivityRecord>;

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.service = scope.service as ServiceHandle<StepfunctionsState>;
    this.machines = scope.collection(machineCollection);
    this.versions = scope.collection(versionCollection);
    this.aliases = scope.collection(aliasCollection);
    this.activities = scope.collection(activityCollection);
    const outbox = new Outbox(scope);
    this.executions = new Executions(this, scope, outbox);
    this.workers = [outbox, this.executions];
  }

  executionArn({ machine, name, expressId }: Pick<ExecutionRecord, 'machine' | 'name' | 'expressId'>): string {
    const arn = executionType.arn({ machine, name }, this);
    return expressId === undefined ? arn : `${arn.replace(':execution:', ':express:')}:${expressId}`;
  }

  machineArn(name: string): string {
    return machineType.arn({ name }, this);
  }

  /** Returns the ARN of a Map Run. */
  mapRunArn(machine: string, label: string, id: string): string {
    return mapRunType.arn({ machine, label, id }, this);
  }

  hasMapRun({ machine, label, id }: { machine: string; label: string; id: string }): boolean {
    return this.executions.mapRuns.get(this.mapRunArn(machine, label, id)) !== undefined;
  }

  activityArn(name: string): string {
    return activityType.arn({ name }, this);
  }

  executionsAt(accountId: string, region: string): Executions {
    return this.service.state(accountId, region).executions;
  }

  activityExists(arn: string): boolean {
    const address = activityType.parse(arn);
    return address !== undefined && this.activities.has(address.key.name);
  }

  machine(name: string): Machine | undefined {
    return this.machines.get(name);
  }

  get machineCount(): number {
    return this.machines.size;
  }

  get activityCount(): number {
    return this.activities.size;
  }

  listMachines(): Machine[] {
    return byName(this.machines.values());
  }

  putMachine(record: MachineRecord): Machine {
    return this.machines.put(record.name, record);
  }

  updateMachine(name: string, change: (draft: MachineRecord) => void): Machine {
    return this.machines.update(name, change);
  }

  /** Deletes a state machine with its versions and aliases; running executions continue. */
  deleteMachine(name: string): void {
    this.machines.delete(name);
    for (const { number } of this.versionsOf(name)) this.versions.delete(`${name}:${number}`);
    for (const alias of this.aliasesOf(name)) this.aliases.delete(`${name}:${alias.name}`);
  }

  version(machine: string, number: string): DeepReadonly<VersionRecord> | undefined {
    return this.versions.get(`${machine}:${number}`);
  }

  /** Returns the versions of a state machine, newest first. */
  versionsOf(machine: string): DeepReadonly<VersionRecord>[] {
    return [...this.versions.values()]
      .filter((version) => version.machine === machine)
      .sort((a, b) => b.number - a.number);
  }

  putVersion(record: VersionRecord): void {
    this.versions.put(`${record.machine}:${record.number}`, record);
  }

  deleteVersion(machine: string, number: number): void {
    this.versions.delete(`${machine}:${number}`);
  }

  alias(machine: string, name: string): DeepReadonly<AliasRecord> | undefined {
    return this.aliases.get(`${machine}:${name}`);
  }

  aliasesOf(machine: string): DeepReadonly<AliasRecord>[] {
    return this.listAliases().filter((alias) => alias.machine === machine);
  }

  listAliases(): DeepReadonly<AliasRecord>[] {
    return byName(this.aliases.values());
  }

  putAlias(record: AliasRecord): DeepReadonly<AliasRecord> {
    return this.aliases.put(`${record.machine}:${record.name}`, record);
  }

  deleteAlias(machine: string, name: string): void {
    this.aliases.delete(`${machine}:${name}`);
  }

  activity(name: string): DeepReadonly<ActivityRecord> | undefined {
    return this.activities.get(name);
  }

  listActivities(): DeepReadonly<ActivityRecord>[] {
    return byName(this.activities.values());
  }

  putActivity(record: ActivityRecord): DeepReadonly<ActivityRecord> {
    return this.activities.put(record.name, record);
  }

  deleteActivity(name: string): void {
    this.activities.delete(name);
  }
}

/** Creates the state of an account and region. */
export const createState = (scope: StateScope): StepfunctionsState => new StepfunctionsState(scope);
