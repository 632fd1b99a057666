import { defineCollection } from './collection.ts';
import type { Credential, CredentialRegistry } from './identity.ts';
import { ServiceStore } from './store.ts';

const accessKeys = defineCollection<Credential>('access-keys', 'global');
const sessions = defineCollection<Credential>('sessions', 'global');

/** The registry of credentials, persisted under `credentials` in the data directory. */
export class StoredCredentials implements CredentialRegistry {
  readonly store = new ServiceStore('credentials', [accessKeys, sessions]);
  private readonly keys = this.store.collection(accessKeys, '', '');
  private readonly sessions = this.store.collection(sessions, '', '');

  get(accessKeyId: string): Credential | undefined {
    return (this.keys.get(accessKeyId) ?? this.sessions.get(accessKeyId)) as Credential | undefined;
  }

  put(credential: Credential): void {
    (credential.sessionToken === undefined ? this.keys : this.sessions).put(credential.accessKeyId, credential);
  }

  delete(accessKeyId: string): void {
    this.keys.delete(accessKeyId);
    this.sessions.delete(accessKeyId);
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
  }

  /** Drops sessions that ended before a point in time, so that they do not pile up. */
  dropExpired(before: number): void {
    for (const credential of [...this.sessions.values()])
      if (credential.expiresAt !== undefined && credential.expiresAt < before)
        this.sessions.delete(credential.accessKeyId);
  }
}
