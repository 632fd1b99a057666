import { createHash } from 'node:crypto';
import type { DeepReadonly } from '@emu/core/service';
import type { ManagedPolicyRow } from '../generated/managed-policies.js';
import type { PolicyRecord } from '../records.ts';
import { awsManaged, policyType } from '../resources.ts';

/** A policy that AWS manages, with `arn:aws:iam::aws:policy/…` in every partition; only known versions are listed. */
export type AwsManagedPolicy = DeepReadonly<Omit<PolicyRecord, 'tags' | 'nextVersion'>>;

let byArn: ReadonlyMap<string, AwsManagedPolicy> | undefined;
let loading: Promise<ReadonlyMap<string, AwsManagedPolicy>> | undefined;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** An id of AWS's form, the same for a name ever after: AWS's own ids are in no public record. */
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

/** Loads the policies when somebody first asks for one: they are a few megabytes. */
function load(): Promise<ReadonlyMap<string, AwsManagedPolicy>> {
  loading ??= import('../generated/managed-policies.js').then(({ policies }) => {
    byArn = new Map(policies.map(policyOf).map((policy) => [policy.arn, policy]));
    return byArn;
  });
  return loading;
}

/**
 * The policy of an ARN of AWS's; undefined where AWS has none of this name. A promise until the data has been loaded.
 * @param arn in the partition `aws`
 */
export function managedPolicy(arn: string): AwsManagedPolicy | undefined | Promise<AwsManagedPolicy | undefined> {
  return byArn ? byArn.get(arn) : load().then((policies) => policies.get(arn));
}

/** Every policy that AWS manages, in order of names. */
export async function listManagedPolicies(): Promise<readonly AwsManagedPolicy[]> {
  return [...(await load()).values()];
}
