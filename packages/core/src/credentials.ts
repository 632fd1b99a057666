import { defineCollection } from './collection.ts';
import type { Credential, CredentialRegistry, CredentialUse } from './identity.ts';
import { ServiceStore } from './store.ts';

const accessKeys = defineCollection<Credential>('access-keys', 'global');
const sessions = defineCollection<Credential>('sessions', 'global');
const uses = defineCollection<CredentialUse & { accountId: string }>('uses', 'global');

/** Uses are written to disk no oftener than this, in milliseconds, so that a request costs no write of its own. */
const SAVED_EVERY = 60_000;
/** Most keys and roles whose uses are remembered: roles that IAM does not know have any name a client thinks of. */
const MOST_USES = 10_000;

/** The registry of credentials, persisted under `credentials` in the data directory. */
export class StoredCredentials implements CredentialRegistry {
  readonly store = new ServiceStore('credentials', [accessKeys, sessions, uses]);
  private readonly keys = this.store.collection(accessKeys, '', '');
  private readonly sessions = this.store.collection(sessions, '', '');
  private readonly uses = this.store.collection(uses, '', '');
  /** Uses since they were last written, by access key id or ARN of the role. */
  private readonly unsaved = new Map<string, CredentialUse>();

  get(accessKeyId: string): Credential | undefined {
    return (this.keys.get(accessKeyId) ?? this.sessions.get(accessKeyId)) as Credential | undefined;
  }

  put(credential: Credential): void {
    (credential.sessionToken === undefined ? this.keys : this.sessions).put(credential.accessKeyId, credential);
  }

  delete(accessKeyId: string): void {
    this.keys.delete(accessKeyId);
    this.sessions.delete(accessKeyId);
    this.forgetUse(accessKeyId);
  }

  recordUse(accessKeyId: string, use: CredentialUse): void {
    const credential = this.get(accessKeyId);
    if (!credential) return;
    const subject = credential.sessionToken === undefined ? accessKeyId : credential.session?.roleArn;
    if (subject === undefined) return;
    const saved = this.uses.get(subject);
    if (saved && Math.abs(use.at - saved.at) < SAVED_EVERY) {
      this.unsaved.set(subject, use);
      return;
    }
    this.unsaved.delete(subject);
    this.uses.put(subject, { ...use, accountId: credential.principal.accountId });
    if (this.uses.size > MOST_USES) this.forgetUse(this.uses.keys().next().value!);
  }

  lastUse(subject: string): CredentialUse | undefined {
    return this.unsaved.get(subject) ?? this.uses.get(subject);
  }

  forgetUse(subject: string): void {
    this.unsaved.delete(subject);
    this.uses.delete(subject);
  }

  *list(accountId?: string): Iterable<Credential> {
    for (const collection of [this.keys, this.sessions])
      for (const credential of collection.values())
        if (accountId === undefined || credential.principal.accountId === accountId) yield credential as Credential;
  }

  /** Forgets long-term keys on a reset of `iam`, sessions on a reset of `sts`, both on a reset of all. */
  reset(service: string | undefined, accountId: string | undefined): void {
    const targets =
      service === undefined
        ? [this.keys, this.sessions]
        : service === 'iam'
          ? [this.keys]
          : service === 'sts'
            ? [this.sessions]
            : [];
    for (const collection of targets)
      for (const credential of [...collection.values()])
        if (accountId === undefined || credential.principal.accountId === accountId)
          collection.delete(credential.accessKeyId);
    if (service === undefined || service === 'iam')
      for (const [subject, use] of [...this.uses.entries()])
        if (accountId === undefined || use.accountId === accountId) this.forgetUse(subject);
  }

  /** Drops sessions that ended before a point in time, so that they do not pile up. */
  dropExpired(before: number): void {
    for (const credential of [...this.sessions.values()])
      if (credential.expiresAt !== undefined && credential.expiresAt < before)
        this.sessions.delete(credential.accessKeyId);
  }
}
