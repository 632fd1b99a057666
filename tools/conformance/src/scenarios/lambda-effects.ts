import type { ServiceManifest } from '@emu/core/service';
import { fakeService } from '../../../../packages/gateway/src/testing/fake-service.ts';
import type { Facts, Scenario, Send } from '../scenario.ts';

type Inputs = readonly ((facts: Facts) => Record<string, unknown>)[];

const arn = (resource: string, accountId = '123456789012', service = 'lambda'): string =>
  `arn:aws:${service}:us-east-1:${accountId}:${resource}`;
const FunctionName = 'known';
const NO_CONFIG = arn('code-signing-config:csc-00000000000000000');
const KEY = arn('key/00000000-0000-0000-0000-000000000000', '123456789012', 'kms');

/** Returns the reason of a rejection, if any. */
async function refusal(asked: Promise<unknown>): Promise<string> {
  try {
    await asked;
    return 'taken';
  } catch (error) {
    return (error as Error).name;
  }
}

/** Returns the responses of a function URL to a browser before and after a request. */
const browsed = (send: Send, _: Facts, { FunctionUrl }: Record<string, unknown>): Promise<unknown> =>
  send('Preflight', { FunctionUrl });

/** Whether unsigned packages are accepted. */
const unsigned =
  (Zip: Uint8Array): NonNullable<Scenario['after']>[string] =>
  (send) =>
    refusal(send('UpdateFunctionCode', { FunctionName, ZipFile: Zip }));

const stateOf = (send: Send, _: Facts, { UUID }: Record<string, unknown>): Promise<unknown> =>
  send('GetEventSourceMapping', { UUID });

/** Effects of operations. @param Zip an unsigned package */
export const afterOf = (Zip: Uint8Array): NonNullable<Scenario['after']> => ({
  CreateCodeSigningConfig: async (send, _, { CodeSigningConfig }) => {
    const { CodeSigningConfigArn } = CodeSigningConfig as { CodeSigningConfigArn: string };
    await send('PutFunctionCodeSigningConfig', { FunctionName, CodeSigningConfigArn });
    return refusal(send('UpdateFunctionCode', { FunctionName, ZipFile: Zip }));
  },
  CreateEventSourceMapping: stateOf,
  CreateFunctionUrlConfig: browsed,
  PublishLayerVersion: async (send) => {
    const found: unknown[] = [];
    for (const filter of [{ CompatibleRuntime: 'nodejs20.x' }, { CompatibleArchitecture: 'arm64' }])
      found.push(((await send('ListLayers', filter)).Layers as unknown[]).length);
    return found.join();
  },
  UpdateCodeSigningConfig: unsigned(Zip),
  UpdateFunctionUrlConfig: browsed,
});

/**
 * Sends requests of a browser to a function URL through the emulator, and returns the headers of the responses as one
 * text.
 */
export async function preflight(fetch: typeof globalThis.fetch, url: string): Promise<Record<string, unknown>> {
  const told: string[] = [];
  for (const origin of ['https://a.example', 'https://b.example']) {
    const headers = {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'x-one',
    };
    const answer = await fetch(url, { method: 'OPTIONS', headers });
    told.push(
      ...[...answer.headers].filter(([name]) => name.startsWith('access-control')).map((pair) => pair.join(': ')),
    );
  }
  return { told: told.join('\n') };
}

const FUNCTION = { FunctionName: 'known:live' };
/** A queue as an event source, which is never read. */
const queue = (name: string) => ({ EventSourceArn: arn(name, '123456789012', 'sqs'), Enabled: false });
/** Fake queues for event source mappings. */
export const queues: ServiceManifest = fakeService('sqs', {
  GetQueueAttributes: () => ({ Attributes: { VisibilityTimeout: '60' } }),
});
const cors = {
  Cors: {
    AllowCredentials: true,
    AllowHeaders: ['x-one'],
    AllowMethods: ['PUT'],
    AllowOrigins: ['https://a.example'],
    ExposeHeaders: ['x-two'],
    MaxAge: 5,
  },
};
const instances = (InstanceRequirements: object) => ({ InstanceRequirements });
const provider = {
  CapacityProviderName: 'fresh',
  VpcConfig: { SubnetIds: ['subnet-1'], SecurityGroupIds: ['sg-1'] },
  PermissionsConfig: { CapacityProviderOperatorRoleArn: 'arn:aws:iam::123456789012:role/app' },
};
const polled = {
  ...FUNCTION,
  EventSourceArn: arn('cluster/c/x', '123456789012', 'kafka'),
  Topics: ['topic'],
  StartingPosition: 'LATEST',
  ProvisionedPollerConfig: { MinimumPollers: 10, MaximumPollers: 20 },
};
const elsewhere = arn('function:none');
const there = { Destination: arn('done', '123456789012', 'sqs') };

/** Further inputs. */
export const also: Readonly<Record<string, Inputs>> = {
  CreateCapacityProvider: [
    () => ({ ...provider, ...instances({ AllowedInstanceTypes: ['m7g.large'] }) }),
    () => ({ ...provider, ...instances({ ExcludedInstanceTypes: ['m7g.large'] }) }),
  ],
  CreateEventSourceMapping: [
    () => ({ ...FUNCTION, ...queue('work') }),
    () => ({ ...FUNCTION, ...queue('work.fifo') }),
    () => ({ ...FUNCTION, ...queue('work'), ProvisionedPollerConfig: { MinimumPollers: 10 } }),
    () => polled,
    () => ({
      ...FUNCTION,
      SelfManagedEventSource: { Endpoints: { KAFKA_BOOTSTRAP_SERVERS: ['kafka.example:9092'] } },
      Topics: ['topic'],
      StartingPosition: 'LATEST',
      SourceAccessConfigurations: [{ Type: 'VPC_SUBNET', URI: 'subnet:subnet-1' }],
    }),
  ],
  CreateFunctionUrlConfig: [() => ({ FunctionName, Qualifier: 'live', AuthType: 'NONE', ...cors })],
  PutFunctionEventInvokeConfig: [
    () => ({
      FunctionName,
      DestinationConfig: {
        OnSuccess: { Destination: arn('done', '123456789012', 'sqs') },
        OnFailure: { Destination: arn('failed', '123456789012', 'sqs') },
      },
    }),
  ],
  UpdateEventSourceMapping: [
    ({ kafka: UUID }) => ({ UUID, BatchSize: 5 }),
    ({ queued: UUID }) => ({ UUID, BatchSize: 5 }),
    ({ ordered: UUID }) => ({ UUID, BatchSize: 5 }),
    ({ pollers: UUID }) => ({ UUID, ProvisionedPollerConfig: { MinimumPollers: 10, MaximumPollers: 20 } }),
  ],
  UpdateFunctionConfiguration: [
    () => ({ FunctionName, MemorySize: 4096, CapacityProviderConfig: onProvider('provider') }),
  ],
  UpdateFunctionUrlConfig: [() => ({ FunctionName, ...cors })],
};

/** States for single operations. */
export const before: NonNullable<Scenario['before']> = {
  UpdateEventSourceMapping: async (send) => {
    const made = async (input: object): Promise<string> =>
      (await send('CreateEventSourceMapping', { ...FUNCTION, ...input })).UUID as string;
    return {
      kafka: await made(polled),
      queued: await made(queue('work')),
      ordered: await made(queue('work.fifo')),
      pollers: await made({ ...queue('polled'), ProvisionedPollerConfig: { MinimumPollers: 10, MaximumPollers: 20 } }),
    };
  },
};

const MANAGED = 'LambdaManagedInstancesCapacityProviderConfig';
const onProvider = (name: string) => ({ [MANAGED]: { CapacityProviderArn: arn(`capacity-provider:${name}`) } });
const configs = (operation: string): Record<string, readonly unknown[]> => ({
  [`${operation}.CapacityProviderConfig`]: [onProvider('provider'), onProvider('none')],
  [`${operation}.CapacityProviderConfig.${MANAGED}`]: [onProvider('none')[MANAGED]],
  [`${operation}.Environment`]: [{ Variables: { AWS_REGION: 'x' } }],
  [`${operation}.Environment.Variables`]: [{ AWS_REGION: 'x' }],
  [`${operation}.DeadLetterConfig`]: [{ TargetArn: arn('x', '123456789012', 'kinesis') }],
  [`${operation}.DeadLetterConfig.TargetArn`]: [
    arn('dead', '123456789012', 'sqs'),
    arn('x', '123456789012', 'kinesis'),
  ],
  [`${operation}.LoggingConfig`]: [{ LogFormat: 'Text' }],
  [`${operation}.KMSKeyArn`]: [KEY],
  [`${operation}.EphemeralStorage`]: [{ Size: 1024 }],
});
const mappings = (operation: string): Record<string, readonly unknown[]> => ({
  [`${operation}.BatchSize`]: [100],
  [`${operation}.ScalingConfig`]: [{ MaximumConcurrency: 2 }],
  [`${operation}.ScalingConfig.MaximumConcurrency`]: [2],
  [`${operation}.ProvisionedPollerConfig.MinimumPollers`]: [30],
  [`${operation}.ProvisionedPollerConfig.MaximumPollers`]: [5, 1],
});
const destinations = (operation: string): Record<string, readonly unknown[]> =>
  Object.fromEntries(
    ['OnSuccess', 'OnFailure'].flatMap((side) => [
      [`${operation}.DestinationConfig.${side}`, [there, { Destination: elsewhere }]],
      [`${operation}.DestinationConfig.${side}.Destination`, [elsewhere]],
      [
        `${operation}.DestinationConfig`,
        [{ OnSuccess: there, OnFailure: there }, { OnSuccess: { Destination: elsewhere } }],
      ],
    ]),
  );

/** Further values of members. */
export const values: NonNullable<Scenario['values']> = {
  ...configs('CreateFunction'),
  ...configs('UpdateFunctionConfiguration'),
  ...mappings('CreateEventSourceMapping'),
  ...mappings('UpdateEventSourceMapping'),
  ...destinations('CreateEventSourceMapping'),
  ...destinations('UpdateEventSourceMapping'),
  ...destinations('PutFunctionEventInvokeConfig'),
  ...destinations('UpdateFunctionEventInvokeConfig'),
  ...Object.fromEntries(
    [
      ...['DeleteCodeSigningConfig', 'GetCodeSigningConfig', 'ListFunctionsByCodeSigningConfig'],
      ...['PutFunctionCodeSigningConfig', 'UpdateCodeSigningConfig'],
    ].map((operation) => [`${operation}.CodeSigningConfigArn`, [NO_CONFIG]]),
  ),
  'AddLayerVersionPermission.Action': ['lambda:DeleteLayerVersion'],
  'AddLayerVersionPermission.OrganizationId': ['o-abcdefghij'],
  'AddPermission.PrincipalOrgID': ['o-abcdefghij'],
  'CreateAlias.FunctionVersion': ['9'],
  'CreateCodeSigningConfig.CodeSigningPolicies': [{ UntrustedArtifactOnDeployment: 'Enforce' }],
  'UpdateCodeSigningConfig.CodeSigningPolicies': [{ UntrustedArtifactOnDeployment: 'Enforce' }],
  'CreateFunction.CodeSigningConfigArn': [NO_CONFIG],
  'GetFunctionScalingConfig.Qualifier': ['2'],
  'GetLayerVersionByArn.Arn': [arn('layer:none:1')],
  'ListDurableExecutionsByFunction.Statuses': [['SUCCEEDED']],
  'ListFunctionsByCodeSigningConfig.MaxItems': [1],
  'ListProvisionedConcurrencyConfigs.MaxItems': [1],
  'ListFunctions.MasterRegion': ['us-west-2', 'ALL'],
  'PublishLayerVersion.CompatibleRuntimes': [['nodejs20.x'], ['python3.12']],
  'PublishLayerVersion.CompatibleArchitectures': [['arm64'], ['x86_64']],
  'PutRuntimeManagementConfig.RuntimeVersionArn': [`arn:aws:lambda:us-east-1::runtime:${'0'.repeat(64)}`],
  'PutFunctionScalingConfig.Qualifier': ['2'],
  'PutFunctionScalingConfig.FunctionScalingConfig': [{ MinExecutionEnvironments: 3, MaxExecutionEnvironments: 2 }],
  'UpdateAlias.FunctionVersion': ['9'],
  'UpdateFunctionConfiguration.Handler': ['index.other'],
};
