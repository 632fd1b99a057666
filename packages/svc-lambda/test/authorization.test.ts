import { Lambda } from '@aws-sdk/client-lambda';
import { createTestEmulator, type PolicyStatement, type TestEmulator, TestIdentities } from '@emu/gateway/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { arn, BASE, CODE } from './support.ts';

const ACCOUNT = '000000000000';
const OTHER = '000000000002';

let identities: TestIdentities;
let emulator: TestEmulator;
let root: Lambda;

const allow = (
  Action: string | string[],
  Resource: string | string[],
  rest: PolicyStatement = {},
): PolicyStatement => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...rest,
});

beforeEach(async () => {
  identities = new TestIdentities();
  identities.role('lambda', { accountId: ACCOUNT });
  emulator = await createTestEmulator({
    manifests: [manifest, identities.manifest],
    settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } },
  });
  root = new Lambda(emulator.clientConfig({ accessKeyId: ACCOUNT }));
  await root.createFunction({ ...BASE, FunctionName: 'fn', Tags: { team: 'blue' }, Publish: true });
});
afterEach(() => emulator.close());

const as = (name: string, may: PolicyStatement[] = [], accountId = ACCOUNT): Lambda =>
  new Lambda(emulator.clientConfig(identities.user(emulator, name, { may, accountId })));
const denied = { name: 'AccessDeniedException' };

test("requires the operation's action on the function, version or alias", async () => {
  const FunctionName = 'fn';
  await expect(as('jane').getFunction({ FunctionName })).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: `User: arn:aws:iam::${ACCOUNT}:user/jane is not authorized to perform: lambda:GetFunction on resource: ${arn('function:fn')} because no identity-based policy allows the lambda:GetFunction action`,
    $metadata: expect.objectContaining({ httpStatusCode: 403 }),
  });
  const may = as('jane', [allow('lambda:GetFunction', arn('function:fn:1'))]);
  await may.getFunction({ FunctionName, Qualifier: '1' });
  await may.getFunction({ FunctionName: 'fn:1' });
  await expect(may.getFunction({ FunctionName })).rejects.toMatchObject(denied);
  await expect(may.listFunctions({})).rejects.toMatchObject(denied);
  await as('jane', [allow('lambda:List*', '*')]).listFunctions({});
});

test('supports conditions on tags, layers and principals', async () => {
  const blue = { Condition: { StringEquals: { 'aws:ResourceTag/team': 'blue' } } };
  await as('jane', [allow('lambda:*', '*', blue)]).getFunction({ FunctionName: 'fn' });
  const red = { Condition: { StringEquals: { 'aws:ResourceTag/team': 'red' } } };
  await expect(as('jane', [allow('lambda:*', '*', red)]).getFunction({ FunctionName: 'fn' })).rejects.toMatchObject(
    denied,
  );
  const onlyS3 = { Condition: { StringEquals: { 'lambda:Principal': 's3.amazonaws.com' } } };
  const jane = as('jane', [allow('lambda:AddPermission', '*', onlyS3)]);
  const permission = { FunctionName: 'fn', StatementId: 's', Action: 'lambda:InvokeFunction' };
  await expect(jane.addPermission({ ...permission, Principal: '*' })).rejects.toMatchObject(denied);
  await jane.addPermission({ ...permission, Principal: 's3.amazonaws.com' });
});

test('creating a function requires permission to pass its role and use its layers', async () => {
  const { LayerVersionArn } = await root.publishLayerVersion({ LayerName: 'tools', Content: { ZipFile: CODE } });
  const input = { ...BASE, FunctionName: 'new', Layers: [LayerVersionArn!] };
  const steps: PolicyStatement[] = [
    allow('lambda:CreateFunction', '*'),
    allow('iam:PassRole', BASE.Role, {
      Condition: { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } },
    }),
    allow('lambda:GetLayerVersion', LayerVersionArn!),
  ];
  for (const missing of steps)
    await expect(
      as(
        'jane',
        steps.filter((step) => step !== missing),
      ).createFunction(input),
    ).rejects.toMatchObject(denied);
  await as('jane', steps).createFunction(input);
});

test('a function policy grants access to other accounts', async () => {
  const FunctionName = arn('function:fn');
  const other = as('bob', [allow('lambda:*', '*')], OTHER);
  await expect(other.getFunction({ FunctionName })).rejects.toMatchObject({
    message: expect.stringContaining('because no resource-based policy allows the lambda:GetFunction action'),
  });
  const permission = { StatementId: 'other', Action: 'lambda:GetFunction', Principal: OTHER };
  await root.addPermission({ FunctionName, ...permission });
  await other.getFunction({ FunctionName });
  // The function's policy does not apply to its versions.
  await expect(other.getFunction({ FunctionName, Qualifier: '1' })).rejects.toMatchObject(denied);
  await root.removePermission({ FunctionName, StatementId: 'other' });
  await expect(other.getFunction({ FunctionName })).rejects.toMatchObject(denied);
});

test('rejects missing functions of other accounts like unshared ones', async () => {
  const other = as('bob', [allow('lambda:*', '*')], OTHER);
  for (const name of ['function:fn', 'function:none', 'function:none:live'])
    await expect(other.getFunction({ FunctionName: arn(name) })).rejects.toMatchObject({
      message: `User: arn:aws:iam::${OTHER}:user/bob is not authorized to perform: lambda:GetFunction on resource: ${arn(name)} because no resource-based policy allows the lambda:GetFunction action`,
    });
});

test('supports conditions on tags in requests', async () => {
  const Resource = arn('function:fn');
  const green = { Condition: { StringEquals: { 'aws:RequestTag/team': 'green', 'aws:ResourceTag/team': 'blue' } } };
  const jane = as('jane', [allow('lambda:TagResource', Resource, green)]);
  await expect(jane.tagResource({ Resource, Tags: { team: 'red' } })).rejects.toMatchObject(denied);
  await jane.tagResource({ Resource, Tags: { team: 'green' } });
  await expect(jane.tagResource({ Resource, Tags: { team: 'green' } })).rejects.toMatchObject(denied);
  const team = { Condition: { 'ForAllValues:StringEquals': { 'aws:TagKeys': ['team'] } } };
  const ann = as('ann', [allow('lambda:UntagResource', Resource, team)]);
  await expect(ann.untagResource({ Resource, TagKeys: ['team', 'stage'] })).rejects.toMatchObject(denied);
  await ann.untagResource({ Resource, TagKeys: ['team'] });
});

test('supports resources other than functions', async () => {
  const jane = as('jane', [
    allow(['lambda:PublishLayerVersion', 'lambda:GetLayerVersion'], [arn('layer:own'), arn('layer:own:*')]),
    allow('lambda:CreateCodeSigningConfig', '*'),
    allow('lambda:GetCodeSigningConfig', arn('code-signing-config:*')),
  ]);
  await jane.publishLayerVersion({ LayerName: 'own', Content: { ZipFile: CODE } });
  await jane.getLayerVersion({ LayerName: 'own', VersionNumber: 1 });
  await expect(jane.publishLayerVersion({ LayerName: 'other', Content: { ZipFile: CODE } })).rejects.toMatchObject(
    denied,
  );
  const { CodeSigningConfig } = await jane.createCodeSigningConfig({
    AllowedPublishers: { SigningProfileVersionArns: ['arn:aws:signer:us-east-1:000000000000:/signing-profiles/p/1'] },
  });
  const { CodeSigningConfigArn } = CodeSigningConfig!;
  await jane.getCodeSigningConfig({ CodeSigningConfigArn });
  await expect(jane.deleteCodeSigningConfig({ CodeSigningConfigArn })).rejects.toMatchObject(denied);
});
