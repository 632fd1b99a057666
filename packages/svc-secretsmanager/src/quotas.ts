import { type AnyQuota, defineQuotas, listedQuotas, oneMore, requestRate } from '@emu/core/service';
import type { SecretsmanagerOperations } from '@emu/service-types/secretsmanager';
import { limitExceeded, secretsmanagerError } from './errors.ts';
import { secretType } from './resources.ts';
import type { SecretsState } from './state.ts';

type Operation = keyof SecretsmanagerOperations;

const PAGE = 'https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html';
const facts = (code: string, name: string, defaultValue: number) => ({
  serviceCode: 'secretsmanager',
  code,
  name,
  defaultValue,
  adjustable: false,
  page: PAGE,
});

/** A rate shared by operations. */
const rate = (code: string, perSecond: number, name: string, operations: readonly Operation[]) =>
  requestRate<SecretsmanagerOperations, SecretsState>(facts(code, `${name} API requests`, perSecond), operations, () =>
    secretsmanagerError('ThrottlingException', 'Rate exceeded', { status: 400 }),
  );

const own = (code: string, perSecond: number, operation: Operation) =>
  rate(code, perSecond, `Rate of ${operation}`, [operation]);

/** Quotas of Secrets Manager that emu can enforce. */
export const quotas: readonly AnyQuota[] = defineQuotas<SecretsmanagerOperations, SecretsState>([
  {
    ...facts('L-2F66C23C', 'Secrets', 500_000),
    usage: (state) => secretType.count(state),
    grows: { CreateSecret: oneMore(secretType) },
    error: (limit) => limitExceeded(`You can't have more than ${limit} secrets in a region.`),
  },
  rate(
    'L-8D82A813',
    50,
    'Combined rate of DeleteResourcePolicy, GetResourcePolicy, PutResourcePolicy, and ValidateResourcePolicy',
    ['DeleteResourcePolicy', 'GetResourcePolicy', 'PutResourcePolicy', 'ValidateResourcePolicy'],
  ),
  rate(
    'L-8D63BBB6',
    50,
    'Combined rate of PutSecretValue, RemoveRegionsFromReplication, ReplicateSecretToRegion, StopReplicationToReplica, UpdateSecret, and UpdateSecretVersionStage',
    [
      'PutSecretValue',
      'RemoveRegionsFromReplication',
      'ReplicateSecretToRegions',
      'StopReplicationToReplica',
      'UpdateSecret',
      'UpdateSecretVersionStage',
    ],
  ),
  rate('L-7E29BE3F', 50, 'Combined rate of RestoreSecret', ['RestoreSecret']),
  rate('L-8679C9D9', 50, 'Combined rate of RotateSecret and CancelRotateSecret', [
    'RotateSecret',
    'CancelRotateSecret',
  ]),
  rate('L-BC8DD7C4', 50, 'Combined rate of TagResource and UntagResource', ['TagResource', 'UntagResource']),
  own('L-F452D4B5', 100, 'BatchGetSecretValue'),
  own('L-CBA4CAC4', 50, 'CreateSecret'),
  own('L-BF57D437', 50, 'DeleteSecret'),
  own('L-6A9CA93A', 50, 'GetRandomPassword'),
  own('L-7DA53705', 50, 'ListSecretVersionIds'),
  own('L-FC17872E', 100, 'ListSecrets'),
  own('L-2D877201', 10_000, 'GetSecretValue'),
  own('L-385CE7B7', 40_000, 'DescribeSecret'),
  ...listedQuotas({ serviceCode: 'secretsmanager', page: PAGE }, [
    ['L-06876EE2', 'Staging labels attached across all versions of a secret', 20],
    ['L-2F24C883', 'Secret value size', 65_536, { unit: 'Bytes' }],
    ['L-7AA14F8F', 'Resource-based policy length', 20_480],
  ]),
]);
