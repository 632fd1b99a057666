import type { DescribeSecretResponse, ReplicationStatusType, SecretListEntry } from '@emu/service-types/secretsmanager';
import type { ReplicaRecord } from './records.ts';
import type { Secret } from './state.ts';
import { labelsByVersion } from './versions.ts';

/** A point in time, where there is one. */
export const dateOf = (time: number | undefined): Date | undefined => (time === undefined ? undefined : new Date(time));

/** The members that DescribeSecret and ListSecrets both tell of a secret. */
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

/** A secret as DescribeSecret tells of it. @param region of the secret */
export function describeSecret(secret: Secret, region: string): DescribeSecretResponse {
  const versions = labelsByVersion(secret);
  return {
    ...common(secret),
    ...(Object.keys(versions).length && { VersionIdsToStages: versions }),
    ...(secret.replicas && { ReplicationStatus: secret.replicas.map(describeReplica), PrimaryRegion: region }),
  };
}

/** A secret as ListSecrets tells of it. @param region of the secret */
export function describeEntry(secret: Secret, region: string): SecretListEntry {
  const versions = labelsByVersion(secret);
  return {
    ...common(secret),
    ...(secret.replicas && { PrimaryRegion: region }),
    ...(Object.keys(versions).length && { SecretVersionsToStages: versions }),
  };
}

/** What became of a replica. */
export const describeReplica = ({ region, kmsKeyId, status, message }: ReplicaRecord): ReplicationStatusType => ({
  Region: region,
  KmsKeyId: kmsKeyId,
  Status: status,
  StatusMessage: message,
});

/** The same while replication has only begun, as the operations that begin it answer. */
export const describeBegun = (replica: ReplicaRecord): ReplicationStatusType => ({
  ...describeReplica(replica),
  ...(replica.status === 'InSync' && { Status: 'InProgress', StatusMessage: undefined }),
});
