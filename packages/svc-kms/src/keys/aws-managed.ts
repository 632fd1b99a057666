import { rootOf } from '@emu/core/service';
import type { Key } from '../records.ts';
import { DAY, type KmsState } from '../state.ts';
import { newKeyRecord } from './new-key.ts';

/** Services whose AWS managed key is created at its first use. */
const SERVICES = new Set(
  (
    'acm backup codeartifact codecommit connect dms dynamodb ebs ecr elasticfilesystem es fsx glue kinesis kinesisvideo ' +
    'lambda lex lightsail mgn neptune rds redshift s3 secretsmanager ses sns sqs ssm workmail workspaces xray'
  ).split(' '),
);

/** Aliases that exist in every account and region before their keys. The key is created when the alias is looked up. */
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

/** Subjects of key descriptions that differ from the service's lower-case name. */
const PROTECTED: Readonly<Record<string, string>> = { dynamodb: 'DynamoDB data', s3: 'S3 objects' };

/**
 * Returns the AWS managed key of an alias, creating it at its first use.
 * @param alias e.g. `alias/aws/s3`
 * @returns undefined for an unknown alias
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
  // Another request may have created the key meanwhile.
  const taken = state.aliases.get(alias);
  if (taken) return state.find(taken.keyId);
  state.aliases.put(alias, { name: alias, keyId: record.id, createdAt: now, updatedAt: now });
  return state.add({ ...record, rotation: { periodDays: 365, nextAt: now + 365 * DAY } });
}
