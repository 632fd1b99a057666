import { rootOf } from '@emu/core';
import type { Key } from '../records.ts';
import { DAY, type KmsState } from '../state.ts';
import { newKeyRecord } from './new-key.ts';

/** Services whose AWS managed key comes to be when it is first used. */
const SERVICES = new Set(
  (
    'acm backup codeartifact codecommit connect dms dynamodb ebs elasticfilesystem es fsx glue kinesis kinesisvideo ' +
    'lambda lex lightsail mgn neptune rds redshift s3 secretsmanager ses sns sqs ssm workmail workspaces xray'
  ).split(' '),
);

/** Aliases that every account and region has before they have a key: looking one up gives it its key. */
export const PREDEFINED_ALIASES: readonly string[] = [
  'dynamodb',
  'ebs',
  'elasticfilesystem',
  'es',
  'glue',
  'kinesisvideo',
  'rds',
  'redshift',
  's3',
  'ssm',
  'xray',
].map((service) => `alias/aws/${service}`);

/** What keys protect, where it is not the data of the service by its name in lower case. */
const PROTECTED: Readonly<Record<string, string>> = { dynamodb: 'DynamoDB data', s3: 'S3 objects' };

/**
 * The AWS managed key behind an alias of AWS's, made at its first use.
 * @param alias e.g. `alias/aws/s3`
 * @returns undefined where there is no such alias
 */
export async function managedKeyFor(alias: string, accountId: string, state: KmsState): Promise<Key | undefined> {
  const [, service] = /^alias\/aws\/(.+)$/.exec(alias) ?? [];
  if (service === undefined || !SERVICES.has(service)) return undefined;
  const policy = JSON.stringify({
    Version: '2012-10-17',
    Id: `auto-${service}-1`,
    Statement: [
      {
        Sid: `Allow access through ${service} for all principals in the account that are authorized to use it`,
        Effect: 'Allow',
        Principal: { AWS: '*' },
        Action: [
          'kms:Encrypt',
          'kms:Decrypt',
          'kms:ReEncrypt*',
          'kms:GenerateDataKey*',
          'kms:CreateGrant',
          'kms:DescribeKey',
        ],
        Resource: '*',
        Condition: {
          StringEquals: {
            'kms:CallerAccount': accountId,
            'kms:ViaService': `${service}.${state.region}.amazonaws.com`,
          },
        },
      },
      {
        Sid: 'Allow direct access to key metadata to the account',
        Effect: 'Allow',
        Principal: { AWS: rootOf(accountId, state.region).arn },
        Action: ['kms:Describe*', 'kms:Get*', 'kms:List*', 'kms:RevokeGrant'],
        Resource: '*',
      },
    ],
  });
  const now = state.clock.now();
  const record = await newKeyRecord(state, {
    spec: 'SYMMETRIC_DEFAULT',
    usage: 'ENCRYPT_DECRYPT',
    manager: 'AWS',
    description: `Default key that protects my ${PROTECTED[service] ?? `${service} data`} when no other key is defined`,
    policy,
  });
  // Another request may have been first while this one's key was made.
  const taken = state.aliases.get(alias);
  if (taken) return state.find(taken.keyId);
  state.aliases.put(alias, { name: alias, keyId: record.id, createdAt: now, updatedAt: now });
  return state.add({ ...record, rotation: { periodDays: 365, nextAt: now + 365 * DAY } });
}
