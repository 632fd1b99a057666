import * as sdk from '@aws-sdk/client-cloudformation';
import * as s3 from '@aws-sdk/client-s3';
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
/** A template that imports the export and exports it under another name. */
const importing = (name: string) =>
  body(
    { Queue: queue({ DelaySeconds: 2 }) },
    { Outputs: { Taken: { Value: { 'Fn::ImportValue': 'exported' }, Export: { Name: name } } } },
  );
/** A template with a parameter and no unique names. */
const named = body(
  { Queue: queue({ Tags: [{ Key: 'name', Value: { Ref: 'Name' } }] }) },
  { Parameters: { Name: { Type: 'String', Default: 'a' } } },
);
/** A template with a retained resource, and one that cannot be created. */
const failing = body({
  Kept: { ...queue(), DeletionPolicy: 'Retain' },
  Queue: { ...queue({ DelaySeconds: 99_999 }), DependsOn: 'Kept' },
});
/** A template that requires a capability. */
const policies = body({
  Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { Statement: [] } } },
});
/** A template with a transform. */
const extended = body(
  { Queue: queue({ DelaySeconds: { 'Fn::Length': [1, 2] } }) },
  { Transform: 'AWS::LanguageExtensions' },
);
/** A template of a stack that waits for a long time after updating its queue. */
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
/** A template with an unknown type. */
const UNKNOWN_TYPE = body({ Queue: queue(), Other: { Type: 'AWS::Shop::Item' } });
const LENIENT = { TreatUnrecognizedResourceTypesAsWarnings: true };
const PARAMETERS = [
  [{ ParameterKey: 'Name', ParameterValue: 'b' }],
  [{ ParameterKey: 'Name', UsePreviousValue: true }],
];
const MISSING_ALARM = {
  RollbackTriggers: [{ Arn: 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:none', Type: 'AWS::CloudWatch::Alarm' }],
};
const POLICY = JSON.stringify({ Statement: [{ Effect: 'Allow', Action: 'Update:*', Principal: '*', Resource: '*' }] });

/** Waits until no operation on a stack is in progress. */
async function settled(send: Send, StackName: string): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    const { Stacks } = (await send('DescribeStacks', { StackName })) as { Stacks: { StackStatus: string }[] };
    if (!Stacks[0]!.StackStatus.endsWith('_IN_PROGRESS')) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${StackName} does not settle`);
}

/** Waits until a resource of a stack has started, and other operations have ended. */
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

/** Creates or updates a stack and waits for its final status. */
async function stack(send: Send, operation: string, StackName: string, more: object): Promise<void> {
  await send(operation, { StackName, ...more });
  await settled(send, StackName);
}

const OTHER_ACCOUNT = '111111111111';
const INSTANCES = { StackSetName: 'fleet', Accounts: [OTHER_ACCOUNT], Regions: ['us-west-2'] };
const STACK_SET_VALUES = body(
  { Queue: queue({ DelaySeconds: 1, Tags: [{ Key: 'name', Value: { Ref: 'Name' } }] }) },
  { Parameters: { Name: { Type: 'String', Default: 'a' } } },
);

/** Polls until a response has a final status. */
async function lasting(send: Send, operation: string, input: object, status: (answer: never) => string): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    const answer = await send(operation, input as Record<string, unknown>);
    if (!/^(RUNNING|QUEUED|STOPPING)$|_(PENDING|IN_PROGRESS)$|^IN_PROGRESS$/.test(status(answer as never))) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${operation} does not end`);
}

/** Waits for the end of an operation on a stack set. */
const ended = (send: Send, OperationId: unknown, StackSetName = 'fleet'): Promise<void> =>
  lasting(
    send,
    'DescribeStackSetOperation',
    { StackSetName, OperationId },
    (answer: { StackSetOperation: { Status: string } }) => answer.StackSetOperation.Status,
  );

/** Starts an operation on the stacks of a stack set and waits for it. */
async function fleet(send: Send, operation: string, input: object): Promise<string> {
  const { OperationId } = await send(operation, { StackSetName: 'fleet', ...input });
  await ended(send, OperationId);
  return OperationId as string;
}

/** Starts a drift detection and waits for it. */
async function detected(send: Send): Promise<string> {
  const { StackDriftDetectionId } = await send('DetectStackDrift', { StackName: 'known' });
  await lasting(
    send,
    'DescribeStackDriftDetectionStatus',
    { StackDriftDetectionId },
    ({ DetectionStatus }: { DetectionStatus: string }) => DetectionStatus,
  );
  return StackDriftDetectionId as string;
}

/** Starts a scan and waits for it. */
async function scanned(send: Send, more: object = {}): Promise<string> {
  const { ResourceScanId } = await send('StartResourceScan', { ...more });
  await lasting(send, 'DescribeResourceScan', { ResourceScanId }, ({ Status }: { Status: string }) => Status);
  return ResourceScanId as string;
}

/** Waits for a generated template. */
const written = (send: Send, GeneratedTemplateName: string): Promise<void> =>
  lasting(send, 'DescribeGeneratedTemplate', { GeneratedTemplateName }, ({ Status }: { Status: string }) => Status);

/** Deletes the queue of a stack outside of CloudFormation. */
async function drifted(send: Send): Promise<void> {
  await send('SQS.DeleteQueue', { QueueUrl: await queueOf(send) });
  await detected(send);
}

async function queueOf(send: Send): Promise<string> {
  const { StackResourceDetail } = (await send('DescribeStackResource', {
    StackName: 'known',
    LogicalResourceId: 'Queue',
  })) as { StackResourceDetail: { PhysicalResourceId: string } };
  return StackResourceDetail.PhysicalResourceId;
}

/** Creates a stack set with a stack and drift detection. */
async function deployed(send: Send): Promise<Facts> {
  await fleet(send, 'CreateStackInstances', INSTANCES);
  const operation = await fleet(send, 'DetectStackSetDrift', {});
  return { operation };
}

/** Creates a stack set with an operation in progress. */
async function deploying(send: Send): Promise<Facts> {
  await send('CreateStackSet', { StackSetName: 'slow', TemplateBody: waiting });
  const { OperationId } = await send('CreateStackInstances', { ...INSTANCES, StackSetName: 'slow' });
  return { operation: OperationId as string };
}

/** A queue for generated templates. */
const definition = (QueueUrl: string, LogicalResourceId = 'Queue') => ({
  ResourceType: 'AWS::SQS::Queue',
  LogicalResourceId,
  ResourceIdentifier: { QueueUrl },
});

/** Creates a scan, and a template of a queue that it found. */
async function generated(send: Send): Promise<Facts> {
  const scan = await scanned(send);
  const url = await queueOf(send);
  await scanned(send);
  for (const GeneratedTemplateName of ['other', 'template']) {
    await send('CreateGeneratedTemplate', { GeneratedTemplateName, Resources: [definition(url)] });
    await written(send, GeneratedTemplateName);
  }
  return { scan, url };
}

const HOOK = { Type: 'HOOK', TypeName: 'AWS::Hooks::LambdaHook', PublisherId: 'aws-hooks' };
const ALIAS = 'Private::Lambda::Hook';
/** Properties of a hook in a mode. */
const configured = (FailureMode: string): string =>
  JSON.stringify({
    CloudFormationConfiguration: {
      HookConfiguration: {
        HookInvocationStatus: 'ENABLED',
        FailureMode,
        Properties: { LambdaFunction: 'arn:aws:lambda:us-east-1:000000000000:function:hook' },
      },
    },
  });

/** Creates a hook that was invoked for a resource. */
async function hooked(send: Send): Promise<Facts> {
  const { Arn } = await send('ActivateType', { ...HOOK, TypeNameAlias: ALIAS });
  await send('SetTypeConfiguration', { TypeArn: Arn, Configuration: configured('WARN') });
  await stack(send, 'CreateStack', 'hooked', { TemplateBody: body({ Queue: queue() }) });
  const { HookResults } = (await send('ListHookResults', {})) as { HookResults: { HookResultId: string }[] };
  const { ConfigurationArn } = await send('SetTypeConfiguration', { TypeArn: Arn, Configuration: configured('FAIL') });
  return { hook: Arn as string, result: HookResults[0]!.HookResultId, configuration: ConfigurationArn as string };
}

const MODULE = 'My::Own::Queue::MODULE';
const PACKAGE = 's3://modules/module.zip';
/** A zip file with `fragments/fragment.json`: a queue and a parameter. */
const MODULE_PACKAGE = Buffer.from(
  'UEsDBBQAAAAIAAAAIgCAmNHXVgAAAGkAAAAXAAAAZnJhZ21lbnRzL2ZyYWdtZW50Lmpzb26rVgpILErMTS1JLSpWsqpWcknNSawE' +
    'MUIqC1KVrJSCS4oy89KVdIASaYmlOSVAIUOl2lodpaDU4vzSouRUsK7A0tRSoGq4LsfwYCur4EAgAZGpra0FAFBLAQIUABQAAAAI' +
    'AAAAIgCAmNHXVgAAAGkAAAAXAAAAAAAAAAAAAAAAAAAAAABmcmFnbWVudHMvZnJhZ21lbnQuanNvblBLBQYAAAAAAQABAEUAAACL' +
    'AAAAAAA=',
  'base64',
);

/** Creates a module with one public version; a tested version is in use. */
async function published(send: Send): Promise<Facts> {
  const facts = await registered(send);
  const { PublisherId } = await send('RegisterPublisher', { AcceptTermsAndConditions: true });
  await send('TestType', { Arn: `${facts.module}/00000001` });
  const { PublicTypeArn } = await send('PublishType', { Arn: `${facts.module}/00000001` });
  await send('TestType', { Arn: `${facts.module}/00000002` });
  await send('SetTypeDefaultVersion', { Arn: `${facts.module}/00000002` });
  return { ...facts, publisher: PublisherId as string, open: PublicTypeArn as string };
}

/** Uploads the package of an unregistered module. */
async function packaged(send: Send): Promise<Facts> {
  await send('S3.CreateBucket', { Bucket: 'modules' });
  await send('S3.PutObject', { Bucket: 'modules', Key: 'module.zip', Body: MODULE_PACKAGE });
  return {};
}

/** Creates a module with three versions, the last deprecated, and a failed registration. */
async function registered(send: Send): Promise<Facts> {
  await packaged(send);
  const register = async (SchemaHandlerPackage: string) => {
    const { RegistrationToken } = await send('RegisterType', {
      Type: 'MODULE',
      TypeName: MODULE,
      SchemaHandlerPackage,
    });
    return RegistrationToken as string;
  };
  const registration = await register(PACKAGE);
  const { TypeArn } = await send('DescribeTypeRegistration', { RegistrationToken: registration });
  await register(PACKAGE);
  await register(PACKAGE);
  await send('DeregisterType', { Arn: `${TypeArn}/00000003` });
  const failed = await register('s3://modules/missing.zip');
  return { module: TypeArn as string, registration, failed };
}

/** A stack whose queue has another logical name. */
const renamed = { StackName: 'known', TemplateBody: known('1').replaceAll('"Queue"', '"Renamed"') };

/** Refactor plans. */
async function refactored(send: Send): Promise<Facts> {
  await send('CreateStackRefactor', { StackDefinitions: [{ ...renamed, TemplateBody: known('9') }] });
  const { StackRefactorId } = await send('CreateStackRefactor', { StackDefinitions: [renamed] });
  return { refactor: StackRefactorId as string };
}

/** Creates stacks for the reading operations. */
async function setUp(send: Send): Promise<Facts> {
  await stack(send, 'CreateStack', 'known', { TemplateBody: known('1'), Tags: [{ Key: 'a', Value: 'b' }] });
  await send('CreateChangeSet', { StackName: 'known', ChangeSetName: 'change', TemplateBody: known('2') });
  await stack(send, 'CreateStack', 'importer', { TemplateBody: importing('taken') });
  await stack(send, 'CreateStack', 'half', { TemplateBody: failing, DisableRollback: true });
  await stack(send, 'CreateStack', 'extended', { TemplateBody: extended });
  await send('CreateChangeSet', { StackName: 'extended', ChangeSetName: 'failing', TemplateBody: failing });
  const drift = await detected(send);
  await send('CreateStackSet', { StackSetName: 'fleet', TemplateBody: STACK_SET_VALUES });
  await send('CreateStackSet', { StackSetName: 'empty', TemplateBody: named });
  const { StackResourceDetail, $metadata: _ } = (await send('DescribeStackResource', {
    StackName: 'known',
    LogicalResourceId: 'Queue',
  })) as { StackResourceDetail: { StackId: string }; $metadata: unknown };
  return { drift, stack: StackResourceDetail.StackId };
}

/** Creates a stack with a waiting update. */
async function changing(send: Send): Promise<Facts> {
  await stack(send, 'CreateStack', 'changing', { TemplateBody: body({ Queue: queue() }) });
  await send('UpdateStack', { StackName: 'changing', TemplateBody: waiting });
  await begun(send, 'changing', 'Wait');
  return {};
}

/** Creates a stack whose queue was deleted before its update was rolled back. */
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

/** Creates a stack whose resource waits for a signal. */
async function unsignalled(send: Send): Promise<Facts> {
  await send('CreateStack', { StackName: 'signalled', TemplateBody: signalled });
  await begun(send, 'signalled', 'Queue');
  return {};
}

/** Returns every stack set with its stacks and operations, every scan and every generated template. */
async function observeOthers(send: Send): Promise<unknown> {
  const { Summaries } = (await send('ListStackSets', {})) as { Summaries: { StackSetId: string; Status: string }[] };
  const sets = Summaries.filter(({ Status }) => Status === 'ACTIVE').map(async ({ StackSetId: StackSetName }) => {
    const { StackSet } = await send('DescribeStackSet', { StackSetName });
    const { Summaries: instances } = await send('ListStackInstances', { StackSetName });
    const { Summaries: operations } = await send('ListStackSetOperations', { StackSetName });
    return [StackSet, instances, operations];
  });
  const { Summaries: templates } = (await send('ListGeneratedTemplates', {})) as {
    Summaries: { GeneratedTemplateId: string }[];
  };
  const details = templates.map(async ({ GeneratedTemplateId: GeneratedTemplateName }) => {
    const { $metadata: _, ...template } = await send('DescribeGeneratedTemplate', { GeneratedTemplateName });
    const { TemplateBody } = await send('GetGeneratedTemplate', { GeneratedTemplateName });
    return [template, TemplateBody];
  });
  const { ResourceScanSummaries: full } = await send('ListResourceScans', {});
  const { ResourceScanSummaries: partial } = await send('ListResourceScans', { ScanTypeFilter: 'PARTIAL' });
  const { TypeSummaries } = (await send('ListTypes', { Type: 'HOOK' })) as { TypeSummaries: { TypeArn: string }[] };
  const { TypeSummaries: modules } = (await send('ListTypes', { Type: 'MODULE' })) as {
    TypeSummaries: { TypeArn: string }[];
  };
  const { TypeSummaries: open } = await send('ListTypes', { Type: 'MODULE', Visibility: 'PUBLIC' });
  const publisher = await send('DescribePublisher', {}).then(
    ({ PublisherId }) => PublisherId,
    () => undefined,
  );
  const versions = modules.map(async ({ TypeArn: Arn }) => {
    const { $metadata: _, ...type } = await send('DescribeType', { Arn });
    return [type, (await send('ListTypeVersions', { Arn })).TypeVersionSummaries];
  });
  const { RegistrationTokenList } = await send('ListTypeRegistrations', {});
  const types = TypeSummaries.map(
    async ({ TypeArn: Arn }) => (await send('DescribeType', { Arn })).ConfigurationSchema,
  );
  const { StackRefactorSummaries } = await send('ListStackRefactors', {});
  return [
    [Summaries, await Promise.all(sets)],
    [await Promise.all(details), full, partial],
    [TypeSummaries, await Promise.all(types)],
    [modules, await Promise.all(versions), RegistrationTokenList, open, publisher],
    StackRefactorSummaries,
  ];
}

/** Returns every stack with its events, resources, change sets and policy, and all other state. */
async function observe(send: Send): Promise<unknown> {
  const { StackSummaries } = (await send('ListStacks', {})) as {
    StackSummaries: { StackId: string; StackStatus: string }[];
  };
  const stacks = await Promise.all(
    StackSummaries.map(async ({ StackId: StackName }) => {
      const { $metadata: _, ...policy } = await send('GetStackPolicy', { StackName });
      const { Stacks } = await send('DescribeStacks', { StackName });
      const { Summaries } = await send('ListChangeSets', { StackName });
      const { StackEvents } = await send('DescribeStackEvents', { StackName });
      return [Stacks, Summaries, policy, StackEvents];
    }),
  );
  return [stacks, await observeOthers(send)];
}

/** Returns the outcome of a stack, and whether it can then be deleted. */
const ending =
  (name?: string) =>
  async (send: Send, _: Facts, { StackId }: Record<string, unknown>): Promise<unknown> => {
    const StackName = name ?? (StackId as string);
    await settled(send, StackName);
    const { StackResourceSummaries } = await send('ListStackResources', { StackName });
    await send('DeleteStack', { StackName });
    return StackResourceSummaries;
  };

/** Returns the outcome of a change set. */
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
  others: ['cloudwatch', 'iam', 's3', 'sqs'],
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const config = { ...emulator.clientConfig(), maxAttempts: 1 };
    const own = sender(new sdk.CloudFormationClient(config) as never, sdk);
    const queues = sender(new sqs.SQSClient(config) as never, sqs);
    const objects = sender(new s3.S3Client(config) as never, s3);
    const others: Record<string, Send> = { SQS: queues, S3: objects };
    return (operation, input) => {
      const [service = '', name] = operation.split('.');
      return name === undefined ? own(operation, input) : others[service]!(name, input);
    };
  },
  setUp,
  observe,
  inputs: {
    RegisterType: () => ({ Type: 'MODULE', TypeName: MODULE, SchemaHandlerPackage: PACKAGE }),
    DeregisterType: ({ module }) => ({ Arn: `${module}/00000002` }),
    SetTypeDefaultVersion: ({ module }) => ({ Arn: `${module}/00000002` }),
    DescribeTypeRegistration: ({ registration }) => ({ RegistrationToken: registration }),
    ListTypeRegistrations: () => ({}),
    RegisterPublisher: () => ({ AcceptTermsAndConditions: true }),
    TestType: ({ module }) => ({ Arn: `${module}/00000001` }),
    PublishType: ({ module }) => ({ Arn: module }),
    ActivateType: () => HOOK,
    DeactivateType: ({ hook }) => ({ Arn: hook }),
    DescribeType: ({ hook }) => ({ Arn: hook }),
    ListTypes: () => ({}),
    ListTypeVersions: ({ hook }) => ({ Arn: hook }),
    DescribePublisher: () => ({ PublisherId: 'aws-hooks' }),
    SetTypeConfiguration: ({ hook }) => ({ TypeArn: hook, Configuration: configured('WARN') }),
    BatchDescribeTypeConfigurations: ({ hook }) => ({ TypeConfigurationIdentifiers: [{ TypeArn: hook }] }),
    DescribeChangeSetHooks: change,
    GetHookResult: ({ result }) => ({ HookResultId: result }),
    ListHookResults: ({ hook }) => ({ TypeArn: hook }),
    CreateStackRefactor: () => ({ StackDefinitions: [renamed] }),
    DescribeStackRefactor: ({ refactor }) => ({ StackRefactorId: refactor }),
    ExecuteStackRefactor: ({ refactor }) => ({ StackRefactorId: refactor }),
    ListStackRefactors: () => ({}),
    ListStackRefactorActions: ({ refactor }) => ({ StackRefactorId: refactor }),
    ActivateOrganizationsAccess: () => ({}),
    DeactivateOrganizationsAccess: () => ({}),
    DescribeOrganizationsAccess: () => ({}),
    DetectStackDrift: () => ({ StackName: 'importer' }),
    DetectStackResourceDrift: () => ({ StackName: 'known', LogicalResourceId: 'Queue' }),
    DescribeStackDriftDetectionStatus: ({ drift }) => ({ StackDriftDetectionId: drift }),
    DescribeStackResourceDrifts: () => ({ StackName: 'known' }),
    DescribeEvents: () => ({ StackName: 'known' }),
    EstimateTemplateCost: () => ({ TemplateBody: known('1') }),
    CreateStackSet: () => ({ StackSetName: 'new', TemplateBody: STACK_SET_VALUES }),
    UpdateStackSet: () => ({ StackSetName: 'fleet', TemplateBody: named }),
    DeleteStackSet: () => ({ StackSetName: 'fleet' }),
    DescribeStackSet: () => ({ StackSetName: 'fleet' }),
    ListStackSets: () => ({}),
    ListStackSetAutoDeploymentTargets: () => ({ StackSetName: 'fleet' }),
    CreateStackInstances: () => INSTANCES,
    UpdateStackInstances: () => INSTANCES,
    DeleteStackInstances: () => ({ ...INSTANCES, RetainStacks: false }),
    DescribeStackInstance: () => ({
      StackSetName: 'fleet',
      StackInstanceAccount: OTHER_ACCOUNT,
      StackInstanceRegion: 'us-west-2',
    }),
    ListStackInstances: () => ({ StackSetName: 'fleet' }),
    ListStackInstanceResourceDrifts: ({ operation }) => ({
      StackSetName: 'fleet',
      StackInstanceAccount: OTHER_ACCOUNT,
      StackInstanceRegion: 'us-west-2',
      OperationId: operation,
    }),
    ImportStacksToStackSet: ({ stack: id }) => ({ StackSetName: 'fleet', StackIds: [id] }),
    DetectStackSetDrift: () => ({ StackSetName: 'fleet' }),
    DescribeStackSetOperation: ({ operation }) => ({ StackSetName: 'fleet', OperationId: operation }),
    ListStackSetOperations: () => ({ StackSetName: 'fleet' }),
    ListStackSetOperationResults: ({ operation }) => ({ StackSetName: 'fleet', OperationId: operation }),
    StopStackSetOperation: ({ operation }) => ({ StackSetName: 'slow', OperationId: operation }),
    StartResourceScan: () => ({}),
    DescribeResourceScan: ({ scan }) => ({ ResourceScanId: scan }),
    ListResourceScans: () => ({}),
    ListResourceScanResources: ({ scan }) => ({ ResourceScanId: scan }),
    ListResourceScanRelatedResources: ({ scan, url }) => ({
      ResourceScanId: scan,
      Resources: [{ ResourceType: 'AWS::SQS::Queue', ResourceIdentifier: { QueueUrl: url } }],
    }),
    CreateGeneratedTemplate: () => ({ GeneratedTemplateName: 'new' }),
    UpdateGeneratedTemplate: () => ({ GeneratedTemplateName: 'template', NewGeneratedTemplateName: 'renamed' }),
    DescribeGeneratedTemplate: () => ({ GeneratedTemplateName: 'template' }),
    GetGeneratedTemplate: () => ({ GeneratedTemplateName: 'template' }),
    DeleteGeneratedTemplate: () => ({ GeneratedTemplateName: 'template' }),
    ListGeneratedTemplates: () => ({}),
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
    DeregisterType: [() => ({ Type: 'MODULE', TypeName: MODULE, VersionId: '00000002' })],
    SetTypeDefaultVersion: [() => ({ Type: 'MODULE', TypeName: MODULE, VersionId: '00000002' })],
    TestType: [() => ({ Type: 'MODULE', TypeName: MODULE, VersionId: '00000001' })],
    PublishType: [() => ({ Type: 'MODULE', TypeName: MODULE, PublicVersionNumber: '3.1.4' })],
    DescribePublisher: [({ publisher }) => ({ PublisherId: publisher })],
    DescribeTypeRegistration: [({ failed }) => ({ RegistrationToken: failed })],
    ActivateType: [
      () => ({ PublicTypeArn: 'arn:aws:cloudformation:us-east-1::type/hook/aws-hooks/AWS-Hooks-LambdaHook' }),
    ],
    BatchDescribeTypeConfigurations: [
      ({ configuration: arn }) => ({ TypeConfigurationIdentifiers: [{ TypeConfigurationArn: arn }] }),
      () => ({ TypeConfigurationIdentifiers: [{ Type: 'HOOK', TypeName: ALIAS }] }),
    ],
    DeactivateType: [() => ({ Type: 'HOOK', TypeName: ALIAS })],
    DescribeType: [
      () => ({ Type: 'RESOURCE', TypeName: 'AWS::SQS::Queue' }),
      () => HOOK,
      () => ({ Type: 'HOOK', TypeName: ALIAS }),
    ],
    ListTypes: [() => ({ Visibility: 'PUBLIC' })],
    ListTypeVersions: [() => ({ Type: 'RESOURCE', TypeName: 'AWS::SQS::Queue' }), () => HOOK],
    SetTypeConfiguration: [() => ({ Type: 'HOOK', TypeName: ALIAS, Configuration: configured('WARN') })],
    ListHookResults: [() => ({})],
    CreateStackRefactor: [
      () => ({
        EnableStackCreation: true,
        StackDefinitions: [
          { StackName: 'extended', TemplateBody: body({ Other: queue({ DelaySeconds: 2 }) }) },
          { StackName: 'another', TemplateBody: body({ Queue: queue({ DelaySeconds: 2 }) }) },
        ],
      }),
      () => ({
        StackDefinitions: [renamed],
        ResourceMappings: [
          {
            Source: { StackName: 'known', LogicalResourceId: 'Queue' },
            Destination: { StackName: 'known', LogicalResourceId: 'Renamed' },
          },
        ],
      }),
    ],
    CreateGeneratedTemplate: [({ url }) => ({ GeneratedTemplateName: 'new', Resources: [definition(url!)] })],
    UpdateGeneratedTemplate: [
      ({ url }) => ({ GeneratedTemplateName: 'template', AddResources: [definition(url!, 'Again')] }),
    ],
    CreateStackInstances: [
      () => ({ ...INSTANCES, Accounts: undefined, DeploymentTargets: { Accounts: [OTHER_ACCOUNT] } }),
    ],
    CreateStackSet: [
      ({ stack: id }) => ({ StackSetName: 'new', StackId: id }),
      () => ({ StackSetName: 'new', TemplateBody: policies, Capabilities: ['CAPABILITY_IAM'] }),
    ],
    DescribeEvents: [() => ({ StackName: 'known', ChangeSetName: 'change' }), () => ({ StackName: 'half' })],
    UpdateStackSet: [
      () => ({ StackSetName: 'fleet', UsePreviousTemplate: true }),
      () => ({ StackSetName: 'fleet', TemplateBody: policies, Capabilities: ['CAPABILITY_IAM'] }),
    ],
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
    GetTemplateSummary: [
      () => ({ StackSetName: 'fleet' }),
      () => ({ TemplateBody: UNKNOWN_TYPE, TemplateSummaryConfig: LENIENT }),
    ],
    UpdateStack: [
      () => ({ StackName: 'extended', TemplateBody: named }),
      () => ({ StackName: 'extended', TemplateBody: failing }),
      () => ({ StackName: 'extended', TemplateBody: policies, Capabilities: ['CAPABILITY_IAM'] }),
    ],
  },
  before: {
    CancelUpdateStack: changing,
    ContinueUpdateRollback: stuck,
    SignalResource: unsignalled,
    StopStackSetOperation: deploying,
    RegisterType: packaged,
    DeregisterType: registered,
    TestType: registered,
    PublishType: published,
    DescribePublisher: published,
    SetTypeDefaultVersion: registered,
    DescribeTypeRegistration: registered,
    ListTypeRegistrations: registered,
    DeactivateType: hooked,
    DescribeType: hooked,
    ListTypes: hooked,
    ListTypeVersions: hooked,
    SetTypeConfiguration: hooked,
    BatchDescribeTypeConfigurations: hooked,
    DescribeChangeSetHooks: hooked,
    GetHookResult: hooked,
    ListHookResults: hooked,
    DescribeStackRefactor: refactored,
    ExecuteStackRefactor: refactored,
    ListStackRefactors: refactored,
    ListStackRefactorActions: refactored,
    UpdateStackSet: deployed,
    UpdateStackInstances: deployed,
    DeleteStackInstances: deployed,
    DescribeStackInstance: deployed,
    ListStackInstances: deployed,
    ListStackInstanceResourceDrifts: deployed,
    DetectStackSetDrift: deployed,
    DescribeStackSetOperation: deployed,
    ListStackSetOperations: deployed,
    ListStackSetOperationResults: deployed,
    DescribeStackSet: deployed,
    DescribeResourceScan: generated,
    ListResourceScans: generated,
    ListResourceScanResources: generated,
    ListResourceScanRelatedResources: generated,
    UpdateGeneratedTemplate: generated,
    DescribeGeneratedTemplate: generated,
    GetGeneratedTemplate: generated,
    DeleteGeneratedTemplate: generated,
    ListGeneratedTemplates: generated,
    CreateGeneratedTemplate: generated,
  },
  live: ['CancelUpdateStack', 'SignalResource', 'StopStackSetOperation'],
  withdrawn: {
    ActivateOrganizationsAccess: 'no account of emu is in an organization',
    DeactivateOrganizationsAccess: 'no account of emu is in an organization',
  },
  values: {
    'ActivateType.TypeNameAlias': [ALIAS],
    'ActivateType.LoggingConfig': [],
    'RegisterType.LoggingConfig': [],
    'TestType.LogDeliveryBucket': [],
    'RegisterType.TypeName': ['My::Own::Other::MODULE', 'AWS::Own::Queue::MODULE'],
    'ListTypeRegistrations.TypeArn': [
      'arn:aws:cloudformation:us-east-1:123456789012:type/module/My-Own-Queue-MODULE',
      'arn:aws:cloudformation:us-east-1:123456789012:type/module/My-Own-Other-MODULE',
    ],
    'ListTypeRegistrations.Type': ['MODULE', 'HOOK'],
    'ListTypeRegistrations.TypeName': [MODULE, 'My::Own::Other::MODULE'],
    'ListTypeRegistrations.RegistrationStatusFilter': ['COMPLETE', 'FAILED'],
    'DescribeType.PublicVersionNumber': ['1.0.0'],
    'ListTypes.Filters': [{ TypeNamePrefix: 'AWS::SQS' }, { PublisherId: 'aws-hooks' }],
    'CreateStackRefactor.EnableStackCreation': [true],
    'CreateChangeSet.Parameters': PARAMETERS,
    'CreateStack.Parameters': PARAMETERS,
    'UpdateStack.Parameters': PARAMETERS,
    'CreateStackSet.Parameters': PARAMETERS,
    'UpdateStackSet.Parameters': PARAMETERS,
    'EstimateTemplateCost.Parameters': PARAMETERS,
    'CreateStackInstances.ParameterOverrides': PARAMETERS,
    'UpdateStackInstances.ParameterOverrides': PARAMETERS,
    'CreateStack.RollbackConfiguration': [MISSING_ALARM],
    'UpdateStack.RollbackConfiguration': [MISSING_ALARM],
    'CreateChangeSet.RollbackConfiguration': [MISSING_ALARM],
  },
  after: {
    SetTypeConfiguration: (send) => stack(send, 'CreateStack', 'again', { TemplateBody: body({ Queue: queue() }) }),
    CreateStackRefactor: async (send, _, { StackRefactorId }) => {
      const { $metadata: _metadata, ...refactor } = await send('DescribeStackRefactor', { StackRefactorId });
      const { StackRefactorActions } = await send('ListStackRefactorActions', { StackRefactorId });
      return [refactor, StackRefactorActions];
    },
    CreateStackInstances: (send, _, { OperationId }) => ended(send, OperationId),
    UpdateStackInstances: (send, _, { OperationId }) => ended(send, OperationId),
    DeleteStackInstances: (send, _, { OperationId }) => ended(send, OperationId),
    UpdateStackSet: (send, _, { OperationId }) => ended(send, OperationId),
    ImportStacksToStackSet: (send, _, { OperationId }) => ended(send, OperationId),
    DetectStackSetDrift: (send, _, { OperationId }) => ended(send, OperationId),
    CreateStackSet: async (send, _, { StackSetId }) => {
      const { OperationId } = await send('CreateStackInstances', { ...INSTANCES, StackSetName: StackSetId });
      await ended(send, OperationId, StackSetId as string);
      return send('ListStackSetOperationResults', { StackSetName: StackSetId, OperationId });
    },
    StartResourceScan: async (send, _, { ResourceScanId }) => {
      await lasting(send, 'DescribeResourceScan', { ResourceScanId }, ({ Status }: { Status: string }) => Status);
      return send('DescribeResourceScan', { ResourceScanId });
    },
    CreateGeneratedTemplate: (send, _, { GeneratedTemplateId }) => written(send, GeneratedTemplateId as string),
    UpdateGeneratedTemplate: (send, _, { GeneratedTemplateId }) => written(send, GeneratedTemplateId as string),
    DetectStackDrift: async (send, _, { StackDriftDetectionId }) => {
      await lasting(
        send,
        'DescribeStackDriftDetectionStatus',
        { StackDriftDetectionId },
        ({ DetectionStatus }: { DetectionStatus: string }) => DetectionStatus,
      );
      return send('DescribeStackResourceDrifts', { StackName: 'importer' });
    },
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
    DescribeType: (send, { hook }) =>
      send('SetTypeConfiguration', { TypeArn: hook, Configuration: configured('WARN') }),
    DescribeTypeRegistration: undefined,
    ListTypeRegistrations: (send) =>
      send('RegisterType', { Type: 'MODULE', TypeName: MODULE, SchemaHandlerPackage: PACKAGE }),
    ListTypes: (send) => send('ActivateType', HOOK),
    ListTypeVersions: undefined,
    DescribePublisher: undefined,
    BatchDescribeTypeConfigurations: (send, { hook }) =>
      send('SetTypeConfiguration', { TypeArn: hook, Configuration: configured('WARN') }),
    DescribeChangeSetHooks: (send, { hook }) =>
      send('SetTypeConfiguration', { TypeArn: hook, Configuration: configured('WARN') }),
    GetHookResult: undefined,
    ListHookResults: (send) => stack(send, 'CreateStack', 'again', { TemplateBody: body({ Queue: queue() }) }),
    DescribeStackRefactor: updated,
    ListStackRefactors: updated,
    ListStackRefactorActions: undefined,
    DescribeOrganizationsAccess: undefined,
    DescribeStackDriftDetectionStatus: undefined,
    DescribeStackResourceDrifts: drifted,
    DetectStackResourceDrift: drifted,
    DescribeEvents: updated,
    EstimateTemplateCost: undefined,
    DescribeStackSet: (send) => fleet(send, 'UpdateStackSet', { UsePreviousTemplate: true, Description: 'new' }),
    ListStackSets: (send) => send('CreateStackSet', { StackSetName: 'another', TemplateBody: named }),
    ListStackSetAutoDeploymentTargets: undefined,
    DescribeStackInstance: (send) =>
      fleet(send, 'UpdateStackInstances', {
        ...INSTANCES,
        ParameterOverrides: [{ ParameterKey: 'Name', ParameterValue: 'z' }],
      }),
    ListStackInstances: (send) => fleet(send, 'DeleteStackInstances', { ...INSTANCES, RetainStacks: true }),
    ListStackInstanceResourceDrifts: undefined,
    DescribeStackSetOperation: undefined,
    ListStackSetOperations: (send) => fleet(send, 'UpdateStackSet', { UsePreviousTemplate: true }),
    ListStackSetOperationResults: undefined,
    DescribeResourceScan: undefined,
    ListResourceScans: (send) => scanned(send),
    ListResourceScanResources: async (send) => {
      await send('DeleteStack', { StackName: 'extended' });
      const working = ({ StackSummaries }: { StackSummaries: { StackStatus: string }[] }) =>
        StackSummaries.find(({ StackStatus }) => StackStatus === 'DELETE_IN_PROGRESS')?.StackStatus ?? '';
      await lasting(send, 'ListStacks', {}, working);
    },
    ListResourceScanRelatedResources: undefined,
    DescribeGeneratedTemplate: async (send) => {
      await send('UpdateGeneratedTemplate', { GeneratedTemplateName: 'template', RemoveResources: ['Queue'] });
      await written(send, 'template');
    },
    GetGeneratedTemplate: async (send) => {
      await send('UpdateGeneratedTemplate', { GeneratedTemplateName: 'template', RemoveResources: ['Queue'] });
      await written(send, 'template');
    },
    ListGeneratedTemplates: (send) => send('DeleteGeneratedTemplate', { GeneratedTemplateName: 'template' }),
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
