import { createHash } from 'node:crypto';
import type { DeepReadonly } from '@emu/core/service';
import type { ManagedPolicyRow } from '../generated/managed-policies.js';
import type { PolicyRecord } from '../records.ts';
import { awsManaged, policyType } from '../resources.ts';

/** A policy managed by AWS, with `arn:aws:iam::aws:policy/…` in every partition; only known versions are included. */
export type AwsManagedPolicy = DeepReadonly<Omit<PolicyRecord, 'tags' | 'nextVersion'>>;

let byArn: ReadonlyMap<string, AwsManagedPolicy> | undefined;
let loading: Promise<ReadonlyMap<string, AwsManagedPolicy>> | undefined;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns an id in AWS's form derived from the name, as AWS's own ids are not public. */
function idOf(name: string): string {
  const digest = createHash('sha256').update(name).digest();
  return `ANPA${Array.from(digest.subarray(0, 17), (byte) => BASE32[byte % BASE32.length]).join('')}`;
}

function policyOf([name, path, version, created, updated, document]: ManagedPolicyRow): AwsManagedPolicy {
  const updatedAt = Date.parse(updated);
  return {
    name,
    id: idOf(name),
    path,
    arn: policyType.arn({ path, name }, awsManaged('us-east-1')),
    createdAt: Date.parse(created),
    updatedAt,
    defaultVersionId: version,
    versions: [{ id: version, document, createdAt: updatedAt }],
  };
}

/** Loads the policies on first use: they are a few megabytes. */
function load(): Promise<ReadonlyMap<string, AwsManagedPolicy>> {
  loading ??= import('../generated/managed-policies.js').then(({ policies }) => {
    byArn = new Map(policies.map(policyOf).map((policy) => [policy.arn, policy]));
    return byArn;
  });
  return loading;
}

/**
 * Returns AWS's policy of an ARN; undefined if unknown. Returns a promise until the data is loaded.
 * @param arn in the partition `aws`
 */
export function managedPolicy(arn: string): AwsManagedPolicy | undefined | Promise<AwsManagedPolicy | undefined> {
  return byArn ? byArn.get(arn) : load().then((policies) => policies.get(arn));
}

/** Returns all policies managed by AWS, ordered by name. */
export async function listManagedPolicies(): Promise<readonly AwsManagedPolicy[]> {
  return [...(await load()).values()];
}
