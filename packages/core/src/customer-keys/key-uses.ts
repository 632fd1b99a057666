import type { Clock } from '../time/clock.ts';

/** Maximum number of stored users of one resource. */
const MAX_USERS = 1000;

/** A use of a key that KMS permits for a period. */
export interface KeyUse {
  /** The encrypted object, e.g. a queue. Its stored uses are garbage-collected with it. */
  readonly owner: object;
  /** A changed key ends every period. */
  readonly keyId: string;
  /** Principal and purpose. */
  readonly user: string;
  /** Milliseconds until KMS is called again. */
  readonly period: number;
}

/** Periods in which users of resources need no further permission of KMS. */
export class KeyUses {
  private readonly permitted = new WeakMap<object, { readonly keyId: string; readonly until: Map<string, number> }>();

  /**
   * Calls KMS, unless it permitted the use within the period.
   * @param ask rejects if KMS denies the use
   * @returns undefined if no wait is necessary
   */
  once(
    { owner, keyId, user, period }: KeyUse,
    clock: Pick<Clock, 'now'>,
    ask: () => Promise<unknown>,
  ): Promise<void> | undefined {
    const known = this.permitted.get(owner);
    if (known?.keyId === keyId && (known.until.get(user) ?? 0) > clock.now()) return undefined;
    return ask().then(() => this.permit(owner, keyId, user, clock.now() + period));
  }

  /** Ends the periods of a resource's users. */
  discard(owner: object): void {
    this.permitted.delete(owner);
  }

  private permit(owner: object, keyId: string, user: string, until: number): void {
    const known = this.permitted.get(owner);
    if (known?.keyId === keyId && known.until.size < MAX_USERS) known.until.set(user, until);
    else this.permitted.set(owner, { keyId, until: new Map([[user, until]]) });
  }
}
