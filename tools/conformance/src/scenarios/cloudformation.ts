import * as sdk from '@aws-sdk/client-cloudformation';
import * as sqs from '@aws-sdk/client-sqs';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-cloudformation/model/cloudformation.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const queue = (Properties: object = {}) => ({ Type: 'AWS::SQS::Queue', Properties });
const body = (Resources: object, more: object = {}) => JSON.stringify({ Resources, ...more });
/** A template with an export and a parameter. */
const known = (value: string) =>
  body(
    { Queue: queue({ DelaySeconds: value }) },
    {
      Parameters: { Name: { Type: 'String', Default: 'a' } },
      Outputs: { Name: { Value: { Ref: 'Name' }, Export: { Name: 'exported' } } },
    },
  );
/** The same, with a description. */
const described = known('4').replace('{', '{"Description":"new",');
/** A template that takes the export, and tells it by another name. */
const importing = (name: string) =>
  body(
    { Queue: queue({ DelaySeconds: 2 }) },
    { Outputs: { Taken: { Value: { 'Fn::ImportValue': 'exported' }, Export: { Name: name } } } },
  );
/** A template with a parameter and nothing that others could have too. */
const named = body(
  { Queue: queue({ Tags: [{ Key: 'name', Value: { Ref: 'Name' } }] }) },
  { Parameters: { Name: { Type: 'String', Default: 'a' } } },
);
/** A template with a resource that stays, and one that cannot be made. */
const failing = body({
  Kept: { ...queue(), DeletionPolicy: 'Retain' },
  Queue: { ...queue({ DelaySeconds: 99_999 }), DependsOn: 'Kept' },
});
/** A template that needs a capability. */
const policies = body({
  Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { Statement: [] } } },
});
/** A template that a transform changes. */
const extended = body(
  { Queue: queue({ DelaySeconds: { 'Fn::Length': [1, 2] } }) },
  { Transform: 'AWS::LanguageExtensions' },
);
/** A template of a stack that waits for a long time once it has changed its queue. */
const waiting = body({
  Queue: queue({ DelaySeconds: 3 }),
  Handle: { Type: 'AWS::CloudFormation::WaitConditionHandle' },
  Wait: {
    Type: 'AWS::CloudFormation::WaitCondition',
    DependsOn: 'Queue',
    Properties: { Handle: { Ref: 'Handle' }, Timeout: '40000' },
  },
});
const signalled = body({
  Queue: { ...queue(), CreationPolicy: { ResourceSignal: { Count: 1, Timeout: 'PT10H' } } },
});
/** A template with a type that nobody has. */
const UNKNOWN_TYPE = body({ Queue: queue(), Other: { Type: 'AWS::Shop::Item' } });
const LENIENT = { TreatUnrecognizedResourceTypesAsWarnings: true };
const PARAMETERS = [
  [{ ParameterKey: 'Name', ParameterValue: 'b' }],
  [{ ParameterKey: 'Name', UsePreviousValue: true }],
];
const POLICY = JSON.stringify({ Statement: [{ Effect: 'Allow', Action: 'Update:*', Principal: '*', Resource: '*' }] });

/** Waits until nothing is done with a stack any more. */
async function settled(send: Send, StackName: string): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    const { Stacks } = (await send('DescribeStacks', { StackName })) as { Stacks: { StackStatus: string }[] };
    if (!Stacks[0]!.StackStatus.endsWith('_IN_PROGRESS')) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${StackName} does not settle`);
}

/** Waits until a resource of a stack has begun, and everything that goes on beside it. */
async function begun(send: Send, StackName: string, LogicalResourceId: string): Promise<void> {
  for (let turn = 0, after = 0; turn < 1000; turn++) {
    const { StackResources } = (await send('DescribeStackResources', { StackName })) as {
      StackResources: { LogicalResourceId: string; PhysicalResourceId?: string }[];
    };
    const resource = StackResources.find((one) => one.LogicalResourceId === LogicalResourceId);
    if (resource?.PhysicalResourceId && ++after === 10) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${LogicalResourceId} does not begin`);
}

/** Makes a stack, or changes one, and waits until it is as it is to stay. */
async function stack(send: Send, operation: string, StackName: string, more: object): Promise<void> {
  await send(operation, { StackName, ...more });
  await settled(send, StackName);
}

/** Stacks with what operations read. */
async function setUp(send: Send): Promise<Facts> {
  await stack(send, 'CreateStack', 'known', { TemplateBody: known('1'), Tags: [{ Key: 'a', Value: 'b' }] });
  await send('CreateChangeSet', { StackName: 'known', ChangeSetName: 'change', TemplateBody: known('2') });
  await stack(send, 'CreateStack', 'importer', { TemplateBody: importing('taken') });
  await stack(send, 'CreateStack', 'half', { TemplateBody: failing, DisableRollback: true });
  await stack(send, 'CreateStack', 'extended', { TemplateBody: extended });
  await send('CreateChangeSet', { StackName: 'extended', ChangeSetName: 'failing', TemplateBody: failing });
  return {};
}

/** A stack whose update waits. */
async function changing(send: Send): Promise<Facts> {
  await stack(send, 'CreateStack', 'changing', { TemplateBody: body({ Queue: queue() }) });
  await send('UpdateStack', { StackName: 'changing', TemplateBody: waiting });
  await begun(send, 'changing', 'Wait');
  return {};
}

/** A stack whose queue somebody deleted before its update was rolled back. */
async function stuck(send: Send): Promise<Facts> {
  await changing(send);
  const { StackResourceDetail } = (await send('DescribeStackResource', {
    StackName: 'changing',
    LogicalResourceId: 'Queue',
  })) as { StackResourceDetail: { PhysicalResourceId: string } };
  await send('SQS.DeleteQueue', { QueueUrl: StackResourceDetail.PhysicalResourceId });
  await send('CancelUpdateStack', { StackName: 'changing' });
  await settled(send, 'changing');
  return {};
}

/** A stack whose resource waits for a signal. */
async function unsignalled(send: Send): Promise<Facts> {
  await send('CreateStack', { StackName: 'signalled', TemplateBody: signalled });
  await begun(send, 'signalled', 'Queue');
  return {};
}

/** Every stack with its events, resources, change sets and policy. */
async function observe(send: Send): Promise<unknown> {
  const { StackSummaries } = (await send('ListStacks', {})) as {
    StackSummaries: { StackId: string; StackStatus: string }[];
  };
  return Promise.all(
    StackSummaries.map(async ({ StackId: StackName }) => {
      const { $metadata: _, ...policy } = await send('GetStackPolicy', { StackName });
      const { Stacks } = await send('DescribeStacks', { StackName });
      const { Summaries } = await send('ListChangeSets', { StackName });
      const { StackEvents } = await send('DescribeStackEvents', { StackName });
      return [Stacks, Summaries, policy, StackEvents];
    }),
  );
}

/** What comes of a stack, and whether it can be deleted then. */
const ending =
  (name?: string) =>
  async (send: Send, _: Facts, { StackId }: Record<string, unknown>): Promise<unknown> => {
    const StackName = name ?? (StackId as string);
    await settled(send, StackName);
    const { StackResourceSummaries } = await send('ListStackResources', { StackName });
    await send('DeleteStack', { StackName });
    return StackResourceSummaries;
  };

/** What comes of a change set. */
async function carriedOut(send: Send, _: Facts, { Id, StackId }: Record<string, unknown>): Promise<unknown> {
  for (let turn = 0; turn < 1000; turn++) {
    const { Status } = await send('DescribeChangeSet', { ChangeSetName: Id });
    if (!/_(PENDING|IN_PROGRESS)$/.test(Status as string)) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await send('ExecuteChangeSet', { ChangeSetName: Id });
  await settled(send, StackId as string);
  return send('ListStackResources', { StackName: StackId });
}

const updated = (send: Send): Promise<void> =>
  stack(send, 'UpdateStack', 'known', { TemplateBody: known('4'), Tags: [{ Key: 'new', Value: 'x' }] });
const change = () => ({ StackName: 'known', ChangeSetName: 'change' });

/** AWS CloudFormation. */
export const cloudformation: Scenario = {
  service: 'cloudformation',
  others: ['iam', 'sqs'],
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const config = { ...emulator.clientConfig(), maxAttempts: 1 };
    const own = sender(new sdk.CloudFormationClient(config) as never, sdk);
    const queues = sender(new sqs.SQSClient(config) as never, sqs);
    return (operation, input) =>
      operation.startsWith('SQS.') ? queues(operation.slice('SQS.'.length), input) : own(operation, input);
  },
  setUp,
  observe,
  inputs: {
    CancelUpdateStack: () => ({ StackName: 'changing' }),
    ContinueUpdateRollback: () => ({ StackName: 'changing', ResourcesToSkip: ['Queue'] }),
    CreateChangeSet: () => ({ StackName: 'known', ChangeSetName: 'new', TemplateBody: known('3') }),
    CreateStack: () => ({ StackName: 'new', TemplateBody: body({ Queue: queue() }) }),
    DeleteChangeSet: change,
    DeleteStack: () => ({ StackName: 'importer' }),
    DescribeAccountLimits: () => ({}),
    DescribeChangeSet: change,
    DescribeStackEvents: () => ({ StackName: 'known' }),
    DescribeStackResource: () => ({ StackName: 'known', LogicalResourceId: 'Queue' }),
    DescribeStackResources: () => ({ StackName: 'known' }),
    DescribeStacks: () => ({ StackName: 'known' }),
    ExecuteChangeSet: change,
    GetStackPolicy: () => ({ StackName: 'known' }),
    GetTemplate: () => ({ StackName: 'known' }),
    GetTemplateSummary: () => ({ StackName: 'known' }),
    ListChangeSets: () => ({ StackName: 'known' }),
    ListExports: () => ({}),
    ListImports: () => ({ ExportName: 'exported' }),
    ListStackResources: () => ({ StackName: 'known' }),
    ListStacks: () => ({}),
    RollbackStack: () => ({ StackName: 'half' }),
    SetStackPolicy: () => ({ StackName: 'known', StackPolicyBody: POLICY }),
    SignalResource: () => ({ StackName: 'signalled', LogicalResourceId: 'Queue', UniqueId: 'u', Status: 'SUCCESS' }),
    UpdateStack: () => ({ StackName: 'known', TemplateBody: known('3') }),
    UpdateTerminationProtection: () => ({ StackName: 'importer', EnableTerminationProtection: true }),
    ValidateTemplate: () => ({ TemplateBody: known('1') }),
  },
  also: {
    CreateChangeSet: [
      () => ({ StackName: 'extended', ChangeSetName: 'new', TemplateBody: named }),
      () => ({ StackName: 'new', ChangeSetName: 'new', ChangeSetType: 'CREATE', TemplateBody: failing }),
      () => ({ StackName: 'extended', ChangeSetName: 'new', TemplateBody: policies, Capabilities: ['CAPABILITY_IAM'] }),
    ],
    ExecuteChangeSet: [() => ({ StackName: 'extended', ChangeSetName: 'failing' })],
    CreateStack: [
      () => ({ StackName: 'new', TemplateBody: named }),
      () => ({ StackName: 'new', TemplateBody: failing }),
      () => ({ StackName: 'new', TemplateBody: policies, Capabilities: ['CAPABILITY_IAM'] }),
    ],
    GetTemplate: [() => ({ StackName: 'extended' })],
    GetTemplateSummary: [() => ({ TemplateBody: UNKNOWN_TYPE, TemplateSummaryConfig: LENIENT })],
    UpdateStack: [
      () => ({ StackName: 'extended', TemplateBody: named }),
      () => ({ StackName: 'extended', TemplateBody: failing }),
      () => ({ StackName: 'extended', TemplateBody: policies, Capabilities: ['CAPABILITY_IAM'] }),
    ],
  },
  before: { CancelUpdateStack: changing, ContinueUpdateRollback: stuck, SignalResource: unsignalled },
  live: ['CancelUpdateStack', 'SignalResource'],
  values: {
    'CreateChangeSet.Parameters': PARAMETERS,
    'CreateStack.Parameters': PARAMETERS,
    'UpdateStack.Parameters': PARAMETERS,
  },
  after: {
    CreateStack: ending(),
    CreateChangeSet: carriedOut,
    ExecuteChangeSet: async (send, facts, answer) => [
      await ending('known')(send, facts, answer),
      await ending('extended')(send, facts, answer),
    ],
    RollbackStack: ending(),
    UpdateStack: ending(),
    UpdateTerminationProtection: (send) => send('DeleteStack', { StackName: 'importer' }),
  },
  reads: {
    DescribeAccountLimits: undefined,
    DescribeChangeSet: async (send) => {
      await send('DeleteChangeSet', change());
      await send('CreateChangeSet', { ...change(), TemplateBody: known('5') });
    },
    DescribeStackEvents: updated,
    DescribeStackResource: updated,
    DescribeStackResources: updated,
    DescribeStacks: updated,
    GetStackPolicy: (send) => send('SetStackPolicy', { StackName: 'known', StackPolicyBody: POLICY }),
    GetTemplate: updated,
    GetTemplateSummary: (send) => stack(send, 'UpdateStack', 'known', { TemplateBody: described }),
    ListChangeSets: (send) => send('DeleteChangeSet', change()),
    ListExports: (send) => stack(send, 'CreateStack', 'other', { TemplateBody: importing('other') }),
    ListImports: (send) => stack(send, 'CreateStack', 'other', { TemplateBody: importing('other') }),
    ListStackResources: updated,
    ListStacks: updated,
    ValidateTemplate: undefined,
  },
};
