import {
  type Clock,
  type Collection,
  defineCollection,
  type Ids,
  type StateDirectory,
  type StateScope,
  stateDirectory,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import type { Identity, IdentityRecord, KeyRecord, Login, Pool, PoolRecord } from './records.ts';

const poolCollection = defineCollection<PoolRecord>('pools', 'region', { content: ['tags'] });
const identityCollection = defineCollection<IdentityRecord>('identities', 'region', { content: ['logins'] });
const keyCollection = defineCollection<KeyRecord>('keys', 'region');

/** Collections of the service. */
export const collections = [poolCollection, identityCollection, keyCollection];

const loginKey = (poolId: string, { provider, subject }: Readonly<Login>): string =>
  JSON.stringify([poolId, provider, subject]);

/** Identity pools of one account and region. */
export class IdentityState implements WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly directory: StateDirectory<IdentityState, 'pools' | 'identities'>;
  readonly pools: Collection<PoolRecord>;
  readonly keys: Collection<KeyRecord>;
  private readonly identities: Collection<IdentityRecord>;
  /** Ids of identities by login. */
  private readonly byLogin = new Map<string, string>();
  /** Ids of identities by pool. */
  private readonly ofPools = new Map<string, Set<string>>();

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.directory = directoryOf(scope.service);
    this.pools = scope.collection(poolCollection);
    this.keys = scope.collection(keyCollection);
    this.identities = scope.collection(identityCollection);
    for (const { id } of this.pools.values()) this.directory.pools.set(id, this);
    for (const identity of this.identities.values()) this.index(identity);
    this.workers = [{ close: () => this.directory.remove(this) }];
  }

  /** Returns the identity with an id. */
  identity(id: string): Identity | undefined {
    return this.identities.get(id);
  }

  /** Returns the identities of a pool. */
  *identitiesOf(poolId: string): Iterable<Identity> {
    for (const id of this.ofPools.get(poolId) ?? []) yield this.identities.get(id)!;
  }

  /** Returns the identity to which a login is linked. */
  identityOf(poolId: string, login: Login): Identity | undefined {
    const id = this.byLogin.get(loginKey(poolId, login));
    return id === undefined ? undefined : this.identities.get(id);
  }

  /** Adds or replaces a pool. */
  putPool(pool: PoolRecord): Pool {
    this.directory.pools.set(pool.id, this);
    return this.pools.put(pool.id, pool);
  }

  /** Deletes a pool and its identities. */
  deletePool(id: string): void {
    for (const identity of [...this.identitiesOf(id)]) this.deleteIdentity(identity);
    this.ofPools.delete(id);
    this.directory.pools.delete(id);
    this.pools.delete(id);
  }

  /** Creates an identity of a pool. */
  createIdentity(poolId: string, logins: Login[]): Identity {
    const now = this.clock.now();
    const id = `${this.region}:${this.ids.uuid()}`;
    const made = this.identities.put(id, { id, poolId, logins, disabled: false, createdAt: now, updatedAt: now });
    this.index(made);
    return made;
  }

  /** Changes an identity's logins. An identity that loses its last login is disabled. */
  setLogins(identity: Identity, logins: Login[]): Identity {
    this.unindex(identity);
    const changed = this.identities.update(identity.id, (draft) => {
      draft.logins = logins;
      draft.disabled = logins.length === 0;
      draft.updatedAt = this.clock.now();
    });
    this.index(changed);
    return changed;
  }

  /** Deletes an identity. */
  deleteIdentity(identity: Identity): void {
    this.unindex(identity);
    this.identities.delete(identity.id);
    this.ofPools.get(identity.poolId)?.delete(identity.id);
    this.directory.identities.delete(identity.id);
  }

  private index({ id, poolId, logins }: Identity): void {
    this.directory.identities.set(id, this);
    let ids = this.ofPools.get(poolId);
    if (!ids) {
      ids = new Set();
      this.ofPools.set(poolId, ids);
    }
    ids.add(id);
    for (const login of logins) this.byLogin.set(loginKey(poolId, login), id);
  }

  private unindex({ poolId, logins }: Identity): void {
    for (const login of logins) this.byLogin.delete(loginKey(poolId, login));
  }
}

/** Creates the state of an account and region. */
export const createState = (scope: StateScope): IdentityState => new IdentityState(scope);

/** Returns the states of an emulator by the ids in unsigned requests. */
export const directoryOf = stateDirectory<IdentityState, 'pools' | 'identities'>('pools', 'identities');
