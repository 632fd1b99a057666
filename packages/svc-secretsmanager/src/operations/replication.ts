import type { InputOf, OutputOf } from '@emu/service-types/secretsmanager';
import type { SecretsmanagerContext } from '../context.ts';
import { describeInProgress, describeReplica } from '../describe.ts';
import { invalidRequest } from '../errors.ts';
import { liveSecret, primarySecret } from '../lookup.ts';
import { addReplicas, checkRegions, promote, removeReplicas } from '../replication.ts';

/**
 * Replicates a secret to further regions.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ReplicateSecretToRegions.html
 */
export async function ReplicateSecretToRegions(
  input: InputOf<'ReplicateSecretToRegions'>,
  ctx: SecretsmanagerContext,
): Promise<OutputOf<'ReplicateSecretToRegions'>> {
  const { state, secret } = primarySecret(input.SecretId, ctx);
  const { AddReplicaRegions: regions, ForceOverwriteReplicaSecret: overwrite = false } = input;
  checkRegions(
    state,
    regions,
    (secret.replicas ?? []).map(({ region }) => region),
  );
  const added = await addReplicas(state, secret, regions, overwrite);
  const others = (secret.replicas ?? []).map((replica) => describeReplica(replica));
  return { ARN: secret.arn, ReplicationStatus: [...others, ...added.map(describeInProgress)] };
}

/**
 * Deletes replicas of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RemoveRegionsFromReplication.html
 */
export function RemoveRegionsFromReplication(
  input: InputOf<'RemoveRegionsFromReplication'>,
  ctx: SecretsmanagerContext,
): OutputOf<'RemoveRegionsFromReplication'> {
  const { state, secret } = primarySecret(input.SecretId, ctx);
  const changed = removeReplicas(state, secret, input.RemoveReplicaRegions);
  return { ARN: changed.arn, ReplicationStatus: (changed.replicas ?? []).map((replica) => describeReplica(replica)) };
}

/**
 * Makes a replica an independent secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_StopReplicationToReplica.html
 */
export function StopReplicationToReplica(
  input: InputOf<'StopReplicationToReplica'>,
  ctx: SecretsmanagerContext,
): OutputOf<'StopReplicationToReplica'> {
  const { state, secret } = liveSecret(input.SecretId, ctx);
  if (secret.primaryRegion === undefined)
    throw invalidRequest('Operation not permitted on a primary secret. Call must be made in replica region.');
  return { ARN: promote(state, secret).arn };
}
