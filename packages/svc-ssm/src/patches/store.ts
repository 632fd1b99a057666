import type { Collection, DeepReadonly, StateScope } from '@emu/core';
import type { OperatingSystem } from '@emu/service-types/ssm';
import { predefinedBaselines } from './predefined.ts';
import {
  type BaselineRecord,
  baselineCollection,
  defaultBaselineCollection,
  type PatchGroupRecord,
  patchGroupCollection,
} from './records.ts';

export type Baseline = DeepReadonly<BaselineRecord>;
export type PatchGroup = DeepReadonly<PatchGroupRecord>;

const keyOf = (group: string, system: OperatingSystem): string => `${system} ${group}`;

/** The patch baselines and patch groups of an account and region. */
export class PatchStore {
  readonly baselines: Collection<BaselineRecord>;
  private readonly groups: Collection<PatchGroupRecord>;
  private readonly defaults: Collection<string>;
  private readonly predefined: readonly Baseline[];

  constructor(scope: StateScope) {
    this.baselines = scope.collection(baselineCollection);
    this.groups = scope.collection(patchGroupCollection);
    this.defaults = scope.collection(defaultBaselineCollection);
    this.predefined = predefinedBaselines(scope);
  }

  /** A baseline by its id, one of AWS's by its ARN. */
  find(id: string): Baseline | undefined {
    return this.baselines.get(id) ?? this.predefined.find((baseline) => baseline.id === id);
  }

  /** Every baseline, AWS's first. */
  all(): Baseline[] {
    return [...this.predefined, ...this.baselines.values()];
  }

  isPredefined = (id: string): boolean => this.predefined.some((baseline) => baseline.id === id);

  /** The baseline for the nodes of an operating system that are in no patch group. */
  defaultOf(system: OperatingSystem): Baseline {
    const chosen = this.defaults.get(system);
    return (
      (chosen === undefined ? undefined : this.find(chosen)) ??
      this.predefined.find(({ operatingSystem }) => operatingSystem === system)!
    );
  }

  isDefault = ({ id, operatingSystem }: Baseline): boolean => this.defaultOf(operatingSystem).id === id;

  setDefault({ id, operatingSystem }: Baseline): void {
    if (this.isPredefined(id) && this.predefined.find((one) => one.operatingSystem === operatingSystem)!.id === id)
      this.defaults.delete(operatingSystem);
    else this.defaults.put(operatingSystem, id);
  }

  allGroups(): PatchGroup[] {
    return [...this.groups.values()];
  }

  /** Names of the groups that a baseline is registered for. */
  groupsOf(baselineId: string): string[] {
    return this.allGroups()
      .filter((registered) => registered.baselineId === baselineId)
      .map(({ group }) => group);
  }

  groupAt(group: string, system: OperatingSystem): PatchGroup | undefined {
    return this.groups.get(keyOf(group, system));
  }

  register(group: string, { id, operatingSystem }: Baseline): void {
    this.groups.put(keyOf(group, operatingSystem), { group, operatingSystem, baselineId: id });
  }

  deregister(group: string, { operatingSystem }: Baseline): void {
    this.groups.delete(keyOf(group, operatingSystem));
  }
}
