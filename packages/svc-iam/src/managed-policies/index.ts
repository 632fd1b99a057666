import type { DeepReadonly } from '@emu/core';
import type { PolicyRecord } from '../records.ts';

/** A policy that AWS manages, with `arn:aws:iam::aws:policy/…` in every partition; only known versions are listed. */
export type AwsManagedPolicy = DeepReadonly<Omit<PolicyRecord, 'tags' | 'nextVersion'>>;

/**
 * The policy of an ARN of AWS's; undefined where AWS has none of this name. A promise until the data has been loaded.
 * @param arn in the partition `aws`
 */
export function managedPolicy(_arn: string): AwsManagedPolicy | undefined | Promise<AwsManagedPolicy | undefined> {
  return undefined;
}

/** Every policy that AWS manages, in order of names. */
export async function listManagedPolicies(): Promise<readonly AwsManagedPolicy[]> {
  return [];
}
