import { type Capability, defineCapability } from '../base/capability.ts';
import type { QuotaFacts } from '../quotas/quota.ts';

/** A declared quota of a service. */
export interface DeclaredQuota extends QuotaFacts {
  /** emu's name of the service that declares it. */
  readonly service: string;
  /** Whether it is only listed: emu cannot enforce it. */
  readonly listed?: true;
}

/** A quota in one account and region; a global quota is the same in every region. */
export interface QuotaState {
  readonly defaultValue: number;
  /** The applied value: the one that was set, else the default. */
  readonly appliedValue: number;
  /** The account's usage; undefined if it is unknown, as for rates and quotas of single resources. */
  readonly usage: number | undefined;
  readonly enforced: boolean;
}

/** Turns enforcement of a quota on or off, with precedence over the general setting. */
export interface QuotaOverride {
  readonly serviceCode: string;
  readonly quotaCode: string;
  readonly enforce: boolean;
  /** Account of the override; all accounts by default. An account's own override has precedence. */
  readonly accountId?: string | undefined;
}

/** Enforcement settings. */
export interface QuotaEnforcement {
  /** Whether all enforceable quotas without an override are enforced. */
  readonly enforceAll: boolean;
  readonly overrides: readonly QuotaOverride[];
}

/**
 * The declared quotas of services: defaults, applied values, usage and enforcement. Applied values are stored in
 * persistent mode, and removed by a reset of the account or of everything. Enforcement follows the settings at each
 * start.
 */
export interface QuotaDirectory {
  /** Returns every declared quota of this emulator's services, by service code and quota code. */
  list(): Promise<readonly DeclaredQuota[]>;
  /** @returns undefined for an unknown quota */
  find(serviceCode: string, quotaCode: string): Promise<DeclaredQuota | undefined>;
  /** Returns a quota in an account and region. Loads no service: an unused service has no usage. */
  state(quota: DeclaredQuota, accountId: string, region: string): QuotaState;
  /**
   * Sets the applied value, which may be less than the default, or resets it.
   * @param value not negative; undefined for the default
   * @returns when it is on disk, in persistent mode
   */
  setValue(quota: DeclaredQuota, accountId: string, region: string, value: number | undefined): Promise<void>;
  readonly enforcement: QuotaEnforcement;
  /** Changes enforcement from the next request on. Missing members are unchanged; overrides are replaced as a whole. */
  setEnforcement(change: Partial<QuotaEnforcement>): Promise<void>;
  /** Adds or replaces the override of a quota and account, or removes it. @param enforce undefined removes it */
  override(quota: DeclaredQuota, accountId: string | undefined, enforce: boolean | undefined): Promise<void>;
}

/** Quotas of the services; in every emulator. */
export const quotaDirectory: Capability<QuotaDirectory> = defineCapability('quotas');
