import {
  type BodyStore,
  type Clock,
  type Collection,
  type CollectionDefinition,
  type EmulatorSettings,
  type Ids,
  type Logger,
  type ServiceCaller,
  type ServiceHandle,
  type StateDirectory,
  type StateScope,
  stateDirectory,
  type Tally,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import * as stored from './collections.ts';
import type { Journal } from './journal.ts';
import { journalOf } from './journal.ts';
import { LogDeliveries } from './logs/deliveries.ts';
import type * as records from './records.ts';
import { poolType } from './resources.ts';
import { powers } from './srp/modular-powers.ts';
import { AttributeIndex } from './users/attribute-index.ts';
import { isCaseSensitive } from './users/case.ts';

/** Maximum number of short-lived records checked for expiry when one is added. */
const SWEPT_AT_ONCE = 20;

interface Expiring {
  expiresAt: number;
}

/** User pools of an account and region. */
export class CognitoState implements WorkingState {
  readonly workers: Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly settings: EmulatorSettings;
  readonly service: ServiceHandle;
  readonly call: ServiceCaller['call'];
  readonly bodies: BodyStore;
  /** Events for control routes, not persisted. */
  readonly journal: Journal;
  readonly directory: StateDirectory<CognitoState, 'pools' | 'clients' | 'domains'>;
  readonly pools: Collection<records.PoolRecord>;
  readonly clients: Collection<records.ClientRecord>;
  readonly groups: Collection<records.GroupRecord>;
  readonly codes: Collection<records.CodeRecord>;
  readonly sessions: Collection<records.SessionRecord>;
  readonly devices: Collection<records.DeviceRecord>;
  readonly resourceServers: Collection<records.ResourceServerRecord>;
  readonly providers: Collection<records.ProviderRecord>;
  readonly domains: Collection<records.DomainRecord>;
  readonly authorizationCodes: Collection<records.AuthorizationCodeRecord>;
  readonly keys: Collection<records.KeyRecord>;
  readonly terms: Collection<records.TermsRecord>;
  readonly risks: Collection<records.RiskRecord>;
  readonly browserSessions: Collection<records.BrowserSessionRecord>;
  readonly logDeliveries: Collection<records.LogDeliveryRecord>;
  readonly ui: Collection<records.UiRecord>;
  readonly brandings: Collection<records.BrandingRecord>;
  readonly importJobs: Collection<records.ImportJobRecord>;
  readonly passkeys: Collection<records.PasskeyRecord>;
  readonly passkeyChallenges: Collection<records.PasskeyChallengeRecord>;
  readonly federations: Collection<records.FederationRecord>;
  readonly samlKeys: Collection<records.SamlKeyRecord>;
  readonly logs: LogDeliveries;
  /** Number of resources of each kind, by pool id. */
  readonly numbers: Readonly<Record<'clients' | 'resourceServers' | 'providers' | 'importJobs', Tally>>;
  private readonly users: Collection<records.UserRecord>;
  private readonly grants: Collection<records.GrantRecord>;
  /** Indexes of users, by pool id. */
  private readonly indexes = new Map<string, AttributeIndex>();
  private readonly userCounts = new Map<string, number>();
  /** Grant ids by event id, for tokens that cannot be revoked on their own. */
  private readonly grantsByEvent = new Map<string, string>();
  /** Grant ids by user key. */
  private readonly grantsOfUsers = new Map<string, Set<string>>();

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.log = scope.log;
    this.settings = scope.settings;
    this.service = scope.service;
    this.call = scope.call;
    this.bodies = scope.bodies;
    this.journal = journalOf(scope.service);
    this.directory = directoryOf(scope.service);
    const open = <T>(definition: CollectionDefinition<T>): Collection<T> => scope.collection(definition);
    this.pools = open(stored.poolCollection);
    this.clients = open(stored.clientCollection);
    this.users = open(stored.userCollection);
    this.groups = open(stored.groupCollection);
    this.codes = open(stored.codeCollection);
    this.sessions = open(stored.sessionCollection);
    this.grants = open(stored.grantCollection);
    this.devices = open(stored.deviceCollection);
    this.resourceServers = open(stored.resourceServerCollection);
    this.providers = open(stored.providerCollection);
    this.domains = open(stored.domainCollection);
    this.authorizationCodes = open(stored.authorizationCodeCollection);
    this.keys = open(stored.keyCollection);
    this.terms = open(stored.termsCollection);
    this.risks = open(stored.riskCollection);
    this.browserSessions = open(stored.browserSessionCollection);
    this.logDeliveries = open(stored.logDeliveryCollection);
    this.ui = open(stored.uiCollection);
    this.brandings = open(stored.brandingCollection);
    this.importJobs = open(stored.importJobCollection);
    this.passkeys = open(stored.passkeyCollection);
    this.passkeyChallenges = open(stored.passkeyChallengeCollection);
    this.federations = open(stored.federationCollection);
    this.samlKeys = open(stored.samlKeyCollection);
    this.logs = new LogDeliveries(this);
    const poolOf = ({ poolId }: { readonly poolId: string }): string => poolId;
    this.numbers = {
      clients: this.clients.tally(poolOf),
      resourceServers: this.resourceServers.tally(poolOf),
      providers: this.providers.tally(poolOf),
      importJobs: this.importJobs.tally(poolOf),
    };
    for (const { id } of this.pools.values()) this.directory.pools.set(id, this);
    for (const { id } of this.clients.values()) this.directory.clients.set(id, this);
    for (const { domain } of this.domains.values()) this.directory.domains.set(domain, this);
    for (const [key, user] of this.users.entries()) this.reindex(key, undefined, user);
    for (const grant of this.grants.values()) {
      this.grantIds(grant).add(grant.id);
      this.grantsByEvent.set(grant.eventId, grant.id);
    }
    powers.open();
    const close = (): void => {
      this.directory.remove(this);
      powers.close();
    };
    this.workers = [{ close }];
  }

  /** Returns the ARN of a pool. */
  poolArn(id: string): string {
    return poolType.arn({ id }, this);
  }

  /** Returns the key of a user. */
  userKey(pool: records.Pool, username: string): string {
    return `${pool.id}/${isCaseSensitive(pool) ? username : username.toLowerCase()}`;
  }

  /** Returns a user by user name; ignores aliases. */
  user(pool: records.Pool, username: string): records.User | undefined {
    return this.users.get(this.userKey(pool, username));
  }

  /** Returns the user of an index key. */
  userByKey(key: string): records.User | undefined {
    return this.users.get(key);
  }

  /** Adds or replaces a user. */
  putUser(pool: records.Pool, user: records.UserRecord): records.User {
    const key = this.userKey(pool, user.username);
    const before = this.users.get(key);
    const after = this.users.put(key, user);
    this.reindex(key, before, after);
    return after;
  }

  /**
   * Changes a user.
   * @param silent whether to keep the modification time
   */
  updateUser(user: records.User, change: (draft: records.UserRecord) => void, silent = false): records.User {
    const key = this.userKey(this.pools.get(user.poolId)!, user.username);
    const before = this.users.get(key);
    const after = this.users.update(key, (draft) => {
      change(draft);
      if (!silent) draft.updatedAt = this.clock.now();
    });
    this.reindex(key, before, after);
    return after;
  }

  /** Deletes a user with all related records. */
  deleteUser(pool: records.Pool, { username }: records.User): void {
    const key = this.userKey(pool, username);
    const before = this.users.get(key);
    if (!before) return;
    this.revokeAll(before);
    this.users.delete(key);
    this.reindex(key, before, undefined);
    for (const [id] of ownedBy(this.codes, pool.id, before.username)) this.codes.delete(id);
    for (const [id] of ownedBy(this.devices, pool.id, before.username)) this.devices.delete(id);
    for (const [id] of ownedBy(this.passkeys, pool.id, before.username)) this.passkeys.delete(id);
    this.passkeyChallenges.delete(`${pool.id}/${before.username}`);
  }

  /** Returns the number of users of a pool. */
  userCount(poolId: string): number {
    return this.userCounts.get(poolId) ?? 0;
  }

  /** Returns the index of a pool's users. */
  index(poolId: string): AttributeIndex {
    let index = this.indexes.get(poolId);
    if (!index) {
      index = new AttributeIndex();
      this.indexes.set(poolId, index);
    }
    return index;
  }

  /** Deletes a pool with everything in it. */
  deletePool(pool: records.Pool): void {
    for (const { key } of [...this.index(pool.id).find('all', '', false)]) {
      const user = this.users.get(key);
      if (user) this.deleteUser(pool, user);
    }
    for (const collection of this.ofPools()) {
      for (const [key, { poolId }] of [...collection.entries()]) {
        if (poolId !== pool.id) continue;
        if ((collection as unknown) === this.clients) this.directory.clients.delete(key);
        if ((collection as unknown) === this.domains) this.directory.domains.delete(key);
        collection.delete(key);
      }
    }
    this.pools.delete(pool.id);
    this.directory.pools.delete(pool.id);
    this.indexes.delete(pool.id);
    this.userCounts.delete(pool.id);
  }

  /** Returns a grant by id, unless it has expired. */
  grant(id: string): records.Grant | undefined {
    const grant = this.grants.get(id);
    return grant && grant.expiresAt > this.clock.now() ? grant : undefined;
  }

  /** Returns the grant of an event. */
  grantOfEvent(eventId: string): records.Grant | undefined {
    const id = this.grantsByEvent.get(eventId);
    return id === undefined ? undefined : this.grant(id);
  }

  putGrant(grant: records.GrantRecord): records.Grant {
    this.sweep(this.grants, (id) => this.revoke(id));
    this.grantIds(grant).add(grant.id);
    this.grantsByEvent.set(grant.eventId, grant.id);
    return this.grants.put(grant.id, grant);
  }

  updateGrant(id: string, change: (draft: records.GrantRecord) => void): records.Grant {
    return this.grants.update(id, change);
  }

  /**
   * Revokes a grant and all of its tokens.
   * @returns whether it existed
   */
  revoke(id: string): boolean {
    const grant = this.grants.get(id);
    if (!grant) return false;
    const ids = this.grantIds(grant);
    ids.delete(id);
    this.grantsByEvent.delete(grant.eventId);
    if (ids.size === 0) this.grantsOfUsers.delete(`${grant.poolId}/${grant.username}`);
    return this.grants.delete(id);
  }

  /**
   * Revokes all grants of a user.
   * @returns their number
   */
  revokeAll({ poolId, username }: Pick<records.User, 'poolId' | 'username'>): number {
    const ids = [...(this.grantsOfUsers.get(`${poolId}/${username}`) ?? [])];
    for (const id of ids) this.revoke(id);
    return ids.length;
  }

  /** Returns all grants of the state. */
  allGrants(): Iterable<records.Grant> {
    return this.grants.values();
  }

  /** Adds a session and evicts expired ones. */
  putSession(session: records.SessionRecord): records.Session {
    this.sweep(this.sessions, (id) => this.sessions.delete(id));
    return this.sessions.put(session.id, session);
  }

  /** Evicts expired records among the oldest of a collection. */
  sweep<T extends Expiring>(collection: Collection<T>, drop: (key: string) => void): void {
    const now = this.clock.now();
    let looked = 0;
    for (const [key, record] of collection.entries()) {
      if (looked++ >= SWEPT_AT_ONCE) return;
      if ((record as Expiring).expiresAt <= now) drop(key);
    }
  }

  private grantIds({ poolId, username }: Pick<records.Grant, 'poolId' | 'username'>): Set<string> {
    const key = `${poolId}/${username}`;
    let ids = this.grantsOfUsers.get(key);
    if (!ids) {
      ids = new Set();
      this.grantsOfUsers.set(key, ids);
    }
    return ids;
  }

  private reindex(key: string, before: records.User | undefined, after: records.User | undefined): void {
    const { poolId } = (after ?? before)!;
    this.index(poolId).change(key, before, after);
    if (!before) this.userCounts.set(poolId, this.userCount(poolId) + 1);
    if (!after) this.userCounts.set(poolId, this.userCount(poolId) - 1);
  }

  /** Returns the collections with records of a pool, except users and grants. */
  private ofPools(): Collection<{ poolId: string }>[] {
    return [
      this.clients,
      this.groups,
      this.codes,
      this.sessions,
      this.devices,
      this.resourceServers,
      this.providers,
      this.domains,
      this.authorizationCodes,
      this.keys,
      this.terms,
      this.risks,
      this.browserSessions,
      this.logDeliveries,
      this.ui,
      this.brandings,
      this.importJobs,
      this.passkeys,
      this.passkeyChallenges,
      this.federations,
      this.samlKeys,
    ] as unknown as Collection<{ poolId: string }>[];
  }
}

/** Returns the records of a user, whose keys start with pool and user. */
function ownedBy<T>(collection: Collection<T>, poolId: string, username: string): [string, unknown][] {
  const prefix = `${poolId}/${username}/`;
  return [...collection.entries()].filter(([key]) => key.startsWith(prefix));
}

/** Returns the states of an emulator by the ids in unsigned requests. Domains are in lower case. */
export const directoryOf = stateDirectory<CognitoState, 'pools' | 'clients' | 'domains'>('pools', 'clients', 'domains');
