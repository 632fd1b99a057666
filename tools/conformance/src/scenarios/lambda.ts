import * as sdk from '@aws-sdk/client-lambda';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-lambda/model/lambda.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';
import * as effects from './lambda-effects.ts';

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64');

/** Package with `exports.handler = async (event) => event;` in index.js. */
const ZipFile = bytesOf(
  'UEsDBBQAAAAAAAAAIQAoDJycKgAAACoAAAAIAAAAaW5kZXguanNleHBvcnRzLmhhbmRsZXIgPSBhc3luYyAoZXZlbnQpID0+IGV2ZW50OwpQSwECFAMUAAAAAAAAACEAKAycnCoAAAAqAAAACAAAAAAAAAAAAAAApIEAAAAAaW5kZXguanNQSwUGAAAAAAEAAQA2AAAAUAAAAAAA',
);
/** Another package with an empty file. */
const OtherZip = bytesOf(
  'UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAIAAAAaW5kZXguanNQSwECFAMUAAAAAAAAACEAAAAAAAAAAAAAAAAACAAAAAAAAAAAAAAApIEAAAAAaW5kZXguanNQSwUGAAAAAAEAAQA2AAAAJgAAAAAA',
);

/** Package of a function that never responds, so that the scenario checkpoints its executions. */
const HangingZip = bytesOf(
  'UEsDBBQAAAAAAAAAIQCgp7mrLwAAAC8AAAAIAAAAaW5kZXguanNleHBvcnRzLmhhbmRsZXIgPSAoKSA9PiBuZXcgUHJvbWlzZSgoKSA9PiB7fSk7ClBLAQIUAxQAAAAAAAAAIQCgp7mrLwAAAC8AAAAIAAAAAAAAAAAAAACkgQAAAABpbmRleC5qc1BLBQYAAAAAAQABADYAAABVAAAAAAA=',
);

const ROLE = 'arn:aws:iam::123456789012:role/app';
const arn = (resource: string): string => `arn:aws:lambda:us-east-1:123456789012:${resource}`;
const PROFILE = 'arn:aws:signer:us-east-1:123456789012:/signing-profiles/profile/1';
const FunctionName = 'known';
const of = { FunctionName };
/** A function without a possible environment, so that environments make no difference. */
const ahead = { FunctionName: 'ahead' };
const LayerName = 'tools';
const layer = { LayerName, VersionNumber: 1 };
const code = { Role: ROLE, Runtime: 'nodejs20.x', Handler: 'index.handler', Code: { ZipFile } };
const permission = { StatementId: 'fresh', Action: 'lambda:InvokeFunction', Principal: 's3.amazonaws.com' };
const sharing = { ...layer, StatementId: 'fresh', Action: 'lambda:GetLayerVersion', Principal: '*' };
const broker = {
  EventSourceArn: 'arn:aws:mq:us-east-1:123456789012:broker:broker:1',
  Queues: ['queue'],
  SourceAccessConfigurations: [
    { Type: 'BASIC_AUTH', URI: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:secret' },
  ],
};
const provider = {
  VpcConfig: { SubnetIds: ['subnet-1'], SecurityGroupIds: ['sg-1'] },
  PermissionsConfig: { CapacityProviderOperatorRoleArn: ROLE },
};
const CapacityProviderName = 'provider';
const managed = { FunctionName: 'managed', Qualifier: '1' };

/** Creates a function with a version, an alias and settings of every kind, and the resources it uses. */
async function setUp(send: Send): Promise<Facts> {
  await send('PublishLayerVersion', { LayerName, Content: { ZipFile } });
  await send('AddLayerVersionPermission', { ...sharing, StatementId: 'known' });
  const { CodeSigningConfig } = await send('CreateCodeSigningConfig', {
    AllowedPublishers: { SigningProfileVersionArns: [PROFILE] },
  });
  const csc = (CodeSigningConfig as { CodeSigningConfigArn: string }).CodeSigningConfigArn;
  await send('CreateFunction', { ...of, ...code, Publish: true, Tags: { team: 'a' } });
  await send('CreateAlias', { ...of, Name: 'live', FunctionVersion: '1' });
  await send('AddPermission', { ...of, ...permission, StatementId: 'known' });
  await send('CreateFunctionUrlConfig', { ...of, AuthType: 'NONE' });
  await send('PutFunctionConcurrency', { ...of, ReservedConcurrentExecutions: 10 });
  await send('CreateFunction', { ...code, ...ahead, Runtime: 'java21', Publish: true });
  await send('PutFunctionEventInvokeConfig', { ...of, MaximumRetryAttempts: 1 });
  await send('PutFunctionCodeSigningConfig', { ...of, CodeSigningConfigArn: csc });
  const mapping = await send('CreateEventSourceMapping', { ...of, ...broker });
  await send('CreateCapacityProvider', { CapacityProviderName, ...provider });
  return { csc, mapping: mapping.UUID as string };
}

/** Creates one more resource of a kind. */
const second =
  (operation: string, input: Record<string, unknown>) =>
  async (send: Send): Promise<Facts> => {
    await send(operation, input);
    return {};
  };

/** Creates a function that runs on the capacity provider. */
const onProvider = async (send: Send): Promise<Facts> => {
  await send('CreateFunction', {
    ...code,
    FunctionName: 'managed',
    MemorySize: 4096,
    Publish: true,
    CapacityProviderConfig: {
      LambdaManagedInstancesCapacityProviderConfig: { CapacityProviderArn: arn('capacity-provider:provider') },
    },
  });
  return {};
};

/** Creates an execution of a durable function that waits for a callback. */
const durable = async (send: Send): Promise<Facts> => {
  await send('CreateFunction', {
    ...code,
    Code: { ZipFile: HangingZip },
    FunctionName: 'durable',
    Timeout: 900,
    DurableConfig: { ExecutionTimeout: 600, RetentionPeriodInDays: 1 },
  });
  const invoked = await send('Invoke', { FunctionName: 'durable:$LATEST', InvocationType: 'Event' });
  const execution = invoked.DurableExecutionArn as string;
  const { CheckpointToken, NewExecutionState } = await send('CheckpointDurableExecution', {
    DurableExecutionArn: execution,
    CheckpointToken: Buffer.from(`${execution.split('/').at(-1)}:1`).toString('base64'),
    Updates: [{ Id: 'callback', Type: 'CALLBACK', Action: 'START', CallbackOptions: { HeartbeatTimeoutSeconds: 60 } }],
  });
  const [operation] = (NewExecutionState as { Operations: { CallbackDetails: { CallbackId: string } }[] }).Operations;
  return { execution, token: CheckpointToken as string, callback: operation!.CallbackDetails.CallbackId };
};

/** Returns the result of an operation, or that nothing was found. */
async function told(send: Send, operation: string, input: Record<string, unknown>): Promise<unknown> {
  try {
    const { $metadata: _, ...answer } = await send(operation, input);
    return answer;
  } catch (error) {
    const { name } = error as Error;
    if (/NotFoundException$/.test(name) || name === 'InvalidParameterValueException') return name;
    throw error;
  }
}

/** Returns functions and the resources they use from describing operations. */
async function observe(send: Send, facts: Facts): Promise<unknown> {
  const asked: [string, Record<string, unknown>][] = [
    ['ListFunctions', { FunctionVersion: 'ALL' }],
    ['GetFunction', of],
    ['ListAliases', of],
    ['GetPolicy', of],
    ['ListFunctionUrlConfigs', of],
    ['ListProvisionedConcurrencyConfigs', ahead],
    ['ListFunctionEventInvokeConfigs', of],
    ['GetFunctionRecursionConfig', of],
    ['GetRuntimeManagementConfig', of],
    ['GetFunctionCodeSigningConfig', of],
    ['GetFunctionScalingConfig', managed],
    ['ListLayers', {}],
    ['ListLayerVersions', { LayerName }],
    ['GetLayerVersionPolicy', layer],
    ['ListCodeSigningConfigs', {}],
    ['ListCapacityProviders', {}],
    ['ListEventSourceMappings', {}],
    ['ListTags', { Resource: arn('function:known') }],
    ['ListDurableExecutionsByFunction', { FunctionName: 'durable' }],
    ...(facts.execution === undefined
      ? []
      : [['GetDurableExecutionHistory', byExecution(facts)] as [string, Record<string, unknown>]]),
  ];
  return Promise.all(asked.map(([operation, input]) => told(send, operation, input)));
}

const byMapping = (facts: Facts) => ({ UUID: facts.mapping });
const byConfig = (facts: Facts) => ({ CodeSigningConfigArn: facts.csc });
const byExecution = (facts: Facts) => ({ DurableExecutionArn: facts.execution });
const byCallback = (facts: Facts) => ({ CallbackId: facts.callback });
const checkpoint = (facts: Facts) => ({
  ...byExecution(facts),
  CheckpointToken: facts.token,
  Updates: [{ Id: 'step', Type: 'STEP', Action: 'START' }],
});
const byProvider = () => ({ CapacityProviderName });
const byFunction = () => of;
const another = (send: Send): Promise<unknown> => send('CreateFunction', { FunctionName: 'another', ...code });
const deleted = (send: Send): Promise<unknown> => send('UpdateFunctionConfiguration', { ...of, Timeout: 7 });
const unused = async (send: Send): Promise<Facts> => {
  await send('DeleteFunctionCodeSigningConfig', of);
  return {};
};
const byVersionAhead = () => ({ ...ahead, Qualifier: '1' });
const provisioned = async (send: Send): Promise<Facts> => {
  await send('PutProvisionedConcurrencyConfig', { ...byVersionAhead(), ProvisionedConcurrentExecutions: 2 });
  return {};
};

/** AWS Lambda. */
export const lambda: Scenario = {
  service: 'lambda',
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const send = sender(new sdk.LambdaClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk);
    return (operation, input) =>
      operation === 'Preflight'
        ? effects.preflight(emulator.fetch, input.FunctionUrl as string)
        : send(operation, input);
  },
  fakes: [effects.queues],
  after: effects.afterOf(OtherZip),
  setUp,
  observe,
  // Each execution runs in a process.
  live: [
    'CheckpointDurableExecution',
    'GetDurableExecution',
    'GetDurableExecutionHistory',
    'GetDurableExecutionState',
    'ListDurableExecutionsByFunction',
    'SendDurableExecutionCallbackFailure',
    'SendDurableExecutionCallbackHeartbeat',
    'SendDurableExecutionCallbackSuccess',
    'StopDurableExecution',
  ],
  before: {
    ...effects.before,
    // A second item of each paged list.
    ListAliases: second('CreateAlias', { ...of, Name: 'second', FunctionVersion: '$LATEST' }),
    ListCapacityProviders: second('CreateCapacityProvider', { CapacityProviderName: 'second', ...provider }),
    ListCodeSigningConfigs: second('CreateCodeSigningConfig', {
      AllowedPublishers: { SigningProfileVersionArns: [PROFILE] },
    }),
    ListEventSourceMappings: second('CreateEventSourceMapping', { FunctionName: 'known:live', ...broker }),
    ListFunctionEventInvokeConfigs: second('PutFunctionEventInvokeConfig', {
      ...of,
      Qualifier: 'live',
      MaximumRetryAttempts: 0,
    }),
    ListFunctionUrlConfigs: second('CreateFunctionUrlConfig', { ...of, Qualifier: 'live', AuthType: 'NONE' }),
    ListLayerVersions: second('PublishLayerVersion', { LayerName, Content: { ZipFile } }),
    ListLayers: second('PublishLayerVersion', { LayerName: 'second', Content: { ZipFile } }),
    CheckpointDurableExecution: durable,
    GetDurableExecution: durable,
    GetDurableExecutionHistory: durable,
    GetDurableExecutionState: durable,
    ListDurableExecutionsByFunction: durable,
    SendDurableExecutionCallbackFailure: durable,
    SendDurableExecutionCallbackHeartbeat: durable,
    SendDurableExecutionCallbackSuccess: durable,
    StopDurableExecution: durable,
    DeleteCodeSigningConfig: unused,
    PutFunctionCodeSigningConfig: unused,
    DeleteProvisionedConcurrencyConfig: provisioned,
    GetProvisionedConcurrencyConfig: provisioned,
    ListFunctionsByCodeSigningConfig: (send, { csc }) =>
      second('CreateFunction', { ...code, FunctionName: 'signed', CodeSigningConfigArn: csc })(send),
    ListProvisionedConcurrencyConfigs: async (send) => {
      await send('UpdateFunctionConfiguration', { ...ahead, Timeout: 9 });
      await send('PublishVersion', ahead);
      await send('PutProvisionedConcurrencyConfig', { ...ahead, Qualifier: '2', ProvisionedConcurrentExecutions: 2 });
      return provisioned(send);
    },
    GetFunctionScalingConfig: onProvider,
    ListFunctionVersionsByCapacityProvider: onProvider,
    PutFunctionScalingConfig: onProvider,
    PublishVersion: async (send) => {
      await deleted(send);
      return {};
    },
  },
  values: {
    ...effects.values,
    ...Object.fromEntries(
      [
        ...['Aliases', 'CapacityProviders', 'CodeSigningConfigs', 'EventSourceMappings', 'FunctionEventInvokeConfigs'],
        ...['FunctionUrlConfigs', 'Functions', 'LayerVersions', 'Layers'],
      ].map((kind) => [`List${kind}.MaxItems`, [1]]),
    ),
    'ListAliases.FunctionVersion': ['1', '$LATEST'],
    'CreateFunction.Layers': [[arn('layer:tools:1')]],
    'UpdateFunctionConfiguration.Layers': [[arn('layer:tools:1')]],
  },
  also: {
    ...effects.also,
    CreateFunction: [
      (facts) => ({ FunctionName: 'fresh', ...code, CodeSigningConfigArn: facts.csc }),
      () => ({
        FunctionName: 'fresh',
        ...code,
        MemorySize: 4096,
        CapacityProviderConfig: {
          LambdaManagedInstancesCapacityProviderConfig: { CapacityProviderArn: arn('capacity-provider:provider') },
        },
      }),
    ],
    CheckpointDurableExecution: [
      { Id: 'wait', Type: 'WAIT', Action: 'START', WaitOptions: { WaitSeconds: 5 } },
      { Id: 'another', Type: 'CALLBACK', Action: 'START', CallbackOptions: { TimeoutSeconds: 60 } },
      { Id: 'context', Type: 'CONTEXT', Action: 'START' },
      { Id: 'chain', Type: 'CHAINED_INVOKE', Action: 'START', ChainedInvokeOptions: of },
      { Id: 'step', Type: 'STEP', Action: 'RETRY', StepOptions: { NextAttemptDelaySeconds: 5 } },
      { Id: 'step', Type: 'STEP', Action: 'FAIL', Error: { ErrorMessage: 'failed' } },
      { Id: 'context', Type: 'CONTEXT', Action: 'SUCCEED', ContextOptions: { ReplayChildren: true } },
    ].map((update) => (facts: Facts) => ({ ...checkpoint(facts), Updates: [update] })),
  },
  inputs: {
    AddLayerVersionPermission: () => sharing,
    AddPermission: () => ({ ...of, ...permission }),
    CheckpointDurableExecution: checkpoint,
    GetDurableExecution: byExecution,
    GetDurableExecutionHistory: byExecution,
    GetDurableExecutionState: (facts) => ({ ...byExecution(facts), CheckpointToken: facts.token }),
    ListDurableExecutionsByFunction: () => ({ FunctionName: 'durable' }),
    SendDurableExecutionCallbackFailure: byCallback,
    SendDurableExecutionCallbackHeartbeat: byCallback,
    SendDurableExecutionCallbackSuccess: byCallback,
    StopDurableExecution: byExecution,
    CreateAlias: () => ({ ...of, Name: 'fresh', FunctionVersion: '1' }),
    CreateCapacityProvider: () => ({ CapacityProviderName: 'fresh', ...provider }),
    CreateCodeSigningConfig: () => ({ AllowedPublishers: { SigningProfileVersionArns: [PROFILE] } }),
    CreateEventSourceMapping: () => ({ FunctionName: 'known:live', ...broker }),
    CreateFunction: () => ({ FunctionName: 'fresh', ...code, Environment: { Variables: { KEY: 'value' } } }),
    CreateFunctionUrlConfig: () => ({ ...of, Qualifier: 'live', AuthType: 'NONE', Cors: { AllowOrigins: ['*'] } }),
    DeleteAlias: () => ({ ...of, Name: 'live' }),
    DeleteCapacityProvider: byProvider,
    DeleteCodeSigningConfig: byConfig,
    DeleteEventSourceMapping: byMapping,
    DeleteFunction: byFunction,
    DeleteFunctionCodeSigningConfig: byFunction,
    DeleteFunctionConcurrency: byFunction,
    DeleteFunctionEventInvokeConfig: byFunction,
    DeleteFunctionUrlConfig: byFunction,
    DeleteLayerVersion: () => layer,
    DeleteProvisionedConcurrencyConfig: byVersionAhead,
    GetAlias: () => ({ ...of, Name: 'live' }),
    GetCapacityProvider: byProvider,
    GetCodeSigningConfig: byConfig,
    GetEventSourceMapping: byMapping,
    GetFunction: byFunction,
    GetFunctionCodeSigningConfig: byFunction,
    GetFunctionConcurrency: byFunction,
    GetFunctionConfiguration: byFunction,
    GetFunctionEventInvokeConfig: byFunction,
    GetFunctionRecursionConfig: byFunction,
    GetFunctionScalingConfig: () => managed,
    GetFunctionUrlConfig: byFunction,
    GetLayerVersion: () => layer,
    GetLayerVersionByArn: () => ({ Arn: arn('layer:tools:1') }),
    GetLayerVersionPolicy: () => layer,
    GetPolicy: byFunction,
    GetProvisionedConcurrencyConfig: byVersionAhead,
    GetRuntimeManagementConfig: byFunction,
    Invoke: () => ({ ...of, Payload: Buffer.from('{}') }),
    InvokeAsync: () => ({ ...of, InvokeArgs: Buffer.from('{}') }),
    InvokeWithResponseStream: () => ({ ...of, Payload: Buffer.from('{}') }),
    ListAliases: byFunction,
    ListFunctionEventInvokeConfigs: byFunction,
    ListFunctionUrlConfigs: byFunction,
    ListFunctionVersionsByCapacityProvider: byProvider,
    ListFunctionsByCodeSigningConfig: byConfig,
    ListLayerVersions: () => ({ LayerName }),
    ListProvisionedConcurrencyConfigs: () => ahead,
    ListTags: () => ({ Resource: arn('function:known') }),
    ListVersionsByFunction: byFunction,
    PublishLayerVersion: () => ({ LayerName, Content: { ZipFile } }),
    PublishVersion: byFunction,
    PutFunctionCodeSigningConfig: (facts) => ({ ...of, ...byConfig(facts) }),
    PutFunctionConcurrency: () => ({ ...of, ReservedConcurrentExecutions: 20 }),
    PutFunctionEventInvokeConfig: () => ({ ...of, MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 }),
    PutFunctionRecursionConfig: () => ({ ...of, RecursiveLoop: 'Allow' }),
    PutFunctionScalingConfig: () => ({
      ...managed,
      FunctionScalingConfig: { MinExecutionEnvironments: 1, MaxExecutionEnvironments: 2 },
    }),
    PutProvisionedConcurrencyConfig: () => ({ ...byVersionAhead(), ProvisionedConcurrentExecutions: 3 }),
    PutRuntimeManagementConfig: () => ({ ...of, UpdateRuntimeOn: 'FunctionUpdate' }),
    RemoveLayerVersionPermission: () => ({ ...layer, StatementId: 'known' }),
    RemovePermission: () => ({ ...of, StatementId: 'known' }),
    TagResource: () => ({ Resource: arn('function:known'), Tags: { color: 'red' } }),
    UntagResource: () => ({ Resource: arn('function:known'), TagKeys: ['team'] }),
    UpdateAlias: () => ({ ...of, Name: 'live', Description: 'changed' }),
    UpdateCapacityProvider: () => ({ ...byProvider(), CapacityProviderScalingConfig: { MaxVCpuCount: 8 } }),
    UpdateCodeSigningConfig: (facts) => ({ ...byConfig(facts), Description: 'changed' }),
    UpdateEventSourceMapping: (facts) => ({ ...byMapping(facts), BatchSize: 7 }),
    UpdateFunctionCode: () => ({ ...of, ZipFile: OtherZip }),
    UpdateFunctionConfiguration: () => ({ ...of, Timeout: 9, Environment: { Variables: { KEY: 'value' } } }),
    UpdateFunctionEventInvokeConfig: () => ({ ...of, MaximumEventAgeInSeconds: 90 }),
    UpdateFunctionUrlConfig: () => ({ ...of, AuthType: 'AWS_IAM' }),
  },
  reads: {
    GetAccountSettings: another,
    GetDurableExecution: (send, facts) => send('StopDurableExecution', byExecution(facts)),
    GetDurableExecutionHistory: (send, facts) => send('StopDurableExecution', byExecution(facts)),
    GetDurableExecutionState: undefined,
    ListDurableExecutionsByFunction: (send, facts) => send('StopDurableExecution', byExecution(facts)),
    // It changes a time that no operation returns.
    SendDurableExecutionCallbackHeartbeat: undefined,
    GetAlias: (send) => send('UpdateAlias', { ...of, Name: 'live', Description: 'changed' }),
    GetCapacityProvider: (send) => send('UpdateCapacityProvider', lambda.inputs.UpdateCapacityProvider!({})),
    GetCodeSigningConfig: (send, facts) =>
      send('UpdateCodeSigningConfig', lambda.inputs.UpdateCodeSigningConfig!(facts)),
    GetEventSourceMapping: (send, facts) => send('UpdateEventSourceMapping', { ...byMapping(facts), BatchSize: 7 }),
    GetFunction: deleted,
    GetFunctionCodeSigningConfig: (send) => send('DeleteFunctionCodeSigningConfig', of),
    GetFunctionConcurrency: (send) => send('PutFunctionConcurrency', { ...of, ReservedConcurrentExecutions: 20 }),
    GetFunctionConfiguration: deleted,
    GetFunctionEventInvokeConfig: (send) => send('PutFunctionEventInvokeConfig', { ...of, MaximumRetryAttempts: 0 }),
    GetFunctionRecursionConfig: (send) => send('PutFunctionRecursionConfig', { ...of, RecursiveLoop: 'Allow' }),
    GetFunctionScalingConfig: (send) => send('PutFunctionScalingConfig', lambda.inputs.PutFunctionScalingConfig!({})),
    GetFunctionUrlConfig: (send) => send('UpdateFunctionUrlConfig', { ...of, AuthType: 'AWS_IAM' }),
    // A layer version never changes.
    GetLayerVersion: undefined,
    GetLayerVersionByArn: undefined,
    GetLayerVersionPolicy: (send) => send('AddLayerVersionPermission', sharing),
    GetPolicy: (send) => send('AddPermission', { ...of, ...permission }),
    GetProvisionedConcurrencyConfig: (send) =>
      send('PutProvisionedConcurrencyConfig', { ...byVersionAhead(), ProvisionedConcurrentExecutions: 3 }),
    GetRuntimeManagementConfig: (send) =>
      send('PutRuntimeManagementConfig', { ...of, UpdateRuntimeOn: 'FunctionUpdate' }),
    // Responses of functions depend on code and payload, as tests of the service show.
    Invoke: undefined,
    InvokeAsync: undefined,
    InvokeWithResponseStream: undefined,
    ListAliases: (send) => send('DeleteAlias', { ...of, Name: 'live' }),
    ListCapacityProviders: (send) => send('DeleteCapacityProvider', byProvider()),
    ListCodeSigningConfigs: (send) => send('CreateCodeSigningConfig', lambda.inputs.CreateCodeSigningConfig!({})),
    ListEventSourceMappings: (send, facts) => send('DeleteEventSourceMapping', byMapping(facts)),
    ListFunctionEventInvokeConfigs: (send) => send('DeleteFunctionEventInvokeConfig', of),
    ListFunctionUrlConfigs: (send) => send('DeleteFunctionUrlConfig', of),
    ListFunctionVersionsByCapacityProvider: (send) => send('DeleteFunction', { FunctionName: 'managed' }),
    ListFunctions: another,
    ListFunctionsByCodeSigningConfig: (send) => send('DeleteFunctionCodeSigningConfig', of),
    ListLayerVersions: (send) => send('DeleteLayerVersion', layer),
    ListLayers: (send) => send('DeleteLayerVersion', layer),
    ListProvisionedConcurrencyConfigs: (send) => send('DeleteProvisionedConcurrencyConfig', byVersionAhead()),
    ListTags: (send) => send('TagResource', lambda.inputs.TagResource!({})),
    ListVersionsByFunction: deleted,
  },
};
