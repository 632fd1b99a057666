import type { Kernel } from '@emu/core';
import { type Principal, rootOf } from '@emu/core/service';

/** Largest number of cached principals of unregistered access keys. */
const REMEMBERED = 1000;
const ACCOUNT_ID = /^\d{12}$/;

/**
 * Finds the principal of an access key where signatures are not verified: that of a registered key; the root user of
 * the account in a 12-digit key; otherwise the root user of the default account, also for unsigned requests to services
 * without public resources.
 */
export class Callers {
  /** Principals by region and access key. Both texts come from the cached scope, whose hashes are known. */
  private readonly remembered = new Map<string, Map<string, Principal>>();
  private size = 0;

  constructor(private readonly kernel: Kernel) {}

  /** Returns the principal of an access key. @param region decides the partition of a root user's ARN */
  principalOf(accessKeyId: string | undefined, region: string): Principal {
    if (accessKeyId !== undefined) {
      const credential = this.kernel.credentials.get(accessKeyId);
      if (credential) return { ...credential.principal, accessKeyId };
    }
    const key = accessKeyId ?? '';
    return this.remembered.get(region)?.get(key) ?? this.remember(region, key, this.rootFor(accessKeyId, region));
  }

  private remember(region: string, key: string, principal: Principal): Principal {
    if (this.size >= REMEMBERED) {
      this.remembered.clear();
      this.size = 0;
    }
    let known = this.remembered.get(region);
    if (!known) {
      known = new Map();
      this.remembered.set(region, known);
    }
    known.set(key, principal);
    this.size++;
    return principal;
  }

  /** Returns the caller of an unsigned request to a service that accepts those. */
  anonymous(): Principal {
    const { accountId } = this.kernel.settings;
    return { type: 'anonymous', accountId, arn: '*', userId: 'anonymous' };
  }

  private rootFor(accessKeyId: string | undefined, region: string): Principal {
    if (accessKeyId === undefined) return Object.freeze(rootOf(this.kernel.settings.accountId, region));
    const accountId = ACCOUNT_ID.test(accessKeyId) ? accessKeyId : this.kernel.settings.accountId;
    return Object.freeze({ ...rootOf(accountId, region), accessKeyId });
  }
}
