import { zipOf } from '@emu/gateway/testing';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { describeTypes, type Env, typeCase, typeVariant } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];
const CODE = { ZipFile: 'exports.handler = async (event) => event;' };
const PROFILE = 'arn:aws:signer:us-east-1:000000000000:/signing-profiles/p/abcdefghij';

const ROLE = {
  AssumeRolePolicyDocument: {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
  },
};

async function functionOf(env: Env) {
  const role = (await env.make('AWS::IAM::Role', ROLE)).attributes.Arn;
  const properties = { Code: CODE, Handler: 'index.handler', Runtime: 'nodejs22.x', Role: role };
  const made = await env.make('AWS::Lambda::Function', properties);
  return { role, name: made.id, arn: made.attributes.Arn!, properties };
}

async function versionsOf(env: Env) {
  const { name, arn } = await functionOf(env);
  await env.make('AWS::Lambda::Version', { FunctionName: name });
  await env.call('lambda', 'UpdateFunctionConfiguration', { FunctionName: name, Timeout: 9 });
  await env.make('AWS::Lambda::Version', { FunctionName: name });
  return { name, arn };
}

async function packageOf(env: Env) {
  await env.call('s3', 'CreateBucket', { Bucket: 'code' }).catch(() => undefined);
  const Body = zipOf({ 'index.js': 'exports.handler = async () => 2;' }).toString('base64');
  await env.call('s3', 'PutObject', { Bucket: 'code', Key: 'code.zip', Body });
  return { S3Bucket: 'code', S3Key: 'code.zip' };
}

async function layerOf(env: Env) {
  return (await env.make('AWS::Lambda::LayerVersion', { Content: await packageOf(env) })).id;
}

describeTypes(
  [lambda, s3, sqs, kinesis, kms, iam, sts],
  [
    typeCase({
      type: 'AWS::Lambda::Function',
      needs: async (env) => ({
        ...(await functionOf(env)),
        code: await packageOf(env),
        layer: await layerOf(env),
        queue: (await env.make('AWS::SQS::Queue')).attributes.Arn,
        key: 'arn:aws:kms:us-east-1:000000000000:key/00000000-0000-0000-0000-000000000000',
        signing: (
          await env.make('AWS::Lambda::CodeSigningConfig', {
            AllowedPublishers: { SigningProfileVersionArns: [PROFILE] },
          })
        ).id,
      }),
      least: ({ properties }) => ({ ...properties }),
      most: ({ code, layer, queue, signing }) => ({
        Architectures: ['arm64'],
        Code: code,
        CodeSigningConfigArn: signing,
        DeadLetterConfig: { TargetArn: queue },
        Description: 'described',
        Environment: { Variables: { AB: '1' } },
        EphemeralStorage: { Size: 1024 },
        Handler: 'other.handler',
        Layers: [layer],
        LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'DEBUG', SystemLogLevel: 'WARN' },
        MemorySize: 256,
        RecursiveLoop: 'Allow',
        ReservedConcurrentExecutions: 3,
        Runtime: 'nodejs20.x',
        RuntimeManagementConfig: { UpdateRuntimeOn: 'FunctionUpdate' },
        Tags: TAGS,
        Timeout: 20,
        TracingConfig: { Mode: 'Active' },
      }),
      other: () => ({ FunctionName: 'named', PackageType: 'Zip' }),
      unread: { Code: 'returned as a link only' },
      untried: {
        CapacityProviderConfig: 'goes with a capacity provider',
        DurableConfig: 'only of functions that were made durable',
        ImageConfig: 'only of images',
        KmsKeyArn: 'needs a key that encrypts the variables',
        SnapStart: 'not of this runtime: see serverless-applications.test.ts',
        TenancyConfig: 'only of functions that were made for tenants',
        VpcConfig: 'needs EC2, which emu does not have',
      },
    }),
    typeCase({
      type: 'AWS::Lambda::Version',
      needs: async (env) => [await functionOf(env), await functionOf(env)] as const,
      least: ([{ name }]) => ({ FunctionName: name, Description: 'described' }),
      other: ([, { name }]) => ({
        FunctionName: name,
        ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 1 },
        RuntimePolicy: { UpdateRuntimeOn: 'FunctionUpdate' },
      }),
      untried: { CodeSha256: 'compared by Lambda only' },
    }),
    typeCase({
      type: 'AWS::Lambda::Alias',
      needs: versionsOf,
      least: ({ name }) => ({ FunctionName: name, FunctionVersion: '1', Name: 'one' }),
      most: () => ({
        Description: 'described',
        FunctionVersion: '2',
        ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 1 },
        RoutingConfig: { AdditionalVersionWeights: [{ FunctionVersion: '1', FunctionWeight: 0.5 }] },
      }),
      other: () => ({ Name: 'two' }),
    }),
    typeCase({
      type: 'AWS::Lambda::Permission',
      needs: functionOf,
      least: ({ name }) => ({ FunctionName: name, Action: 'lambda:InvokeFunction', Principal: 's3.amazonaws.com' }),
      other: () => ({
        Action: 'lambda:InvokeFunctionUrl',
        EventSourceToken: 'token',
        FunctionUrlAuthType: 'NONE',
        Principal: '*',
        PrincipalOrgID: 'o-1234567890',
        SourceAccount: '000000000000',
        SourceArn: 'arn:aws:s3:::bucket',
      }),
      untried: { InvokedViaFunctionUrl: 'not with the action of URLs' },
    }),
    typeCase({
      type: 'AWS::Lambda::EventSourceMapping',
      needs: async (env) => {
        const queues = [await env.make('AWS::SQS::Queue'), await env.make('AWS::SQS::Queue')];
        return {
          arn: (await functionOf(env)).arn,
          arn2: (await functionOf(env)).arn,
          queues: queues.map(({ attributes }) => attributes.Arn),
        };
      },
      least: ({ arn, queues }) => ({ FunctionName: arn, EventSourceArn: queues[0] }),
      most: ({ arn2 }) => ({
        BatchSize: 5,
        Enabled: false,
        FilterCriteria: { Filters: [{ Pattern: '{"body":{"a":["b"]}}' }] },
        FunctionName: arn2,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumBatchingWindowInSeconds: 3,
        MetricsConfig: { Metrics: ['EventCount'] },
        ScalingConfig: { MaximumConcurrency: 4 },
        Tags: TAGS,
      }),
      other: ({ queues }) => ({ EventSourceArn: queues[1] }),
      variants: {
        'of streams': typeVariant({
          needs: async (env) => ({
            arn: (await functionOf(env)).arn,
            queue: (await env.make('AWS::SQS::Queue')).attributes.Arn,
            streams: [await env.make('AWS::Kinesis::Stream'), await env.make('AWS::Kinesis::Stream')].map(
              ({ attributes }) => attributes.Arn,
            ),
          }),
          least: ({ arn, streams }) => ({
            FunctionName: arn,
            EventSourceArn: streams[0],
            StartingPosition: 'TRIM_HORIZON',
          }),
          most: ({ queue }) => ({
            BisectBatchOnFunctionError: true,
            DestinationConfig: { OnFailure: { Destination: queue } },
            MaximumRecordAgeInSeconds: 120,
            MaximumRetryAttempts: 5,
            ParallelizationFactor: 2,
          }),
          other: ({ streams }) => ({
            EventSourceArn: streams[1],
            StartingPosition: 'AT_TIMESTAMP',
            StartingPositionTimestamp: 1_700_000_000,
          }),
        }),
        'of topics of a managed cluster': typeVariant({
          needs: async (env) => ({ arn: (await functionOf(env)).arn }),
          least: ({ arn }) => ({
            FunctionName: arn,
            EventSourceArn: 'arn:aws:kafka:us-east-1:000000000000:cluster/c/12345678-1234-1234-1234-123456789012-1',
            Topics: ['orders'],
            StartingPosition: 'LATEST',
            AmazonManagedKafkaEventSourceConfig: { ConsumerGroupId: 'group' },
          }),
          most: () => ({ ProvisionedPollerConfig: { MinimumPollers: 1, MaximumPollers: 3 } }),
          other: () => ({ Topics: ['others'] }),
        }),
        'of topics of other servers': typeVariant({
          needs: async (env) => ({ arn: (await functionOf(env)).arn }),
          least: ({ arn }) => ({
            FunctionName: arn,
            SelfManagedEventSource: { Endpoints: { KafkaBootstrapServers: ['a.example.com:9092'] } },
            SelfManagedKafkaEventSourceConfig: { ConsumerGroupId: 'group' },
            SourceAccessConfigurations: [{ Type: 'VPC_SUBNET', URI: 'subnet:subnet-1' }],
            StartingPosition: 'LATEST',
            Topics: ['orders'],
          }),
          most: () => ({ SourceAccessConfigurations: [{ Type: 'VPC_SUBNET', URI: 'subnet:subnet-2' }] }),
          other: () => ({ Topics: ['others'] }),
        }),
        'of a broker': typeVariant({
          needs: async (env) => ({ arn: (await functionOf(env)).arn }),
          least: ({ arn }) => ({
            FunctionName: arn,
            EventSourceArn: 'arn:aws:mq:us-east-1:000000000000:broker:b:b-12345678-1234-1234-1234-123456789012',
            Queues: ['orders'],
            SourceAccessConfigurations: [
              { Type: 'BASIC_AUTH', URI: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:s-abcdef' },
            ],
          }),
          other: () => ({ Queues: ['others'] }),
        }),
        'in windows': typeVariant({
          needs: async (env) => ({
            arn: (await functionOf(env)).arn,
            stream: (await env.make('AWS::Kinesis::Stream')).attributes.Arn,
            stream2: (await env.make('AWS::Kinesis::Stream')).attributes.Arn,
          }),
          least: ({ arn, stream }) => ({ FunctionName: arn, EventSourceArn: stream, StartingPosition: 'LATEST' }),
          most: () => ({ TumblingWindowInSeconds: 30 }),
          other: ({ stream2 }) => ({ EventSourceArn: stream2 }),
        }),
      },
      untried: { KmsKeyArn: 'needs a key that encrypts the filter' },
    }),
    typeCase({
      type: 'AWS::Lambda::Url',
      needs: async (env) => {
        const { name, arn } = await versionsOf(env);
        await env.make('AWS::Lambda::Alias', { FunctionName: name, FunctionVersion: '1', Name: 'live' });
        return arn;
      },
      least: (arn) => ({ TargetFunctionArn: arn, AuthType: 'NONE' }),
      most: () => ({
        AuthType: 'AWS_IAM',
        Cors: { AllowOrigins: ['https://example.com'], AllowMethods: ['GET'], MaxAge: 10 },
        InvokeMode: 'RESPONSE_STREAM',
      }),
      other: () => ({ Qualifier: 'live' }),
    }),
    typeCase({
      type: 'AWS::Lambda::EventInvokeConfig',
      needs: async (env) => ({
        ...(await versionsOf(env)),
        queue: (await env.make('AWS::SQS::Queue')).attributes.Arn,
      }),
      least: ({ name }) => ({ FunctionName: name, Qualifier: '$LATEST', MaximumRetryAttempts: 2 }),
      most: ({ queue }) => ({
        DestinationConfig: { OnFailure: { Destination: queue } },
        MaximumEventAgeInSeconds: 100,
        MaximumRetryAttempts: 1,
      }),
      other: () => ({ Qualifier: '1' }),
    }),
    typeCase({
      type: 'AWS::Lambda::LayerVersion',
      needs: packageOf,
      least: (code) => ({ Content: code }),
      other: () => ({
        LayerName: 'named',
        CompatibleArchitectures: ['arm64'],
        CompatibleRuntimes: ['nodejs22.x'],
        Description: 'described',
        LicenseInfo: 'MIT',
      }),
      unread: { Content: 'returned as a link only' },
    }),
    typeCase({
      type: 'AWS::Lambda::LayerVersionPermission',
      needs: layerOf,
      least: (layer) => ({ LayerVersionArn: layer, Action: 'lambda:GetLayerVersion', Principal: '111122223333' }),
      other: () => ({ Principal: '*', OrganizationId: 'o-1234567890' }),
    }),
    typeCase({
      type: 'AWS::Lambda::CapacityProvider',
      least: () => ({
        PermissionsConfig: { CapacityProviderOperatorRoleArn: 'arn:aws:iam::123456789012:role/operator' },
        VpcConfig: { SecurityGroupIds: ['sg-1234567890abcdef0'], SubnetIds: ['subnet-1234567890abcdef0'] },
      }),
      most: () => ({
        CapacityProviderScalingConfig: {
          MaxVCpuCount: 20,
          ScalingMode: 'Manual',
          ScalingPolicies: [{ PredefinedMetricType: 'LambdaCapacityProviderAverageCPUUtilization', TargetValue: 60 }],
        },
        Tags: [{ Key: 'a', Value: '1' }],
      }),
      other: () => ({
        CapacityProviderName: 'named',
        InstanceRequirements: { Architectures: ['arm64'] },
      }),
      kept: { CapacityProviderScalingConfig: 'has the most of CPUs that it had' },
      untried: { KmsKeyArn: 'needs a key' },
    }),
    typeCase({
      type: 'AWS::Lambda::CodeSigningConfig',
      least: () => ({ AllowedPublishers: { SigningProfileVersionArns: [PROFILE] } }),
      most: () => ({
        AllowedPublishers: { SigningProfileVersionArns: [`${PROFILE}k`] },
        CodeSigningPolicies: { UntrustedArtifactOnDeployment: 'Enforce' },
        Description: 'described',
        Tags: TAGS,
      }),
    }),
  ],
);
