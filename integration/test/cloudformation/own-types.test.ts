import { createTestEmulator, type TestEmulator, testProvider, zipOf } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { expect, test } from 'vitest';
import { describeTypes, type Env, typeCase, typeVariant } from './support.ts';

const OTHER = '111122223333';
const template = (delay: number) =>
  JSON.stringify({
    Parameters: { Delay: { Type: 'Number', Default: delay } },
    Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: { Ref: 'Delay' } } } },
  });
const group = (account: string, Regions: string[], delay?: string) => ({
  DeploymentTargets: { Accounts: [account] },
  Regions,
  ...(delay !== undefined && { ParameterOverrides: [{ ParameterKey: 'Delay', ParameterValue: delay }] }),
});
const accountOf = (env: Env) => env.emulator.kernel.settings.accountId;
let names = 0;

const LAMBDA_HOOK = { Type: 'HOOK', TypeName: 'AWS::Hooks::LambdaHook', PublisherId: 'aws-hooks' };
const configuration = (FailureMode: string) =>
  JSON.stringify({
    CloudFormationConfiguration: {
      HookConfiguration: {
        HookInvocationStatus: 'DISABLED',
        FailureMode,
        Properties: { LambdaFunction: 'arn:aws:lambda:us-east-1:000000000000:function:hook' },
      },
    },
  });

/** Creates the package of a module with a queue, in a bucket. */
async function packageOf(env: Env, delay: number) {
  await env.call('s3', 'CreateBucket', { Bucket: 'modules' }).catch(() => undefined);
  const Key = `${++names}.zip`;
  const fragment = { Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: delay } } } };
  const Body = zipOf({ 'fragments/fragment.json': JSON.stringify(fragment) });
  await env.emulator.kernel.callJson('s3', 'PutObject', { Bucket: 'modules', Key, Body: Body.toString('base64') });
  return `s3://modules/${Key}`;
}

async function versionsOf(env: Env) {
  const ModuleName = `My::Queues::Number${++names}::MODULE`;
  const made = async (delay: number) =>
    (await env.make('AWS::CloudFormation::ModuleVersion', { ModuleName, ModulePackage: await packageOf(env, delay) }))
      .id;
  return { ModuleName, one: await made(1), two: await made(2), three: await made(3) };
}

describeTypes(
  [cloudformation, s3, sqs],
  [
    typeCase({
      type: 'AWS::CloudFormation::StackSet',
      needs: async (env) => accountOf(env),
      least: (account) => ({
        StackSetName: 'fleet',
        PermissionModel: 'SELF_MANAGED',
        TemplateBody: template(1),
        StackInstancesGroup: [group(account, ['us-east-1'])],
      }),
      most: (account) => ({
        AdministrationRoleARN: `arn:aws:iam::${account}:role/administration`,
        Capabilities: ['CAPABILITY_IAM'],
        Description: 'queues',
        ExecutionRoleName: 'execution',
        ManagedExecution: { Active: true },
        Parameters: [{ ParameterKey: 'Delay', ParameterValue: '5' }],
        StackInstancesGroup: [group(account, ['us-east-1'], '7'), group(OTHER, ['us-east-1', 'eu-west-1'])],
        Tags: [{ Key: 'a', Value: '1' }],
        TemplateBody: template(2),
      }),
      other: () => ({ StackSetName: 'other' }),
      kept: {
        AdministrationRoleARN: 'an update that leaves it out keeps it',
        ExecutionRoleName: 'an update that leaves it out keeps it',
        Description: 'an update that leaves it out keeps it',
        ManagedExecution: 'an update that leaves it out keeps it',
        Capabilities: 'an update that leaves it out keeps it',
        Parameters: 'an update that leaves it out keeps it',
      },
      untried: {
        AutoDeployment: 'only of sets that an organization manages',
        CallAs: 'only of sets that an organization manages',
        OperationPreferences: 'only says how operations go on',
        TemplateURL: 'instead of a body',
      },
    }),
    typeCase({
      type: 'AWS::CloudFormation::ChangeSet',
      least: () => ({
        StackName: `reviewed-${++names}`,
        ChangeSetName: 'first',
        ChangeSetType: 'CREATE',
        TemplateBody: template(1),
      }),
      other: () => ({
        StackName: `reviewed-${++names}`,
        ChangeSetName: 'second',
        Capabilities: ['CAPABILITY_IAM'],
        Description: 'queues',
        ImportExistingResources: true,
        IncludeNestedStacks: true,
        NotificationARNs: ['arn:aws:sns:us-east-1:123456789012:told'],
        OnStackFailure: 'DELETE',
        RoleARN: 'arn:aws:iam::123456789012:role/deployer',
        Tags: [{ Key: 'a', Value: '1' }],
      }),
      unread: {
        ChangeSetType: 'a change set does not tell it',
        RoleARN: 'a change set does not tell it',
        TemplateBody: 'a change set does not tell it',
      },
      untried: {
        DeploymentMode: 'only of updates',
        TemplateURL: 'instead of a body',
        UsePreviousTemplate: 'only of updates',
      },
    }),
    typeCase({
      type: 'AWS::CloudFormation::GeneratedTemplate',
      least: () => ({ GeneratedTemplateName: `generated-${++names}` }),
      most: () => ({ TemplateConfiguration: { DeletionPolicy: 'DELETE', UpdateReplacePolicy: 'DELETE' } }),
      other: () => ({ GeneratedTemplateName: `generated-${++names}` }),
    }),
    typeCase({
      type: 'AWS::CloudFormation::TypeActivation',
      single: true,
      least: () => ({ Type: 'HOOK', TypeName: 'AWS::Hooks::LambdaHook', PublisherId: 'aws-hooks' }),
      most: () => ({ AutoUpdate: false, ExecutionRoleArn: 'arn:aws:iam::123456789012:role/hooks' }),
      other: () => ({ TypeNameAlias: 'My::Hooks::Own' }),
      kept: { ExecutionRoleArn: 'an activation that leaves it out keeps it' },
      untried: {
        MajorVersion: 'of a hook there is one version; see below',
        PublicTypeArn: 'instead of a name and a publisher',
        VersionBump: 'of a hook there is one version',
      },
    }),
    typeCase({
      type: 'AWS::CloudFormation::HookTypeConfig',
      needs: async (env) => {
        const activate = async (TypeNameAlias: string): Promise<string> =>
          (await env.call('cloudformation', 'ActivateType', { ...LAMBDA_HOOK, TypeNameAlias })).Arn!;
        return { arn: await activate('My::Hooks::One') };
      },
      single: true,
      least: ({ arn }) => ({ TypeArn: arn, ConfigurationAlias: 'default', Configuration: configuration('WARN') }),
      most: () => ({ Configuration: configuration('FAIL') }),
      variants: {
        'by a name': typeVariant({
          needs: (env) =>
            env.call('cloudformation', 'ActivateType', { ...LAMBDA_HOOK, TypeNameAlias: 'My::Hooks::Two' }),
          single: true,
          least: () => ({ TypeName: 'My::Hooks::Two', Configuration: configuration('WARN') }),
          most: () => ({ Configuration: configuration('FAIL') }),
        }),
      },
    }),
    typeCase({
      type: 'AWS::CloudFormation::ModuleVersion',
      needs: async (env) => ({
        ...(await versionsOf(env)),
        first: await packageOf(env, 4),
        second: await packageOf(env, 5),
      }),
      least: ({ ModuleName, first }) => ({ ModuleName, ModulePackage: first }),
      other: ({ second }) => ({ ModulePackage: second }),
      unread: { ModulePackage: 'what was in it is kept, not where it was' },
    }),
  ],
);

/** Functions that create resources and call operations without a case. */
function environment(emulator: TestEmulator) {
  const make = async (type: string, properties: object = {}) => {
    const { provider, ctx } = await testProvider(emulator, type);
    const { identifier } = await provider.create(properties as never, ctx);
    return { id: identifier, attributes: {}, provider, ctx };
  };
  const call = async (service: string, operation: string, input: object) =>
    (await emulator.kernel.callJson(service, operation, input as never)) as Record<string, never>;
  return { make, call };
}

test('a module is tested and published by resources, and remains public when they are deleted', async () => {
  await using emulator = await createTestEmulator({ manifests: [cloudformation, s3, sqs] });
  const { make, call } = environment(emulator);
  const { ModuleName, one } = await versionsOf({ emulator, make, call });
  const publisher = await make('AWS::CloudFormation::Publisher', { AcceptTermsAndConditions: true });
  expect((await publisher.provider.read(publisher.id, publisher.ctx))?.attributes).toEqual({
    PublisherId: publisher.id,
    PublisherStatus: 'VERIFIED',
    IdentityProvider: 'AWS_Marketplace',
  });
  const version = await make('AWS::CloudFormation::PublicTypeVersion', { Arn: one });
  const arn = `arn:aws:cloudformation:us-east-1::type/module/${publisher.id}/${ModuleName.replaceAll('::', '-')}/1.0.0`;
  expect(version.id).toBe(arn);
  const read = () => version.provider.read(version.id, version.ctx);
  const shown = {
    properties: { Type: 'MODULE', TypeName: ModuleName, PublicVersionNumber: '1.0.0' },
    attributes: { PublicTypeArn: arn, PublisherId: publisher.id, TypeVersionArn: arn },
  };
  expect(await read()).toEqual(shown);
  await version.provider.delete(version.id, {}, version.ctx);
  await publisher.provider.delete(publisher.id, {}, publisher.ctx);
  expect(await read()).toEqual(shown);
  const named = { Type: 'MODULE', TypeName: ModuleName, PublicVersionNumber: '1.2.0' };
  await call('cloudformation', 'SetTypeDefaultVersion', {
    Type: 'MODULE',
    TypeName: ModuleName,
    VersionId: '00000002',
  });
  expect((await make('AWS::CloudFormation::PublicTypeVersion', named)).id).toBe(arn.replace('1.0.0', '1.2.0'));

  // An activation uses the version that its resource names.
  const of = {
    Type: 'MODULE',
    TypeName: ModuleName,
    PublisherId: publisher.id,
    TypeNameAlias: 'My::Open::Queue::MODULE',
  };
  const activation = await make('AWS::CloudFormation::TypeActivation', { ...of, AutoUpdate: false });
  const active = async () =>
    (await call('cloudformation', 'DescribeType', { Arn: activation.id })).PublicVersionNumber as unknown;
  expect(await active()).toBe('1.2.0');
  await call('cloudformation', 'SetTypeDefaultVersion', {
    Type: 'MODULE',
    TypeName: ModuleName,
    VersionId: '00000003',
  });
  await make('AWS::CloudFormation::PublicTypeVersion', { ...named, PublicVersionNumber: '2.0.0' });
  expect(await active()).toBe('1.2.0');
  const pinned = { ...of, AutoUpdate: false };
  await activation.provider.update!(activation.id, pinned, { ...pinned, MajorVersion: '2' }, activation.ctx);
  expect(await active()).toBe('2.0.0');
});

test('the default version of a module is set, and remains when its resource is deleted', async () => {
  await using emulator = await createTestEmulator({ manifests: [cloudformation, s3, sqs] });
  const { make, call } = environment(emulator);
  const { ModuleName, two, three } = await versionsOf({ emulator, make, call });
  const inUse = async () =>
    (await call('cloudformation', 'DescribeType', { Type: 'MODULE', TypeName: ModuleName }))
      .DefaultVersionId as unknown;
  const { id, provider, ctx } = await make('AWS::CloudFormation::ModuleDefaultVersion', { Arn: two });
  expect(id).toBe(two);
  expect(await inUse()).toBe('00000002');
  expect(await provider.read(id, ctx)).toEqual({ properties: { Arn: two }, attributes: {} });
  const named = { ModuleName, VersionId: '00000003' };
  expect((await make('AWS::CloudFormation::ModuleDefaultVersion', named)).id).toBe(three);
  expect(await provider.read(id, ctx)).toBeUndefined();
  await provider.delete(three, named, ctx);
  expect(await inUse()).toBe('00000003');
});
