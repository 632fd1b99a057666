import { type Capability, defineCapability } from '../base/capability.ts';
import type { QuotaFacts } from '../quotas/quota.ts';

/** A quota that a service declares. */
export interface DeclaredQuota extends QuotaFacts {
  /** emu's name of the service that declares it. */
  readonly service: string;
  /** Whether it is only listed: emu cannot enforce it. */
  readonly listed?: true;
}

/** A quota in one account and region; of one that is global, the same in every region. */
export interface QuotaState {
  readonly defaultValue: number;
  /** What holds: the value that was set, or else the default. */
  readonly appliedValue: number;
  /** How many the account has; undefined where that cannot be told, as of rates and of quotas of single resources. */
  readonly usage: number | undefined;
  readonly enforced: boolean;
}

/** Says of a quota that it is enforced, or not, whatever else says. */
export interface QuotaOverride {
  readonly serviceCode: string;
  readonly quotaCode: string;
  readonly enforce: boolean;
  /** Only this account; everywhere without it. Of an account's and the general one, the account's holds. */
  readonly accountId?: string | undefined;
}

/** What is enforced. */
export interface QuotaEnforcement {
  /** Whether every quota is enforced that can be, and that no override is about. */
  readonly enforceAll: boolean;
  readonly overrides: readonly QuotaOverride[];
}

/**
 * The quotas that services declare: their defaults, applied values and usage, and what is enforced. Values that are set are
 * kept in persistent mode, and go with a reset of the account or of everything; what is enforced is as the settings say at
 * each start.
 */
export interface QuotaDirectory {
  /** Every quota that a service of this emulator declares, by service code and quota code. */
  list(): Promise<readonly DeclaredQuota[]>;
  /** @returns undefined where no service declares such a quota */
  find(serviceCode: string, quotaCode: string): Promise<DeclaredQuota | undefined>;
  /** A quota in an account and region. Loads no service: one that was never used has no usage. */
  state(quota: DeclaredQuota, accountId: string, region: string): QuotaState;
  /**
   * Sets the applied value, which may be less than the default, or takes it back.
   * @param value not negative; undefined for the default
   * @returns when it is on disk, in persistent mode
   */
  setValue(quota: DeclaredQuota, accountId: string, region: string, value: number | undefined): Promise<void>;
  readonly enforcement: QuotaEnforcement;
  /** Changes what is enforced from the next request on; what is left out stays, overrides are replaced as a whole. */
  setEnforcement(change: Partial<QuotaEnforcement>): Promise<void>;
  /** Adds an override in the place of the one for the same quota and account, or drops that. @param enforce undefined drops it */
  override(quota: DeclaredQuota, accountId: string | undefined, enforce: boolean | undefined): Promise<void>;
}

/** Quotas of the services. Every emulator has it. */
export const quotaDirectory: Capability<QuotaDirectory> = defineCapability('quotas');
