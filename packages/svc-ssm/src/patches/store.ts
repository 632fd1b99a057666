import type { Collection, DeepReadonly, StateScope } from '@emu/core/service';
import type { OperatingSystem } from '@emu/service-types/ssm';
import { predefinedBaselines } from './predefined.ts';
import {
  type BaselineRecord,
  baselineCollection,
  defaultBaselineCollection,
  type PatchGroupRecord,
  patchGroupCollection,
  type SnapshotRecord,
  snapshotCollection,
} from './records.ts';

export type Baseline = DeepReadonly<BaselineRecord>;
export type PatchGroup = DeepReadonly<PatchGroupRecord>;

/** Retention of snapshots in milliseconds: 30 days, as in AWS. */
const SNAPSHOT_RETENTION = 30 * 86_400_000;

const keyOf = (group: string, system: OperatingSystem): string => `${system} ${group}`;

/** Patch baselines and patch groups of an account and region. */
export class PatchStore {
  readonly baselines: Collection<BaselineRecord>;
  private readonly groups: Collection<PatchGroupRecord>;
  private readonly defaults: Collection<string>;
  private readonly snapshots: Collection<SnapshotRecord>;
  private readonly predefined: readonly Baseline[];

  constructor(scope: StateScope) {
    this.baselines = scope.collection(baselineCollection);
    this.groups = scope.collection(patchGroupCollection);
    this.defaults = scope.collection(defaultBaselineCollection);
    this.snapshots = scope.collection(snapshotCollection);
    this.predefined = predefinedBaselines(scope);
  }

  /** Returns the snapshot of a key, creating it if missing. */
  snapshot(key: string, make: () => SnapshotRecord): DeepReadonly<SnapshotRecord> {
    const known = this.snapshots.get(key);
    if (known) return known;
    const made = make();
    for (const [old, { at }] of [...this.snapshots.entries()])
      if (at < made.at - SNAPSHOT_RETENTION) this.snapshots.delete(old);
    return this.snapshots.put(key, made);
  }

  snapshotByHash(hash: string): DeepReadonly<SnapshotRecord> | undefined {
    for (const snapshot of this.snapshots.values()) if (snapshot.hash === hash) return snapshot;
    return undefined;
  }

  /** Returns a baseline by id, or AWS's by ARN. */
  find(id: string): Baseline | undefined {
    return this.baselines.get(id) ?? this.predefined.find((baseline) => baseline.id === id);
  }

  /** Returns all baselines, AWS's first. */
  all(): Baseline[] {
    return [...this.predefined, ...this.baselines.values()];
  }

  isPredefined = (id: string): boolean => this.predefined.some((baseline) => baseline.id === id);

  /** Returns the baseline for nodes of an operating system without patch group. */
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

  /** Returns the names of the patch groups of a baseline. */
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
