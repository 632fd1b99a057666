import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { S3 } from '@aws-sdk/client-s3';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, refusal, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

let emulator: TestEmulator;
let cfn: CloudFormation;
let storage: S3;
let packages = 0;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [cloudformation, s3, sns, sqs] });
  cfn = new CloudFormation({ ...emulator.clientConfig(), maxAttempts: 1 });
  storage = new S3(emulator.clientConfig());
  await storage.createBucket({ Bucket: 'modules' });
});
afterAll(() => emulator?.close());

/** Registers a version of a module. @returns the result of the registration */
async function register(TypeName: string, fragment: object, files: Record<string, string> = {}) {
  const Key = `${++packages}.zip`;
  const Body = zipOf({ 'fragments/fragment.json': JSON.stringify(fragment), ...files });
  await storage.putObject({ Bucket: 'modules', Key, Body });
  const { RegistrationToken } = await cfn.registerType({
    Type: 'MODULE',
    TypeName,
    SchemaHandlerPackage: `s3://modules/${Key}`,
  });
  return cfn.describeTypeRegistration({ RegistrationToken });
}

async function settled(StackName: string) {
  for (let turn = 0; turn < 2000; turn++) {
    const { Stacks } = await cfn.describeStacks({ StackName });
    if (!Stacks![0]!.StackStatus!.endsWith('IN_PROGRESS')) return Stacks![0]!;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${StackName} did not settle`);
}

const QUEUE = 'My::Queues::Delayed::MODULE';
const queueFragment = (delay: number) => ({
  Parameters: { Name: { Type: 'String', Description: 'its name' }, Suffix: { Type: 'String', Default: 'jobs' } },
  Conditions: { Named: { 'Fn::Equals': [{ Ref: 'Suffix' }, 'jobs'] } },
  Resources: {
    Dead: { Type: 'AWS::SQS::Queue', Condition: 'Named' },
    Queue: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        QueueName: { 'Fn::Sub': `\${Name}-\${Suffix}` },
        DelaySeconds: delay,
        RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 3 },
      },
    },
  },
  Outputs: { Url: { Value: { Ref: 'Queue' } } },
});
const OUTER = 'My::Queues::Told::MODULE';
const outerFragment = {
  Parameters: { Label: { Type: 'String' } },
  Resources: {
    Inner: { Type: QUEUE, Properties: { Name: { Ref: 'Label' } } },
    Topic: { Type: 'AWS::SNS::Topic', Properties: { DisplayName: { 'Fn::GetAtt': ['Inner.Queue', 'QueueName'] } } },
  },
};

test('registers, versions and deregisters modules', async () => {
  const Name = 'My::Own::Versioned::MODULE';
  const first = await register(Name, queueFragment(1));
  expect(first).toMatchObject({ ProgressStatus: 'COMPLETE' });
  expect(first.TypeVersionArn).toBe(`${first.TypeArn}/00000001`);
  expect(await cfn.describeType({ Type: 'MODULE', TypeName: Name })).toMatchObject({
    DefaultVersionId: '00000001',
    IsDefaultVersion: true,
    Visibility: 'PRIVATE',
    Description: `Schema for Module Fragment of type ${Name}`,
  });
  const second = await register(Name, queueFragment(2));
  expect(await cfn.describeType({ Arn: second.TypeVersionArn })).toMatchObject({ IsDefaultVersion: false });
  await expect(cfn.deregisterType({ Arn: first.TypeVersionArn })).rejects.toThrow(/is the default version/);
  await cfn.setTypeDefaultVersion({ Type: 'MODULE', TypeName: Name, VersionId: '00000002' });
  const { TypeVersionSummaries } = await cfn.listTypeVersions({ Type: 'MODULE', TypeName: Name });
  expect(TypeVersionSummaries!.map(({ VersionId, IsDefaultVersion }) => [VersionId, IsDefaultVersion])).toEqual([
    ['00000001', false],
    ['00000002', true],
  ]);
  await cfn.deregisterType({ Arn: first.TypeVersionArn });
  await cfn.deregisterType({ Type: 'MODULE', TypeName: Name });
  expect(await cfn.describeType({ Type: 'MODULE', TypeName: Name })).toMatchObject({ DeprecatedStatus: 'DEPRECATED' });
  await expect(cfn.deregisterType({ Type: 'MODULE', TypeName: Name })).rejects.toMatchObject({
    name: 'TypeNotFoundException',
  });
  const names = async (DeprecatedStatus: 'LIVE' | 'DEPRECATED') =>
    (await cfn.listTypes({ Type: 'MODULE', DeprecatedStatus })).TypeSummaries!.map(({ TypeName }) => TypeName);
  expect(await names('LIVE')).not.toContain(Name);
  expect(await names('DEPRECATED')).toContain(Name);
});

test('reports why a registration failed, and lists registrations', async () => {
  const Name = 'My::Own::Broken::MODULE';
  const stack = { Resources: { Nested: { Type: 'AWS::CloudFormation::Stack' } } };
  expect(await register(Name, stack)).toMatchObject({
    ProgressStatus: 'FAILED',
    Description: "Template fragment can't contain nested stack.",
  });
  expect(await register(Name, {})).toMatchObject({ ProgressStatus: 'FAILED' });
  const { RegistrationTokenList } = await cfn.listTypeRegistrations({
    TypeName: Name,
    RegistrationStatusFilter: 'FAILED',
  });
  expect(RegistrationTokenList).toHaveLength(2);
  expect((await cfn.listTypeRegistrations({ RegistrationStatusFilter: 'IN_PROGRESS' })).RegistrationTokenList).toEqual(
    [],
  );
  await expect(cfn.describeTypeRegistration({ RegistrationToken: 'none' })).rejects.toMatchObject({
    name: 'CFNRegistryException',
  });
  await expect(
    cfn.registerType({ Type: 'RESOURCE', TypeName: 'My::Own::Thing', SchemaHandlerPackage: 's3://modules/1.zip' }),
  ).rejects.toMatchObject({ name: 'NotImplemented' });
});

test('a stack has the resources of modules, also nested ones, and keeps them with the previous template', async () => {
  await register(QUEUE, queueFragment(1));
  await register(OUTER, outerFragment);
  const template = {
    Parameters: { Label: { Type: 'String', Default: 'shop' } },
    Resources: {
      Told: { Type: OUTER, Properties: { Label: { Ref: 'Label' } } },
      Beside: { Type: 'AWS::SNS::Topic', Properties: { DisplayName: { Ref: 'Told.Topic' } }, DependsOn: 'Told' },
    },
    Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Told', 'InnerQueue.Arn'] } } },
  };
  await cfn.createStack({ StackName: 'shop', TemplateBody: JSON.stringify(template) });
  const made = await settled('shop');
  expect(made.StackStatus).toBe('CREATE_COMPLETE');
  const outputs = Object.fromEntries(made.Outputs!.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  expect(outputs.Arn).toMatch(/:shop-jobs$/);
  const queues = new SQS(emulator.clientConfig());
  const delay = async () =>
    (await queues.getQueueAttributes({ QueueUrl: outputs.ToldInnerUrl!, AttributeNames: ['DelaySeconds'] })).Attributes;
  expect(await delay()).toEqual({ DelaySeconds: '1' });
  const { StackResources } = await cfn.describeStackResources({ StackName: 'shop' });
  expect(StackResources!.map(({ LogicalResourceId, ModuleInfo }) => [LogicalResourceId, ModuleInfo])).toEqual([
    ['Beside', undefined],
    ['ToldInnerDead', { TypeHierarchy: `${QUEUE}/${OUTER}`, LogicalIdHierarchy: 'Inner/Told' }],
    ['ToldInnerQueue', { TypeHierarchy: `${QUEUE}/${OUTER}`, LogicalIdHierarchy: 'Inner/Told' }],
    ['ToldTopic', { TypeHierarchy: OUTER, LogicalIdHierarchy: 'Told' }],
  ]);
  const { StackResourceDrift } = await cfn.detectStackResourceDrift({
    StackName: 'shop',
    LogicalResourceId: 'ToldTopic',
  });
  expect(StackResourceDrift!.ModuleInfo).toEqual({ TypeHierarchy: OUTER, LogicalIdHierarchy: 'Told' });
  await cfn.createChangeSet({
    StackName: 'review',
    ChangeSetName: 'first',
    ChangeSetType: 'CREATE',
    TemplateBody: JSON.stringify(template),
  });
  const { Changes } = await cfn.describeChangeSet({ StackName: 'review', ChangeSetName: 'first' });
  expect(Changes!.map(({ ResourceChange }) => ResourceChange!.ModuleInfo?.LogicalIdHierarchy)).toEqual([
    undefined,
    'Inner/Told',
    'Inner/Told',
    'Told',
  ]);
  const topic = StackResources!.find(({ LogicalResourceId }) => LogicalResourceId === 'ToldTopic')!.PhysicalResourceId;
  const { Attributes } = await new SNS(emulator.clientConfig()).getTopicAttributes({ TopicArn: topic! });
  expect(Attributes).toMatchObject({ DisplayName: 'shop-jobs' });

  const { TypeVersionArn } = await register(QUEUE, queueFragment(7));
  await cfn.setTypeDefaultVersion({ Arn: TypeVersionArn });
  const Tags = [{ Key: 'a', Value: '1' }];
  await cfn.updateStack({ StackName: 'shop', UsePreviousTemplate: true, Tags });
  expect((await settled('shop')).StackStatus).toBe('UPDATE_COMPLETE');
  expect(await delay()).toEqual({ DelaySeconds: '1' });
  await cfn.updateStack({ StackName: 'shop', TemplateBody: JSON.stringify(template), Tags });
  expect((await settled('shop')).StackStatus).toBe('UPDATE_COMPLETE');
  expect(await delay()).toEqual({ DelaySeconds: '7' });
});

test.each([
  ['Parameter Name of module Q must have a value.', {}],
  [`Module Q of type ${QUEUE} has no parameter Other.`, { Name: 'a', Other: 'b' }],
])('rejects invalid uses of a module: %s', async (message, Properties) => {
  await register(QUEUE, queueFragment(1));
  const TemplateBody = JSON.stringify({ Resources: { Q: { Type: QUEUE, Properties } } });
  await expect(cfn.createStack({ StackName: 'refused', TemplateBody })).rejects.toThrow(message);
});

/** Registers a version of a module and makes it the default one. @returns its ARN */
async function inUse(TypeName: string, fragment: object): Promise<string> {
  const { TypeVersionArn } = await register(TypeName, fragment);
  await cfn.setTypeDefaultVersion({ Arn: TypeVersionArn });
  return TypeVersionArn!;
}

test('publishes modules, which other accounts activate and use in templates', async () => {
  const Name = 'My::Shared::Queue::MODULE';
  const named = { Type: 'MODULE' as const, TypeName: Name };
  const other = new CloudFormation({ ...emulator.clientConfig({ accessKeyId: '222222222222' }), maxAttempts: 1 });
  const delayed = (DelaySeconds: number) => ({
    Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds } } },
  });
  const first = await inUse(Name, delayed(1));
  expect(await refusal(cfn.describePublisher({}))).toMatchObject({ name: 'CFNRegistryException' });
  expect(await refusal(cfn.publishType(named))).toMatchObject({
    name: 'CFNRegistryException',
    message: 'This account is not registered as a publisher.',
  });
  expect(await refusal(cfn.registerPublisher({}))).toMatchObject({
    name: 'CFNRegistryException',
    message: 'You must accept the terms and conditions to register as a publisher.',
  });
  const ConnectionArn = 'arn:aws:codestar-connections:us-east-1:000000000000:connection/none';
  expect(await refusal(cfn.registerPublisher({ AcceptTermsAndConditions: true, ConnectionArn }))).toMatchObject({
    message: `The connection ${ConnectionArn} cannot be found.`,
  });
  expect(await refusal(cfn.testType({ Type: 'RESOURCE', TypeName: 'My::Own::Thing' }))).toMatchObject({
    name: 'TypeNotFoundException',
    message: "The type 'My::Own::Thing' cannot be found.",
  });
  const { PublisherId } = await cfn.registerPublisher({ AcceptTermsAndConditions: true });
  expect(PublisherId).toMatch(/^[0-9a-f]{40}$/);
  const west = new CloudFormation({ ...emulator.clientConfig({ region: 'eu-west-1' }), maxAttempts: 1 });
  for (const client of [cfn, west]) {
    expect((await client.registerPublisher({ AcceptTermsAndConditions: true })).PublisherId).toBe(PublisherId);
    expect((await client.describePublisher({})).PublisherId).toBe(PublisherId);
  }
  expect((await other.describePublisher({ PublisherId })).PublisherStatus).toBe('VERIFIED');
  expect(await refusal(other.describePublisher({ PublisherId: 'f'.repeat(40) }))).toMatchObject({
    message: `The publisher ${'f'.repeat(40)} cannot be found.`,
  });

  expect((await cfn.describeType(named)).TypeTestsStatus).toBe('NOT_TESTED');
  expect(await refusal(cfn.publishType(named))).toMatchObject({
    message: `The version 00000001 of ${Name} must have passed its test to be published.`,
  });
  expect((await cfn.testType(named)).TypeVersionArn).toBe(first);
  expect((await cfn.describeType({ Arn: first })).TypeTestsStatus).toBe('PASSED');
  // AWS's message: https://github.com/DataDog/datadog-cloudformation-resources/pull/164
  expect(await refusal(cfn.publishType({ ...named, PublicVersionNumber: '1.0.0' }))).toMatchObject({
    name: 'CFNRegistryException',
    message: "PublicVersionNumber can't be set for publishing a type for the first time",
  });
  const { PublicTypeArn } = await cfn.publishType(named);
  expect(PublicTypeArn).toBe(
    `arn:aws:cloudformation:us-east-1::type/module/${PublisherId}/My-Shared-Queue-MODULE/1.0.0`,
  );
  expect((await cfn.publishType(named)).PublicTypeArn).toBe(PublicTypeArn);

  const open = { ...named, PublisherId: PublisherId! };
  expect(await other.describeType({ Arn: PublicTypeArn! })).toMatchObject({ Visibility: 'PUBLIC', IsActivated: false });
  const { Arn } = await other.activateType({ PublicTypeArn: PublicTypeArn! });
  expect(Arn).toBe('arn:aws:cloudformation:us-east-1:222222222222:type/module/My-Shared-Queue-MODULE');
  const alias = 'Their::Pinned::Queue::MODULE';
  await other.activateType({ ...open, TypeNameAlias: alias, AutoUpdate: false });
  expect(await refusal(other.activateType({ ...open, TypeNameAlias: 'Their::Pinned::Queue' }))).toMatchObject({
    message: 'The alias of a module must end with ::MODULE: Their::Pinned::Queue',
  });
  expect(await refusal(other.setTypeConfiguration({ TypeArn: Arn!, Configuration: '{}' }))).toMatchObject({
    message: `The module ${Name} has no configuration.`,
  });

  await inUse(Name, delayed(2));
  await cfn.testType(named);
  expect(await refusal(cfn.publishType({ ...named, PublicVersionNumber: '0.9.0' }))).toMatchObject({
    message: 'The version 0.9.0 does not come after 1.0.0, the latest one.',
  });
  expect((await cfn.publishType(named)).PublicTypeArn).toMatch(/1\.1\.0$/);
  const versionOf = async (TypeName: string) =>
    (await other.describeType({ Type: 'MODULE', TypeName })).PublicVersionNumber;
  expect([await versionOf(Name), await versionOf(alias)]).toEqual(['1.1.0', '1.0.0']);
  await other.activateType({ ...open, TypeNameAlias: alias, VersionBump: 'MINOR' });
  expect(await versionOf(alias)).toBe('1.1.0');

  await inUse(Name, delayed(3));
  await cfn.testType(named);
  await cfn.publishType({ ...named, PublicVersionNumber: '2.0.0' });
  expect([await versionOf(Name), await versionOf(alias)]).toEqual(['1.1.0', '1.1.0']);
  await other.activateType({ ...open, TypeNameAlias: alias, MajorVersion: 2 });
  expect(await refusal(other.activateType({ ...open, MajorVersion: 3 }))).toMatchObject({
    name: 'TypeNotFoundException',
  });
  expect(
    (await other.listTypeVersions(open)).TypeVersionSummaries!.map(({ PublicVersionNumber: v }) => v).sort(),
  ).toEqual(['1.0.0', '1.1.0', '2.0.0']);
  const { TypeSummaries = [] } = await other.listTypes({ Visibility: 'PRIVATE', Type: 'MODULE' });
  expect(TypeSummaries.map(({ TypeName, PublicVersionNumber }) => [TypeName, PublicVersionNumber])).toEqual([
    [Name, '1.1.0'],
    [alias, '2.0.0'],
  ]);

  await other.createStack({
    StackName: 'shared',
    Capabilities: ['CAPABILITY_AUTO_EXPAND'],
    TemplateBody: JSON.stringify({ Resources: { One: { Type: Name }, Two: { Type: alias } } }),
  });
  for (let turn = 0; turn < 2000; turn++) {
    if ((await other.describeStacks({ StackName: 'shared' })).Stacks![0]!.StackStatus === 'CREATE_COMPLETE') break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { StackResources = [] } = await other.describeStackResources({ StackName: 'shared' });
  const queues = new SQS(emulator.clientConfig({ accessKeyId: '222222222222' }));
  const delays = StackResources.map(async ({ LogicalResourceId, PhysicalResourceId: QueueUrl }) => {
    const { Attributes } = await queues.getQueueAttributes({ QueueUrl, AttributeNames: ['DelaySeconds'] });
    return [LogicalResourceId, Attributes?.DelaySeconds];
  });
  expect((await Promise.all(delays)).sort()).toEqual([
    ['OneQueue', '2'],
    ['TwoQueue', '3'],
  ]);
  await other.deactivateType({ Arn: Arn! });
  expect(await refusal(other.describeType(named))).toMatchObject({ name: 'TypeNotFoundException' });
});
