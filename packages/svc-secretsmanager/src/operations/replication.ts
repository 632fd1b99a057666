import type {
  RemoveRegionsFromReplicationRequest,
  RemoveRegionsFromReplicationResponse,
  ReplicateSecretToRegionsRequest,
  ReplicateSecretToRegionsResponse,
  StopReplicationToReplicaRequest,
  StopReplicationToReplicaResponse,
} from '@emu/service-types/secretsmanager';
import { describeBegun, describeReplica } from '../describe.ts';
import { invalidRequest } from '../errors.ts';
import { liveSecret, primarySecret, type SecretsContext } from '../lookup.ts';
import { addReplicas, checkRegions, promote, removeReplicas } from '../replication.ts';

/**
 * Replicates a secret to more regions.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ReplicateSecretToRegions.html
 */
export async function ReplicateSecretToRegions(
  input: ReplicateSecretToRegionsRequest,
  ctx: SecretsContext,
): Promise<ReplicateSecretToRegionsResponse> {
  const { state, secret } = primarySecret(input.SecretId, ctx);
  const { AddReplicaRegions: regions, ForceOverwriteReplicaSecret: overwrite = false } = input;
  checkRegions(
    state,
    regions,
    (secret.replicas ?? []).map(({ region }) => region),
  );
  const added = await addReplicas(state, secret, regions, overwrite);
  const others = (secret.replicas ?? []).map((replica) => describeReplica(replica));
  return { ARN: secret.arn, ReplicationStatus: [...others, ...added.map(describeBegun)] };
}

/**
 * Deletes replicas of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RemoveRegionsFromReplication.html
 */
export function RemoveRegionsFromReplication(
  input: RemoveRegionsFromReplicationRequest,
  ctx: SecretsContext,
): RemoveRegionsFromReplicationResponse {
  const { state, secret } = primarySecret(input.SecretId, ctx);
  const changed = removeReplicas(state, secret, input.RemoveReplicaRegions);
  return { ARN: changed.arn, ReplicationStatus: (changed.replicas ?? []).map((replica) => describeReplica(replica)) };
}

/**
 * Makes a replica a secret of its own.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_StopReplicationToReplica.html
 */
export function StopReplicationToReplica(
  input: StopReplicationToReplicaRequest,
  ctx: SecretsContext,
): StopReplicationToReplicaResponse {
  const { state, secret } = liveSecret(input.SecretId, ctx);
  if (secret.primaryRegion === undefined)
    throw invalidRequest('Operation not permitted on a primary secret. Call must be made in replica region.');
  return { ARN: promote(state, secret).arn };
}
