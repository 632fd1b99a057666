import { defineCollection } from '@emu/core/service';
import type { RotationRulesType, StatusType, Tag } from '@emu/service-types/secretsmanager';

/** Label of the current version. */
export const CURRENT = 'AWSCURRENT';
/** Label of the previous version. */
export const PREVIOUS = 'AWSPREVIOUS';
/** Label of the version that a rotation prepares. */
export const PENDING = 'AWSPENDING';

/** Rotation settings of a secret. */
export interface RotationRecord {
  enabled: boolean;
  lambdaArn?: string;
  rules?: RotationRulesType;
  /** Rotation metadata of an external secret, stored unchanged. */
  externalMetadata?: { Key: string; Value: string }[];
  externalRoleArn?: string;
  /** Start of the schedule in epoch milliseconds. */
  startedAt: number;
  /** Time of the next rotation in epoch milliseconds. */
  nextAt?: number;
  /** End of the next rotation window in epoch milliseconds: `NextRotationDate`. */
  windowEndsAt?: number;
  /** Version prepared by a rotation that has not ended. */
  pendingId?: string;
  /** Rotation in progress, or the test of new settings. */
  running?: RunningRotation;
}

/** A rotation in progress. */
export interface RunningRotation {
  /** Id of the version that it creates. */
  versionId: string;
  /** Id of the request that started it, or of the timer. */
  cause: string;
  /** Whether it only tests the function. */
  test: boolean;
}

/** A replica region. */
export interface ReplicaRecord {
  region: string;
  kmsKeyId?: string;
  status: StatusType;
  message?: string;
}

/** A secret, keyed by name. */
export interface SecretRecord {
  name: string;
  arn: string;
  description?: string;
  kmsKeyId?: string;
  type?: string;
  /** Service that created and manages it. */
  owningService?: string;
  /** Epoch milliseconds. */
  createdAt: number;
  changedAt: number;
  /** Midnight of the last day on which it was read. */
  accessedAt?: number;
  rotatedAt?: number;
  /** Time of the deletion request. */
  deletedAt?: number;
  /** Time of the final deletion. */
  purgeAt?: number;
  /** Undefined until the first tag is set. */
  tags?: Tag[];
  /** Version ids by staging label. */
  stages: Record<string, string>;
  rotation?: RotationRecord;
  policy?: string;
  replicas?: ReplicaRecord[];
  /** Region of the primary secret, for a replica. */
  primaryRegion?: string;
}

/** Value of a version. Binary values are in base64. */
export type SecretValue = { string: string } | { binary: string };

/** A value encrypted with a data key of a KMS key. */
export interface SealedValue {
  /** Data key encrypted by KMS, in base64. */
  dataKey: string;
  /** ARN of the KMS key, needed for callers of other accounts. */
  keyArn?: string;
  /** Initialization vector, authentication tag and ciphertext, in base64. */
  sealed: string;
}

/** A version of a secret, keyed by secret name and version id. */
export interface VersionRecord {
  secret: string;
  id: string;
  createdAt: number;
  accessedAt?: number;
  /** Undefined for the default key. */
  kmsKeyId?: string;
  /** Undefined until a rotation function sets it. */
  value?: SecretValue | SealedValue;
  /** Digest that compares values without decryption. */
  fingerprint?: string;
}

export const secretCollection = defineCollection<SecretRecord>('secrets', 'region');
export const versionCollection = defineCollection<VersionRecord>('versions', 'region', {
  content: ['value'],
  ownerOf: (key) => key.slice(0, key.indexOf(' ')),
});

/** Collections of Secrets Manager. */
export const collections = [secretCollection, versionCollection];
