import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type Ids,
  RecordBuffer,
  type ServiceHandle,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import type { KeyState, RotationType } from '@emu/service-types/kms';
import { generateSymmetricMaterial } from './keys/material.ts';
import type { KeyRegistry } from './keys/registry.ts';
import { rotateTo } from './keys/rotation.ts';
import { dueAt, KeySchedule, rotates } from './keys/schedule.ts';
import { keyStateOf } from './keys/states.ts';
import {
  type AliasRecord,
  aliasCollection,
  type CustomKeyStoreRecord,
  customKeyStoreCollection,
  type GrantRecord,
  grantCollection,
  type ImportRecord,
  importCollection,
  type Key,
  type KeyRecord,
  keyCollection,
  type LastUse,
} from './records.ts';
import { keyType } from './resources.ts';

/** One use of a key. */
export interface KeyUse {
  keyId: string;
  operation: string;
  /** ARN of the caller. */
  principal: string;
  encryptionContext?: Record<string, string>;
  /** Epoch milliseconds. */
  at: number;
}

/** Keys of one account and region with everything that belongs to them. */
export class KmsState implements KeyRegistry, WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keys: Collection<KeyRecord>;
  readonly aliases: Collection<AliasRecord>;
  readonly grants: Collection<GrantRecord>;
  readonly imports: Collection<ImportRecord>;
  readonly customKeyStores: Collection<CustomKeyStoreRecord>;
  readonly uses = new RecordBuffer<KeyUse>();
  /** Last uses of keys since they were last persisted. */
  private readonly lastUses = new Map<string, LastUse>();
  private readonly service: ServiceHandle<KmsState>;
  private readonly schedule: KeySchedule;
  /** Grants by key. Keys without grants have no entry. */
  private readonly grantNumbers = new Map<string, number>();
  private customerKeys = 0;

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.service = scope.service as ServiceHandle<KmsState>;
    this.keys = scope.collection(keyCollection);
    this.aliases = scope.collection(aliasCollection);
    this.grants = scope.collection(grantCollection);
    this.imports = scope.collection(importCollection);
    this.customKeyStores = scope.collection(customKeyStoreCollection);
    for (const key of this.keys.values()) this.tally(key, 1);
    for (const { keyId } of this.grants.values()) this.tallyGrant(keyId, 1);
    this.schedule = new KeySchedule(scope.clock, this.keys, (key) => this.settle(key));
    this.workers = [this.schedule];
  }

  /** Returns the ARN of a key of this account and region. */
  arnOf(keyId: string): string {
    return keyType.arn({ id: keyId }, this);
  }

  /** Records the last use of a key. It is persisted at most once a minute, to save writes. */
  recordLastUse(key: Key, use: LastUse): void {
    const { lastUse } = this.keys.get(key.id) ?? key;
    if (lastUse && use.at - lastUse.at < USES_SAVED_EVERY) {
      this.lastUses.set(key.id, use);
      return;
    }
    this.lastUses.delete(key.id);
    if (this.keys.has(key.id))
      this.keys.update(key.id, (draft) => {
        draft.lastUse = use;
      });
  }

  lastUseOf(key: Key): LastUse | undefined {
    return this.lastUses.get(key.id) ?? this.keys.get(key.id)?.lastUse;
  }

  /** Returns the key after applying its due changes. */
  find(id: string): Key | undefined {
    const key = this.keys.get(id);
    return key && dueAt(key) <= this.clock.now() ? this.settle(key) : key;
  }

  add(record: KeyRecord): Key {
    const key = this.keys.put(record.id, record);
    this.tally(key, 1);
    this.schedule.set(key);
    return key;
  }

  update(id: string, change: (draft: KeyRecord) => void): Key {
    const key = this.keys.update(id, change);
    this.schedule.set(key);
    return key;
  }

  stateOf(key: Key): KeyState {
    const store = key.customKeyStoreId === undefined ? undefined : this.customKeyStores.get(key.customKeyStoreId);
    return keyStateOf(key, store?.connected ?? true);
  }

  /** Returns the number of customer managed keys. */
  get customerKeyNumber(): number {
    return this.customerKeys;
  }

  grantNumberOf(keyId: string): number {
    return this.grantNumbers.get(keyId) ?? 0;
  }

  addGrant(record: GrantRecord): DeepReadonly<GrantRecord> {
    this.tallyGrant(record.keyId, 1);
    return this.grants.put(record.id, record);
  }

  /** Deletes a grant, if it exists. */
  removeGrant(id: string): void {
    const grant = this.grants.get(id);
    if (!grant) return;
    this.tallyGrant(grant.keyId, -1);
    this.grants.delete(id);
  }

  private tally({ manager }: Key, by: number): void {
    if (manager === 'CUSTOMER') this.customerKeys += by;
  }

  private tallyGrant(keyId: string, by: number): void {
    const number = this.grantNumberOf(keyId) + by;
    if (number > 0) this.grantNumbers.set(keyId, number);
    else this.grantNumbers.delete(keyId);
  }

  grantsOf(keyId: string): DeepReadonly<GrantRecord>[] {
    return [...this.grants.values()].filter((grant) => grant.keyId === keyId);
  }

  /** Returns this state and those of the other regions of a multi-Region key. */
  regionsOf(key: Key): KmsState[] {
    const { multiRegion } = key;
    if (!multiRegion) return [this];
    return [multiRegion.primary, ...multiRegion.replicas].map((region) =>
      region === this.region ? this : this.service.state(this.accountId, region),
    );
  }

  /**
   * Gives a key its next material in all its regions: a new one, or for an imported key the pending one.
   * @param at epoch milliseconds
   */
  rotate(key: Key, type: RotationType, at: number): void {
    const next = key.origin === 'EXTERNAL' ? undefined : generateSymmetricMaterial(this.ids);
    for (const region of this.regionsOf(key))
      if (region.keys.has(key.id)) region.update(key.id, (draft) => rotateTo(draft, next, { at, type }));
  }

  /** Deletes a key, its aliases and grants, and updates its other regions. */
  private remove(key: Key): void {
    const others = this.regionsOf(key).filter((state) => state !== this);
    this.schedule.cancel(key.id);
    this.lastUses.delete(key.id);
    this.tally(key, -1);
    this.keys.delete(key.id);
    for (const { name, keyId } of [...this.aliases.values()]) if (keyId === key.id) this.aliases.delete(name);
    for (const { id } of this.grantsOf(key.id)) this.removeGrant(id);
    for (const [token, { keyId }] of [...this.imports.entries()]) if (keyId === key.id) this.imports.delete(token);
    for (const state of others) if (state.keys.has(key.id)) state.discardRegion(key.id, this.region);
  }

  /** Removes a deleted replica from the list. The deletion of the primary key starts after that of the last replica. */
  private discardRegion(keyId: string, region: string): void {
    this.update(keyId, (draft) => {
      const { multiRegion, deletion } = draft;
      if (!multiRegion) return;
      multiRegion.replicas = multiRegion.replicas.filter((name) => name !== region);
      if (deletion && deletion.at === undefined && !multiRegion.replicas.length)
        deletion.at = this.clock.now() + deletion.windowDays * DAY;
    });
  }

  /** Applies due changes. @returns the key, or undefined if it was deleted */
  private settle(key: Key): Key | undefined {
    const now = this.clock.now();
    if (key.deletion?.at !== undefined && key.deletion.at <= now) {
      this.remove(key);
      return undefined;
    }
    const { rotation } = key;
    if (rotation && rotates(key) && rotation.nextAt <= now) {
      this.rotate(key, 'AUTOMATIC', rotation.nextAt);
      // A key that was disabled for several periods is rotated once.
      const regular = rotation.nextAt + rotation.periodDays * DAY;
      const nextAt = regular > now ? regular : now + rotation.periodDays * DAY;
      this.update(key.id, (draft) => {
        draft.rotation = { periodDays: rotation.periodDays, nextAt };
      });
    }
    return this.update(key.id, (draft) => {
      for (const { imported, ...material } of draft.materials)
        if (imported?.validTo !== undefined && imported.validTo <= now) dropSecret(draft, material.id);
    });
  }
}

/** Milliseconds. */
const USES_SAVED_EVERY = 60_000;

/** Milliseconds of a day. */
export const DAY = 86_400_000;

/** Removes the secret of an imported material. Its id remains for a later import. */
export function dropSecret(draft: KeyRecord, materialId: string): void {
  const material = draft.materials.find(({ id }) => id === materialId);
  if (!material?.imported) return;
  delete material.secret;
  delete material.imported.validTo;
}

/** Creates the state of an account and region. */
export const createState = (scope: StateScope): KmsState => new KmsState(scope);
