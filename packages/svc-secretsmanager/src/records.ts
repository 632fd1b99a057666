import { defineCollection } from '@emu/core';
import type { RotationRulesType, StatusType, Tag } from '@emu/service-types/secretsmanager';

/** Label of the version that is used. */
export const CURRENT = 'AWSCURRENT';
/** Label of the version that was used before. */
export const PREVIOUS = 'AWSPREVIOUS';
/** Label of the version that a rotation prepares. */
export const PENDING = 'AWSPENDING';

/** How a secret is rotated. */
export interface RotationRecord {
  enabled: boolean;
  lambdaArn?: string;
  rules?: RotationRulesType;
  /** What external secrets' rotation needs; kept as it was given. */
  externalMetadata?: { Key: string; Value: string }[];
  externalRoleArn?: string;
  /** Epoch milliseconds at which the schedule began. */
  startedAt: number;
  /** Epoch milliseconds at which the next rotation is due. */
  nextAt?: number;
  /** Epoch milliseconds until which it should have happened: `NextRotationDate`. */
  windowEndsAt?: number;
  /** Version that a rotation prepares which has not ended. */
  pendingId?: string;
  /** The rotation that runs, or the test of a new one. */
  running?: RunningRotation;
}

/** A rotation that runs. */
export interface RunningRotation {
  /** Of the version that it makes. */
  versionId: string;
  /** Id of the request that asked for it, or of the run of the timer. */
  cause: string;
  /** Whether it is only a test of the function. */
  test: boolean;
}

/** Where a secret is replicated to. */
export interface ReplicaRecord {
  region: string;
  kmsKeyId?: string;
  status: StatusType;
  message?: string;
}

/** A secret, kept by its name. */
export interface SecretRecord {
  name: string;
  arn: string;
  description?: string;
  kmsKeyId?: string;
  type?: string;
  /** Service that made it and manages it. */
  owningService?: string;
  /** Epoch milliseconds. */
  createdAt: number;
  changedAt: number;
  /** Midnight of the day of the last read. */
  accessedAt?: number;
  rotatedAt?: number;
  /** When its deletion was asked for. */
  deletedAt?: number;
  /** When it goes for good. */
  purgeAt?: number;
  /** Undefined until the first tag is set. */
  tags?: Tag[];
  /** Version by staging label. */
  stages: Record<string, string>;
  rotation?: RotationRecord;
  policy?: string;
  replicas?: ReplicaRecord[];
  /** Region of the secret that this one is a replica of. */
  primaryRegion?: string;
}

/** What a version holds. Binary values are base64. */
export type SecretValue = { string: string } | { binary: string };

/** A value encrypted with a data key of a customer's KMS key. */
export interface SealedValue {
  /** The data key as KMS encrypted it, base64. */
  dataKey: string;
  /** ARN of the KMS key that encrypted it, without which other accounts' callers cannot have it decrypted. */
  keyArn?: string;
  /** Initialization vector, authentication tag and ciphertext, base64. */
  sealed: string;
}

/** A version of a secret, kept by the secret's name and its id. */
export interface VersionRecord {
  secret: string;
  id: string;
  createdAt: number;
  accessedAt?: number;
  /** Undefined for the default key. */
  kmsKeyId?: string;
  /** Undefined for one that a rotation function has yet to fill. */
  value?: SecretValue | SealedValue;
  /** Tells whether another value is the same without opening it. */
  fingerprint?: string;
}

export const secretCollection = defineCollection<SecretRecord>('secrets', 'region');
export const versionCollection = defineCollection<VersionRecord>('versions', 'region', {
  content: ['value'],
  ownerOf: (key) => key.slice(0, key.indexOf(' ')),
});

/** Everything Secrets Manager keeps. */
export const collections = [secretCollection, versionCollection];
