import { type Collection, defineCollection } from '../collections/collection.ts';
import type { Credential, CredentialRegistry, CredentialUse } from '../identity/principal.ts';
import { ServiceStore } from '../state/store.ts';

const accessKeys = defineCollection<Credential>('access-keys', 'global');
const sessions = defineCollection<Credential>('sessions', 'global');
/** A use, in the account of its principal. */
type StoredUse = CredentialUse & { accountId: string };

/** Uses of credentials that are not written yet. */
export interface UnsavedUses {
  readonly uses: readonly [string, CredentialUse][];
  readonly serviceUses: readonly [string, CredentialUse][];
}

const uses = defineCollection<StoredUse>('uses', 'global');
const serviceUses = defineCollection<StoredUse & { entity: string }>('service-uses', 'global');

/** Minimum interval of writes of uses, in milliseconds, so that a request costs no write of its own. */
const SAVED_EVERY = 60_000;
/** Maximum number of keys and roles with recorded uses: clients can choose any name for roles unknown to IAM. */
const MAX_USES = 10_000;
/** Maximum number of recorded uses by entity and service. */
const MAX_SERVICE_USES = 50_000;

/** Returns the entity of a credential, for any of its credentials; undefined for sessions without a role. */
const entityOf = ({ sessionToken, session, principal }: Credential): string | undefined =>
  sessionToken === undefined ? principal.userId : session?.roleArn;

/** The registry of credentials, persisted under `credentials` in the data directory. */
export class StoredCredentials implements CredentialRegistry {
  readonly store = new ServiceStore('credentials', [accessKeys, sessions, uses, serviceUses]);
  private readonly keys = this.store.collection(accessKeys, '', '');
  private readonly sessions = this.store.collection(sessions, '', '');
  private readonly uses = this.store.collection(uses, '', '');
  private readonly serviceUses = this.store.collection(serviceUses, '', '');
  /** Uses since the last write, by access key id or ARN of the role. */
  private readonly unsaved = new Map<string, CredentialUse>();
  /** Uses since the last write, by entity and service. */
  private readonly unsavedServiceUses = new Map<string, CredentialUse>();
  /** Causes of requests made with keys, by access key id. */
  private readonly causes = new Map<string, string>();

  get(accessKeyId: string): Credential | undefined {
    return (this.keys.get(accessKeyId) ?? this.sessions.get(accessKeyId)) as Credential | undefined;
  }

  put(credential: Credential): void {
    (credential.sessionToken === undefined ? this.keys : this.sessions).put(credential.accessKeyId, credential);
  }

  delete(accessKeyId: string): void {
    this.keys.delete(accessKeyId);
    this.sessions.delete(accessKeyId);
    this.discardUse(accessKeyId);
  }

  recordUse(accessKeyId: string, use: CredentialUse): void {
    const credential = this.get(accessKeyId);
    const entity = credential && entityOf(credential);
    if (entity === undefined) return;
    const { accountId } = credential!.principal;
    const subject = credential!.sessionToken === undefined ? accessKeyId : entity;
    if (isFresh(use, this.uses.get(subject))) this.unsaved.set(subject, use);
    else {
      this.unsaved.delete(subject);
      this.uses.put(subject, { ...use, accountId });
      if (this.uses.size > MAX_USES) this.dropUse(this.uses.keys().next().value!);
    }
    this.recordServiceUse(entity, use, accountId);
  }

  act(accessKeyId: string, cause: string | undefined): void {
    if (cause === undefined) this.causes.delete(accessKeyId);
    else this.causes.set(accessKeyId, cause);
  }

  causeOf(accessKeyId: string | undefined): string | undefined {
    return accessKeyId === undefined ? undefined : this.causes.get(accessKeyId);
  }

  private recordServiceUse(entity: string, use: CredentialUse, accountId: string): void {
    const key = `${entity} ${use.service}`;
    if (isFresh(use, this.serviceUses.get(key))) {
      this.unsavedServiceUses.set(key, use);
      return;
    }
    this.unsavedServiceUses.delete(key);
    this.serviceUses.put(key, { ...use, entity, accountId });
    if (this.serviceUses.size > MAX_SERVICE_USES) this.discardServiceUse(this.serviceUses.keys().next().value!);
  }

  *lastUses(entity: string): Iterable<CredentialUse> {
    for (const [key, use] of this.serviceUses.entries())
      if (use.entity === entity) yield this.unsavedServiceUses.get(key) ?? use;
  }

  lastUse(subject: string): CredentialUse | undefined {
    return this.unsaved.get(subject) ?? this.uses.get(subject);
  }

  discardUse(subject: string): void {
    this.dropUse(subject);
    if (!subject.startsWith('arn:')) return;
    for (const [key, { entity }] of [...this.serviceUses.entries()])
      if (entity === subject) this.discardServiceUse(key);
  }

  private dropUse(subject: string): void {
    this.unsaved.delete(subject);
    this.uses.delete(subject);
  }

  private discardServiceUse(key: string): void {
    this.unsavedServiceUses.delete(key);
    this.serviceUses.delete(key);
  }

  *list(accountId?: string): Iterable<Credential> {
    for (const collection of [this.keys, this.sessions])
      for (const credential of collection.values())
        if (accountId === undefined || credential.principal.accountId === accountId) yield credential as Credential;
  }

  /**
   * Removes credentials.
   * @param kind long-term keys with the uses of all, or sessions; both by default
   * @param accountId account of the credentials; all by default
   */
  reset(kind: 'access-keys' | 'sessions' | undefined, accountId: string | undefined): void {
    if (kind !== 'sessions') {
      this.discardCredentials(this.keys, accountId);
      for (const [subject, use] of [...this.uses.entries()])
        if (accountId === undefined || use.accountId === accountId) this.discardUse(subject);
      for (const [key, use] of [...this.serviceUses.entries()])
        if (accountId === undefined || use.accountId === accountId) this.discardServiceUse(key);
    }
    if (kind !== 'access-keys') this.discardCredentials(this.sessions, accountId);
  }

  private discardCredentials(collection: Collection<Credential>, accountId: string | undefined): void {
    for (const credential of [...collection.values()])
      if (accountId === undefined || credential.principal.accountId === accountId)
        collection.delete(credential.accessKeyId);
  }

  /** Returns the uses that are not in the records yet. */
  unsavedUses(): UnsavedUses {
    return { uses: [...this.unsaved], serviceUses: [...this.unsavedServiceUses] };
  }

  /** Replaces the uses that are not in the records yet. */
  setUnsavedUses({ uses, serviceUses }: UnsavedUses): void {
    this.unsaved.clear();
    for (const [subject, use] of uses) this.unsaved.set(subject, use);
    this.unsavedServiceUses.clear();
    for (const [key, use] of serviceUses) this.unsavedServiceUses.set(key, use);
  }

  /** Removes sessions that expired before a point in time, so that they do not accumulate. */
  dropExpired(before: number): void {
    for (const credential of [...this.sessions.values()])
      if (credential.expiresAt !== undefined && credential.expiresAt < before)
        this.sessions.delete(credential.accessKeyId);
  }
}

/** Whether a use is too soon after the written one to be written. */
const isFresh = (use: CredentialUse, saved: { at: number } | undefined): boolean =>
  saved !== undefined && Math.abs(use.at - saved.at) < SAVED_EVERY;
