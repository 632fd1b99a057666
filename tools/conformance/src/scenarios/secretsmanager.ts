import * as sdk from '@aws-sdk/client-secrets-manager';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-secretsmanager/model/secretsmanager.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const WEST = 'us-west-2';
const policy = (principal: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { AWS: principal }, Action: 'secretsmanager:GetSecretValue', Resource: '*' },
    ],
  });
const token = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A package of one empty function. */
const ZIP = Buffer.from(
  'UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAIAAAAaW5kZXguanNQSwECFAMUAAAAAAAAACEAAAAAAAAAAAAAAAAACAAAAAAAAAAAAAAApIEAAAAAaW5kZXguanNQSwUGAAAAAAEAAQA2AAAAJgAAAAAA',
  'base64',
);

/** Creates a secret with two values, a policy, a tag and a replica, and a deleted secret. */
async function setUp(send: Send): Promise<Facts> {
  await send('CreateSecret', {
    Name: 'known',
    SecretString: 'first',
    ClientRequestToken: token(1),
    Tags: [{ Key: 'team', Value: 'a' }],
    AddReplicaRegions: [{ Region: WEST }],
  });
  await send('PutSecretValue', { SecretId: 'known', SecretString: 'second', ClientRequestToken: token(2) });
  await send('PutResourcePolicy', { SecretId: 'known', ResourcePolicy: policy('000000000001') });
  await send('CreateSecret', { Name: 'other', SecretString: 'else' });
  await send('CreateSecret', { Name: 'deleted', SecretString: 'gone' });
  await send('DeleteSecret', { SecretId: 'deleted' });
  return {};
}

const SecretId = 'known';
const of = () => ({ SecretId });

/** Returns the result of an operation, or its error. */
async function told(send: Send, operation: string, input: Record<string, unknown>): Promise<unknown> {
  try {
    const { $metadata: _, ...answer } = await send(operation, input);
    return answer;
  } catch (error) {
    const { name } = error as Error;
    if (name === 'InvalidRequestException' || name === 'ResourceNotFoundException') return name;
    throw error;
  }
}

/** Returns every secret with its versions, values and policies, in both regions. */
async function observe(send: Send): Promise<unknown> {
  const { SecretList } = await send('ListSecrets', { IncludePlannedDeletion: true });
  const secrets = (SecretList as { Name: string }[]).map(({ Name }) =>
    Promise.all([
      told(send, 'DescribeSecret', { SecretId: Name }),
      told(send, 'ListSecretVersionIds', { SecretId: Name, IncludeDeprecated: true }),
      told(send, 'GetSecretValue', { SecretId: Name }),
      told(send, 'GetResourcePolicy', { SecretId: Name }),
    ]),
  );
  return [await Promise.all(secrets), await told(send, 'West.DescribeSecret', of())];
}

const deleteKnown = async (send: Send): Promise<void> => {
  await send('RemoveRegionsFromReplication', { ...of(), RemoveReplicaRegions: [WEST] });
  await send('DeleteSecret', of());
};
const putAnother = (send: Send) => send('PutSecretValue', { ...of(), SecretString: 'third' });
const tagged = (send: Send) => send('TagResource', { ...of(), Tags: [{ Key: 'b', Value: 'c' }] });

/** Creates a function for rotations. */
async function withFunction(send: Send): Promise<Facts> {
  const { FunctionArn } = await send('Lambda.CreateFunction', {
    FunctionName: 'rotate',
    Role: 'arn:aws:iam::123456789012:role/app',
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Code: { ZipFile: ZIP },
  });
  return { lambda: FunctionArn as string };
}
const rotation = (facts: Facts) => ({
  ...of(),
  RotationLambdaARN: facts.lambda,
  RotationRules: { AutomaticallyAfterDays: 30 },
});

/** AWS Secrets Manager. */
export const secretsmanager: Scenario = {
  service: 'secretsmanager',
  others: ['kms', 'lambda'],
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const clientAt = (region?: string): Send =>
      sender(
        new sdk.SecretsManagerClient({
          ...emulator.clientConfig(),
          ...(region !== undefined && { region }),
          maxAttempts: 1,
        }) as never,
        sdk,
      );
    const here = clientAt();
    const west = clientAt(WEST);
    const lambda = async (input: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const { LambdaClient, CreateFunctionCommand } = await import('@aws-sdk/client-lambda');
      const client = new LambdaClient({ ...emulator.clientConfig(), maxAttempts: 1 });
      return { ...(await client.send(new CreateFunctionCommand(input as never))) };
    };
    return (operation, input) => {
      if (operation === 'Lambda.CreateFunction') return lambda(input);
      if (operation === 'StopReplicationToReplica') return west(operation, input);
      return operation.startsWith('West.') ? west(operation.slice('West.'.length), input) : here(operation, input);
    };
  },
  deviations: [{ path: /^name$/, reason: 'names may be as long as CreateSecret takes them' }],
  setUp,
  observe,
  before: {
    RotateSecret: withFunction,
    CancelRotateSecret: async (send) => {
      const facts = await withFunction(send);
      await send('RotateSecret', { ...rotation(facts), RotateImmediately: false });
      return facts;
    },
    DeleteSecret: async (send) => {
      await send('RemoveRegionsFromReplication', { ...of(), RemoveReplicaRegions: [WEST] });
      return {};
    },
  },
  inputs: {
    BatchGetSecretValue: () => ({ SecretIdList: [SecretId] }),
    CancelRotateSecret: of,
    CreateSecret: () => ({ Name: 'new', SecretString: 'x' }),
    DeleteResourcePolicy: of,
    DeleteSecret: of,
    DescribeSecret: of,
    GetResourcePolicy: of,
    GetSecretValue: of,
    ListSecretVersionIds: of,
    PutResourcePolicy: () => ({ ...of(), ResourcePolicy: policy('000000000002') }),
    PutSecretValue: () => ({ ...of(), SecretString: 'x' }),
    RemoveRegionsFromReplication: () => ({ ...of(), RemoveReplicaRegions: [WEST] }),
    ReplicateSecretToRegions: () => ({ ...of(), AddReplicaRegions: [{ Region: 'eu-west-1' }] }),
    RestoreSecret: () => ({ SecretId: 'deleted' }),
    RotateSecret: rotation,
    StopReplicationToReplica: of,
    TagResource: () => ({ ...of(), Tags: [{ Key: 'new', Value: 'x' }] }),
    UntagResource: () => ({ ...of(), TagKeys: ['team'] }),
    UpdateSecret: () => ({ ...of(), Description: 'x' }),
    UpdateSecretVersionStage: () => ({ ...of(), VersionStage: 'mine', MoveToVersionId: token(1) }),
    ValidateResourcePolicy: () => ({ ...of(), ResourcePolicy: policy('000000000001') }),
  },
  also: {
    GetRandomPassword: [() => ({ PasswordLength: 3, RequireEachIncludedType: true })],
    PutResourcePolicy: [() => ({ ...of(), ResourcePolicy: policy('*'), BlockPublicPolicy: true })],
    UpdateSecret: [() => ({ ...of(), SecretString: 'another' })],
    BatchGetSecretValue: [() => ({ Filters: [{ Key: 'name', Values: [SecretId] }] })],
    CreateSecret: [
      () => ({
        Name: 'new',
        SecretString: 'x',
        AddReplicaRegions: [{ Region: 'eu-west-1', KmsKeyId: 'alias/aws/secretsmanager' }],
      }),
    ],
    ListSecrets: [() => ({ Filters: [{ Key: 'name', Values: [SecretId] }] })],
    RotateSecret: [
      (facts) => ({
        ...of(),
        RotationLambdaARN: facts.lambda,
        RotationRules: { ScheduleExpression: 'cron(0 8 1 * ? *)', Duration: '2h' },
      }),
    ],
  },
  values: {
    'GetRandomPassword.ExcludeCharacters': ['abcdefghijklm'],
    'ListSecrets.SortOrder': ['desc'],
    'UpdateSecret.ClientRequestToken': [token(1)],
    'ListSecrets.SortBy': ['name'],
  },
  // Kinds of characters in a password; the characters are random.
  after: {
    GetRandomPassword: async (_send, _facts, { RandomPassword: password }) =>
      [/[0-9]/, /[a-z]/, /[A-Z]/, / /, /[^\w ]/, /[a-m]/].map((kind) => kind.test(String(password))).join(),
  },
  reads: {
    BatchGetSecretValue: putAnother,
    DescribeSecret: tagged,
    GetRandomPassword: undefined,
    GetResourcePolicy: (send) => send('DeleteResourcePolicy', of()),
    GetSecretValue: putAnother,
    ListSecrets: deleteKnown,
    ListSecretVersionIds: putAnother,
    ValidateResourcePolicy: undefined,
  },
};
