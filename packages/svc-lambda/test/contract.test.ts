import { Lambda } from '@aws-sdk/client-lambda';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { type ServiceModel, unsupportedPatterns } from '@emu/wire';
import { expect, it } from 'vitest';
import model from '../model/lambda.json' with { type: 'json' };
import { manifest } from '../src/manifest.ts';
import { BASE, CODE } from './support.ts';

const FunctionName = 'fn';

async function act(config: TestClientConfig): Promise<void> {
  const lambda = new Lambda(config);
  const { LayerVersionArn } = await lambda.publishLayerVersion({ LayerName: 'layer', Content: { ZipFile: CODE } });
  await lambda.addLayerVersionPermission({
    LayerName: 'layer',
    VersionNumber: 1,
    StatementId: 's',
    Action: 'lambda:GetLayerVersion',
    Principal: '*',
  });
  const { CodeSigningConfig } = await lambda.createCodeSigningConfig({
    AllowedPublishers: { SigningProfileVersionArns: ['arn:aws:signer:us-east-1:123456789012:/signing-profiles/p/1'] },
  });
  await lambda.createFunction({
    ...BASE,
    FunctionName,
    Environment: { Variables: { KEY: 'value' } },
    Layers: [LayerVersionArn!],
    Tags: { tag: 'value' },
    Publish: true,
    CodeSigningConfigArn: CodeSigningConfig!.CodeSigningConfigArn,
  });
  await lambda.createAlias({ FunctionName, Name: 'live', FunctionVersion: '1' });
  await lambda.addPermission({
    FunctionName,
    StatementId: 's3',
    Action: 'lambda:InvokeFunction',
    Principal: 's3.amazonaws.com',
  });
  await lambda.createFunctionUrlConfig({ FunctionName, AuthType: 'NONE', Cors: { AllowOrigins: ['*'] } });
  await lambda.putFunctionConcurrency({ FunctionName, ReservedConcurrentExecutions: 5 });
  await lambda.putProvisionedConcurrencyConfig({
    FunctionName,
    Qualifier: 'live',
    ProvisionedConcurrentExecutions: 2,
  });
  await lambda.putFunctionEventInvokeConfig({ FunctionName, MaximumRetryAttempts: 0 });
  await lambda.putFunctionRecursionConfig({ FunctionName, RecursiveLoop: 'Allow' });
  await lambda.putRuntimeManagementConfig({ FunctionName, UpdateRuntimeOn: 'FunctionUpdate' });
  await lambda.createEventSourceMapping({
    FunctionName,
    EventSourceArn: 'arn:aws:mq:us-east-1:123456789012:broker:b:1',
    Queues: ['q'],
    SourceAccessConfigurations: [{ Type: 'BASIC_AUTH', URI: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:s' }],
  });
  await lambda.createCapacityProvider({
    CapacityProviderName: 'provider',
    VpcConfig: { SubnetIds: ['subnet-1'], SecurityGroupIds: ['sg-1'] },
    PermissionsConfig: { CapacityProviderOperatorRoleArn: BASE.Role },
  });
}

async function observe(config: TestClientConfig) {
  const lambda = new Lambda(config);
  const { Functions } = await lambda.listFunctions({ FunctionVersion: 'ALL' });
  const found = [
    (await lambda.listLayers({})).Layers,
    (await lambda.listCodeSigningConfigs({})).CodeSigningConfigs,
    (await lambda.listEventSourceMappings({})).EventSourceMappings,
    (await lambda.listCapacityProviders({})).CapacityProviders,
    (await lambda.getAccountSettings({})).AccountUsage,
    Functions,
  ];
  if (!Functions!.length) return found;
  const of = { FunctionName };
  const url = await lambda.getFunctionUrlConfig(of);
  const { ProvisionedConcurrencyConfigs } = await lambda.listProvisionedConcurrencyConfigs(of);
  return JSON.stringify(
    [
      ...found,
      await lambda.getLayerVersionPolicy({ LayerName: 'layer', VersionNumber: 1 }),
      // The emulator's address differs between starts.
      { ...(await lambda.getFunction(of)), Code: undefined },
      { ...url, FunctionUrl: new URL(url.FunctionUrl!).hostname },
      await lambda.listAliases(of),
      await lambda.getPolicy(of),
      // The number of ready environments is not persisted.
      ProvisionedConcurrencyConfigs!.map(({ FunctionArn, RequestedProvisionedConcurrentExecutions, LastModified }) => [
        FunctionArn,
        RequestedProvisionedConcurrentExecutions,
        LastModified,
      ]),
      await lambda.getFunctionEventInvokeConfig(of),
      await lambda.getFunctionRecursionConfig(of),
      await lambda.getRuntimeManagementConfig(of),
      await lambda.getFunctionCodeSigningConfig(of),
    ],
    (key, value: unknown) => (key === '$metadata' ? undefined : value),
  );
}

describeServiceContract({ manifest, scope: 'region', act, observe });

it('checks all patterns in its model', () => {
  expect(unsupportedPatterns(model as unknown as ServiceModel)).toEqual([]);
});
