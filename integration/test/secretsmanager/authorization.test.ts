import { KMS } from '@aws-sdk/client-kms';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { createLogger } from '@emu/core';
import { type PolicyStatement, policyText, TestIdentities } from '@emu/gateway/testing';
import { manifest as kmsManifest } from '@emu/svc-kms/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SecretsState } from '../../../packages/svc-secretsmanager/src/state.ts';
import {
  ACCOUNT,
  failureOf,
  REGION,
  type SecretsTest,
  startSecrets,
} from '../../../packages/svc-secretsmanager/test/support.ts';

let run: SecretsTest;
let identities: TestIdentities;
let arn: string;
beforeEach(async () => {
  identities = new TestIdentities();
  run = await startSecrets({
    manifests: [identities.manifest, kmsManifest, lambdaManifest],
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const { ARN } = await run.secrets.createSecret({
    Name: 'app',
    SecretString: 'x',
    Tags: [{ Key: 'team', Value: 'blue' }],
  });
  arn = ARN!;
});
afterEach(() => run[Symbol.asyncDispose]());

const as = (name: string, may: PolicyStatement[] = [], accountId = ACCOUNT) =>
  new SecretsManager(run.emulator.clientConfig(identities.user(run.emulator, name, { may, accountId })));
const allow = (Action: string | string[], rest: PolicyStatement = {}): PolicyStatement => ({
  Effect: 'Allow',
  Action,
  Resource: '*',
  ...rest,
});
const read = (secrets: SecretsManager, input: object = {}) => secrets.getSecretValue({ SecretId: arn, ...input });

test('identity policies apply by ARN, label and tags', async () => {
  expect(await failureOf(read(as('nobody')))).toBe(
    `AccessDeniedException: User: arn:aws:iam::${ACCOUNT}:user/nobody is not authorized to perform: secretsmanager:GetSecretValue on resource: ${arn} because no identity-based policy allows the secretsmanager:GetSecretValue action`,
  );
  const Resource = `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:app-??????`;
  expect((await read(as('a', [allow('secretsmanager:GetSecretValue', { Resource })]))).SecretString).toBe('x');
  const current = { StringEquals: { 'secretsmanager:VersionStage': 'AWSCURRENT' } };
  const labelled = as('b', [allow('secretsmanager:GetSecretValue', { Condition: current })]);
  expect(await failureOf(read(labelled))).toMatch(/^AccessDenied/);
  await read(labelled, { VersionStage: 'AWSCURRENT' });
  const tagged = { StringEquals: { 'aws:ResourceTag/team': 'blue' } };
  await read(as('c', [allow('secretsmanager:*', { Condition: tagged })]));
  const red = { StringEquals: { 'secretsmanager:ResourceTag/team': 'red' } };
  expect(await failureOf(read(as('d', [allow('secretsmanager:*', { Condition: red })])))).toMatch(/^AccessDenied/);
});

test('creating a secret with tags requires permission to tag', async () => {
  const create = (secrets: SecretsManager, Name: string) =>
    secrets.createSecret({ Name, Tags: [{ Key: 'team', Value: 'red' }] });
  expect(await failureOf(create(as('a', [allow('secretsmanager:CreateSecret')]), 'one'))).toMatch(/TagResource/);
  await create(as('b', [allow(['secretsmanager:CreateSecret', 'secretsmanager:TagResource'])]), 'two');
  const named = as('c', [allow('secretsmanager:*', { Condition: { StringLike: { 'secretsmanager:Name': 'dev/*' } } })]);
  await create(named, 'dev/three');
  expect(await failureOf(create(named, 'prod/three'))).toMatch(/^AccessDenied/);
});

test('the policy of a secret admits other accounts', async () => {
  const other = as('mallory', [allow('secretsmanager:GetSecretValue')], '000000000002');
  expect(await failureOf(read(other))).toMatch(/^AccessDenied/);
  await run.secrets.putResourcePolicy({
    SecretId: arn,
    ResourcePolicy: policyText([allow('secretsmanager:GetSecretValue', { Principal: { AWS: '000000000002' } })]),
  });
  // The AWS managed key does not admit other accounts.
  expect(await failureOf(read(other))).toBe(
    "InvalidRequestException: You can't access a secret from a different AWS account if you encrypt the secret with the default KMS service key.",
  );
  const kms = new KMS(run.emulator.clientConfig());
  const KmsKeyId = (await kms.createKey({})).KeyMetadata!.KeyId!;
  await run.secrets.updateSecret({ SecretId: arn, KmsKeyId });
  expect(await failureOf(read(other))).toBe('AccessDeniedException: Access to KMS is not allowed');
  const shared = [ACCOUNT, '000000000002'].map((AWS) => allow('kms:*', { Principal: { AWS } }));
  await kms.putKeyPolicy({ KeyId: KmsKeyId, Policy: policyText(shared) });
  expect(await failureOf(read(other))).toBe('AccessDeniedException: Access to KMS is not allowed');
  const able = as('eve', [allow(['secretsmanager:GetSecretValue', 'kms:Decrypt'])], '000000000002');
  expect((await read(able)).SecretString).toBe('x');
  expect(await failureOf(other.deleteSecret({ SecretId: arn }))).toMatch(/^AccessDenied/);
});

test('a batch returns readable secrets', async () => {
  await run.secrets.createSecret({ Name: 'other', SecretString: 'y' });
  const some = as('a', [
    allow('secretsmanager:BatchGetSecretValue'),
    allow('secretsmanager:GetSecretValue', { Resource: arn }),
  ]);
  const { SecretValues, Errors } = await some.batchGetSecretValue({ SecretIdList: ['app', 'other'] });
  expect(SecretValues).toMatchObject([{ Name: 'app' }]);
  expect(Errors).toMatchObject([{ SecretId: 'other', ErrorCode: 'AccessDeniedException' }]);
});

test('rejects a secret policy with users and roles that the account lacks', async () => {
  const put = (AWS: string) =>
    run.secrets.putResourcePolicy({
      SecretId: arn,
      ResourcePolicy: policyText([allow('secretsmanager:GetSecretValue', { Principal: { AWS } })]),
    });
  const invalid = 'MalformedPolicyDocumentException: This resource policy contains an unsupported principal.';
  expect(await failureOf(put(`arn:aws:iam::${ACCOUNT}:role/app`))).toBe(invalid);
  expect(await failureOf(put('somebody'))).toBe(invalid);
  await put(identities.role('app'));
  await put('arn:aws:iam::999999999999:user/elsewhere');
  expect((await run.secrets.getResourcePolicy({ SecretId: arn })).ResourcePolicy).toContain('elsewhere');
});

test('configuring a rotation function requires permission to invoke it', async () => {
  const RotationLambdaARN = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:rotate`;
  const rotate = (secrets: SecretsManager) =>
    failureOf(secrets.rotateSecret({ SecretId: arn, RotationLambdaARN, RotationRules: { AutomaticallyAfterDays: 1 } }));
  expect(await rotate(as('a', [allow('secretsmanager:*')]))).toContain(
    `is not authorized to perform: lambda:InvokeFunction on resource: ${RotationLambdaARN}`,
  );
  // The function does not exist.
  expect(await rotate(as('b', [allow(['secretsmanager:*', 'lambda:InvokeFunction'])]))).toBe(
    'AccessDeniedException: Secrets Manager cannot invoke the specified Lambda function. Ensure that the function policy grants access to the principal secretsmanager.amazonaws.com.',
  );
});

test("configuring a partner's rotation requires permission to pass its role", async () => {
  const ExternalSecretRotationRoleArn = identities.role('partner', { accountId: ACCOUNT });
  const rotate = (secrets: SecretsManager) =>
    failureOf(secrets.rotateSecret({ SecretId: arn, ExternalSecretRotationRoleArn }));
  expect(await rotate(as('a', [allow('secretsmanager:*')]))).toContain(
    `is not authorized to perform: iam:PassRole on resource: ${ExternalSecretRotationRoleArn} `,
  );
  expect(await rotate(as('b', [allow(['secretsmanager:*', 'iam:PassRole'])]))).not.toContain('iam:PassRole');
});

test('without enforcement, unknown resources are accepted with a warning', async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => void lines.push(line) });
  const lax = new TestIdentities();
  await using t = await startSecrets({ manifests: [lax.manifest, kmsManifest, lambdaManifest], log });
  await t.secrets.createSecret({ Name: 'app', SecretString: 'x', KmsKeyId: 'alias/none' });
  expect((await t.secrets.getSecretValue({ SecretId: 'app' })).SecretString).toBe('x');
  const nobody = `arn:aws:iam::${ACCOUNT}:role/nobody`;
  const ResourcePolicy = policyText([allow('secretsmanager:GetSecretValue', { Principal: { AWS: nobody } })]);
  await t.secrets.putResourcePolicy({ SecretId: 'app', ResourcePolicy });
  expect((await t.secrets.getResourcePolicy({ SecretId: 'app' })).ResourcePolicy).toBe(ResourcePolicy);
  const Policy = policyText([allow('kms:*', { Principal: { AWS: [nobody, `arn:aws:iam::${ACCOUNT}:root`] } })]);
  const kms = new KMS(t.emulator.clientConfig());
  const { KeyMetadata } = await kms.createKey({ Policy });
  expect((await kms.getKeyPolicy({ KeyId: KeyMetadata!.KeyId! })).Policy).toBe(Policy);
  const RotationLambdaARN = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:none`;
  const RotationRules = { AutomaticallyAfterDays: 1 };
  await t.secrets.rotateSecret({ SecretId: 'app', RotationLambdaARN, RotationRules });
  expect((await t.secrets.describeSecret({ SecretId: 'app' })).RotationEnabled).toBe(true);
  for (const refusal of [
    "EncryptionFailure: Secrets Manager can't encrypt the protected secret text using the provided KMS key.",
    'MalformedPolicyDocumentException: This resource policy contains an unsupported principal.',
    'MalformedPolicyDocumentException: Policy contains a statement with one or more invalid principals.',
    'AccessDeniedException: Secrets Manager cannot invoke the specified Lambda function.',
  ])
    expect(lines).toContainEqual(expect.stringContaining(`AWS would refuse this: ${refusal}`));
});

test('secrets without a key use the AWS managed key', async () => {
  const { usage } = (await run.emulator.control('GET', '/_emulator/kms/usage')).json as {
    usage: { operation: string; keyArn: string }[];
  };
  const { Aliases } = await new KMS(run.emulator.clientConfig()).listAliases({});
  const { TargetKeyId } = Aliases!.find(({ AliasName }) => AliasName === 'alias/aws/secretsmanager')!;
  expect(usage).toMatchObject([
    { operation: 'GenerateDataKey', keyArn: `arn:aws:kms:${REGION}:${ACCOUNT}:key/${TargetKeyId}` },
  ]);
  const { state } = [...run.emulator.kernel.loadedService('secretsmanager')!.states()][0]!;
  expect(JSON.stringify([...(state as SecretsState).versionsOf('app')])).not.toContain('"string"');
  expect((await read(run.secrets)).SecretString).toBe('x');
});
