import type { DescribeSecretResponse, ReplicationStatusType, SecretListEntry } from '@emu/service-types/secretsmanager';
import type { ReplicaRecord } from './records.ts';
import type { Secret } from './state.ts';
import { labelsByVersion } from './versions.ts';

/** Converts a time, if any. */
export const dateOf = (time: number | undefined): Date | undefined => (time === undefined ? undefined : new Date(time));

/** Returns the members common to DescribeSecret and ListSecrets. */
function common(secret: Secret): Omit<SecretListEntry, 'SecretVersionsToStages'> {
  const { rotation } = secret;
  return {
    ARN: secret.arn,
    Name: secret.name,
    Type: secret.type,
    OwningService: secret.owningService,
    Description: secret.description,
    KmsKeyId: secret.kmsKeyId,
    RotationEnabled: rotation?.enabled,
    RotationLambdaARN: rotation?.lambdaArn,
    RotationRules: rotation?.rules,
    ExternalSecretRotationMetadata: rotation?.externalMetadata?.map((entry) => ({ ...entry })),
    ExternalSecretRotationRoleArn: rotation?.externalRoleArn,
    LastRotatedDate: dateOf(secret.rotatedAt),
    LastChangedDate: dateOf(secret.changedAt),
    LastAccessedDate: dateOf(secret.accessedAt),
    DeletedDate: dateOf(secret.deletedAt),
    NextRotationDate: rotation?.enabled ? dateOf(rotation.windowEndsAt) : undefined,
    Tags: secret.tags?.map((tag) => ({ ...tag })),
    CreatedDate: dateOf(secret.createdAt),
    PrimaryRegion: secret.primaryRegion,
  };
}

/** Returns a secret as in DescribeSecret. @param region of the secret */
export function describeSecret(secret: Secret, region: string): DescribeSecretResponse {
  const versions = labelsByVersion(secret);
  return {
    ...common(secret),
    ...(Object.keys(versions).length && { VersionIdsToStages: versions }),
    ...(secret.replicas && { ReplicationStatus: secret.replicas.map(describeReplica), PrimaryRegion: region }),
  };
}

/** Returns a secret as in ListSecrets. @param region of the secret */
export function describeEntry(secret: Secret, region: string): SecretListEntry {
  const versions = labelsByVersion(secret);
  return {
    ...common(secret),
    ...(secret.replicas && { PrimaryRegion: region }),
    ...(Object.keys(versions).length && { SecretVersionsToStages: versions }),
  };
}

/** Replication status of a replica. */
export const describeReplica = ({ region, kmsKeyId, status, message }: ReplicaRecord): ReplicationStatusType => ({
  Region: region,
  KmsKeyId: kmsKeyId,
  Status: status,
  StatusMessage: message,
});

/** Returns the same as in progress, for operations that start a replication. */
export const describeInProgress = (replica: ReplicaRecord): ReplicationStatusType => ({
  ...describeReplica(replica),
  ...(replica.status === 'InSync' && { Status: 'InProgress', StatusMessage: undefined }),
});
