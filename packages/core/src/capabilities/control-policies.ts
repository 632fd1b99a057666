import { type Capability, defineCapability } from '../base/capability.ts';
import type { AttachedPolicy } from '../policy/types.ts';

/** What Organizations knows, for whoever evaluates policies. */
export interface ControlPolicies {
  /** Policies by level, from the root to the account; undefined where none apply. The management account has none. */
  serviceControl(accountId: string): readonly (readonly AttachedPolicy[])[] | undefined;
  resourceControl(accountId: string): readonly (readonly AttachedPolicy[])[] | undefined;
  /** Id of the organization an account belongs to, `o-…`. */
  organizationId(accountId: string): string | undefined;
}

/** Control policies of organizations. */
export const controlPolicies: Capability<ControlPolicies> = defineCapability('control policies');
