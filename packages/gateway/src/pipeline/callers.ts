import type { Kernel } from '@emu/core';
import { type Principal, rootOf } from '@emu/core/service';

/** Most unregistered access keys remembered with their principals. */
const REMEMBERED = 1000;
const ACCOUNT_ID = /^\d{12}$/;

/**
 * Who an access key stands for, where signatures are not checked: a registered key's principal; the root user of the
 * account that a 12-digit key names; else the root user of the default account, also for unsigned requests of services
 * whose resources cannot be public.
 */
export class Callers {
  private readonly remembered = new Map<string, Principal>();

  constructor(private readonly kernel: Kernel) {}

  /** @param region decides the partition of a root user's ARN */
  principalOf(accessKeyId: string | undefined, region: string): Principal {
    if (accessKeyId !== undefined) {
      const credential = this.kernel.credentials.get(accessKeyId);
      if (credential) return { ...credential.principal, accessKeyId };
    }
    const key = `${region}/${accessKeyId ?? ''}`;
    let principal = this.remembered.get(key);
    if (!principal) {
      principal = this.rootFor(accessKeyId, region);
      if (this.remembered.size >= REMEMBERED) this.remembered.clear();
      this.remembered.set(key, principal);
    }
    return principal;
  }

  /** The caller of an unsigned request to a service that accepts those. */
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
