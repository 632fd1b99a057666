import { type Capability, defineCapability } from '../base/capability.ts';
import type { AttachedPolicy } from '../policy/types.ts';

/** Organizations' data for evaluating policies. */
export interface ControlPolicies {
  /**
   * Returns the policies by level, from the root to the account; undefined if none apply. The management account has
   * none.
   */
  serviceControl(accountId: string): readonly (readonly AttachedPolicy[])[] | undefined;
  resourceControl(accountId: string): readonly (readonly AttachedPolicy[])[] | undefined;
  /** Returns the id of an account's organization, `o-…`. */
  organizationId(accountId: string): string | undefined;
}

/** Control policies of organizations. */
export const controlPolicies: Capability<ControlPolicies> = defineCapability('control policies');
