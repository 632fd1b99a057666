import { zipOf } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { arn, BASE, CODE, failureOf, ROLE, startLambda } from './support.ts';

const PROFILE = 'arn:aws:signer:us-east-1:000000000000:/signing-profiles/p/1';
const NO_FUNCTION = `ResourceNotFoundException: Function not found: ${arn('function:none')}`;

describe('code signing configurations', () => {
  it('are created, used by functions, and deleted when unused', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const AllowedPublishers = { SigningProfileVersionArns: [PROFILE] };
    const { CodeSigningConfig: created } = await test.lambda.createCodeSigningConfig({
      AllowedPublishers,
      Description: 'd',
      CodeSigningPolicies: { UntrustedArtifactOnDeployment: 'Enforce' },
    });
    const CodeSigningConfigArn = created!.CodeSigningConfigArn!;
    expect(created).toMatchObject({
      AllowedPublishers,
      Description: 'd',
      CodeSigningPolicies: { UntrustedArtifactOnDeployment: 'Enforce' },
    });
    expect(CodeSigningConfigArn).toBe(arn(`code-signing-config:${created!.CodeSigningConfigId}`));
    const none = await test.lambda.getFunctionCodeSigningConfig({ FunctionName });
    expect(none.CodeSigningConfigArn).toBeUndefined();
    await test.lambda.putFunctionCodeSigningConfig({ FunctionName, CodeSigningConfigArn });
    expect(await test.lambda.getFunctionCodeSigningConfig({ FunctionName })).toMatchObject({
      CodeSigningConfigArn,
      FunctionName,
    });
    const users = () => test.lambda.listFunctionsByCodeSigningConfig({ CodeSigningConfigArn });
    expect((await users()).FunctionArns).toEqual([arn('function:fn')]);
    expect(await failureOf(test.lambda.deleteCodeSigningConfig({ CodeSigningConfigArn }))).toMatch(
      /^ResourceConflictException: /,
    );
    await test.lambda.updateCodeSigningConfig({
      CodeSigningConfigArn,
      CodeSigningPolicies: { UntrustedArtifactOnDeployment: 'Warn' },
    });
    const { CodeSigningConfig: got } = await test.lambda.getCodeSigningConfig({ CodeSigningConfigArn });
    expect(got).toMatchObject({ Description: 'd', CodeSigningPolicies: { UntrustedArtifactOnDeployment: 'Warn' } });
    expect((await test.lambda.listCodeSigningConfigs({})).CodeSigningConfigs).toEqual([got]);
    await test.lambda.deleteFunctionCodeSigningConfig({ FunctionName });
    expect((await users()).FunctionArns).toEqual([]);
    await test.lambda.deleteCodeSigningConfig({ CodeSigningConfigArn });
    expect(await failureOf(test.lambda.getCodeSigningConfig({ CodeSigningConfigArn }))).toBe(
      `ResourceNotFoundException: The Lambda code signing configuration ${CodeSigningConfigArn} can not be found.`,
    );
    const put = (name: string) =>
      failureOf(test.lambda.putFunctionCodeSigningConfig({ FunctionName: name, CodeSigningConfigArn }));
    expect(await put('none')).toBe(
      `CodeSigningConfigNotFoundException: The code signing configuration cannot be found. Check that the provided configuration is not deleted: ${CodeSigningConfigArn}.`,
    );
    expect(await failureOf(test.lambda.getFunctionCodeSigningConfig({ FunctionName: 'none' }))).toBe(NO_FUNCTION);
  });
});

describe('code signing', () => {
  const unsigned = (name: string) =>
    `CodeVerificationFailedException: Lambda cannot deploy the function. The function or layer might be signed using a signature that the client is not configured to accept. Check the provided signature for ${name}.`;

  it('rejects unsigned packages when enforced', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const { CodeSigningConfig } = await test.lambda.createCodeSigningConfig({
      AllowedPublishers: { SigningProfileVersionArns: [PROFILE] },
      CodeSigningPolicies: { UntrustedArtifactOnDeployment: 'Enforce' },
    });
    const CodeSigningConfigArn = CodeSigningConfig!.CodeSigningConfigArn!;
    const create = { ...BASE, FunctionName: 'signed', CodeSigningConfigArn };
    expect(await failureOf(test.lambda.createFunction(create))).toBe(unsigned('signed'));
    await test.lambda.putFunctionCodeSigningConfig({ FunctionName, CodeSigningConfigArn });
    const update = (ZipFile: Uint8Array) => test.lambda.updateFunctionCode({ FunctionName, ZipFile });
    expect(await failureOf(update(CODE))).toBe(unsigned('fn'));
    const signed = zipOf({ 'index.js': '', 'META-INF/aws_signer_signature_v1.0.SF': 'signature' });
    expect(await failureOf(update(signed))).toBe(
      'NotImplemented: emu does not implement verifying the signatures of lambda packages.',
    );
    await test.lambda.updateCodeSigningConfig({
      CodeSigningConfigArn,
      CodeSigningPolicies: { UntrustedArtifactOnDeployment: 'Warn' },
    });
    await update(CODE);
  });
});

describe('capacity providers', () => {
  const provider = {
    CapacityProviderName: 'provider',
    VpcConfig: { SubnetIds: ['subnet-1'], SecurityGroupIds: ['sg-1'] },
    PermissionsConfig: { CapacityProviderOperatorRoleArn: ROLE },
  };

  it('are stored, and functions run on them', async () => {
    await using test = await startLambda();
    const { CapacityProvider: created } = await test.lambda.createCapacityProvider({
      ...provider,
      InstanceRequirements: { Architectures: ['arm64'] },
    });
    const { CapacityProviderArn } = created!;
    expect(created).toMatchObject({ CapacityProviderArn: arn('capacity-provider:provider'), State: 'Pending' });
    expect(
      (await test.lambda.getCapacityProvider({ CapacityProviderName: CapacityProviderArn })).CapacityProvider,
    ).toMatchObject({
      State: 'Active',
      VpcConfig: provider.VpcConfig,
      InstanceRequirements: { Architectures: ['arm64'] },
    });
    expect(await failureOf(test.lambda.createCapacityProvider(provider))).toBe(
      `ResourceConflictException: Capacity provider already exists: ${CapacityProviderArn}`,
    );
    await test.lambda.updateCapacityProvider({
      CapacityProviderName: 'provider',
      CapacityProviderScalingConfig: { MaxVCpuCount: 10 },
    });
    const { CapacityProviders } = await test.lambda.listCapacityProviders({});
    expect(CapacityProviders).toMatchObject([{ CapacityProviderScalingConfig: { MaxVCpuCount: 10 } }]);
    const CapacityProviderConfig = { LambdaManagedInstancesCapacityProviderConfig: { CapacityProviderArn } };
    const FunctionName = await test.create('fn', { MemorySize: 16_384, CapacityProviderConfig, Publish: true });
    const versions = await test.lambda.listFunctionVersionsByCapacityProvider({ CapacityProviderName: 'provider' });
    expect(versions.FunctionVersions!.map(({ FunctionArn }) => FunctionArn)).toEqual([
      arn('function:fn:$LATEST'),
      arn('function:fn:1'),
    ]);
    const of = { FunctionName, Qualifier: '1' };
    const FunctionScalingConfig = { MinExecutionEnvironments: 1, MaxExecutionEnvironments: 3 };
    await test.lambda.putFunctionScalingConfig({ ...of, FunctionScalingConfig });
    expect(await test.lambda.getFunctionScalingConfig(of)).toMatchObject({
      FunctionArn: arn('function:fn:1'),
      AppliedFunctionScalingConfig: FunctionScalingConfig,
      RequestedFunctionScalingConfig: FunctionScalingConfig,
    });
    const published = await test.lambda.publishVersion({ FunctionName, PublishTo: 'LATEST_PUBLISHED' });
    expect(published.FunctionArn).toBe(arn('function:fn:$LATEST.PUBLISHED'));
    expect(await failureOf(test.lambda.deleteCapacityProvider({ CapacityProviderName: 'provider' }))).toMatch(
      /^ResourceConflictException: /,
    );
    await test.lambda.deleteFunction({ FunctionName });
    const deleted = await test.lambda.deleteCapacityProvider({ CapacityProviderName: 'provider' });
    expect(deleted.CapacityProvider!.State).toBe('Deleting');
    expect(await failureOf(test.lambda.getCapacityProvider({ CapacityProviderName: 'provider' }))).toBe(
      `ResourceNotFoundException: Capacity provider not found: ${CapacityProviderArn}`,
    );
  });

  it('validates requests', async () => {
    await using test = await startLambda();
    const InstanceRequirements = { AllowedInstanceTypes: ['m5.large'], ExcludedInstanceTypes: ['m5.xlarge'] };
    expect(await failureOf(test.lambda.createCapacityProvider({ ...provider, InstanceRequirements }))).toMatch(
      /^InvalidParameterValueException: /,
    );
    const FunctionName = await test.create('fn', { Publish: true });
    expect(await failureOf(test.lambda.getFunctionScalingConfig({ FunctionName, Qualifier: '1' }))).toMatch(
      /^InvalidParameterValueException: /,
    );
    expect(await failureOf(test.lambda.publishVersion({ FunctionName, PublishTo: 'LATEST_PUBLISHED' }))).toMatch(
      /^InvalidParameterValueException: /,
    );
  });
});

// Recorded from AWS: lambda_api, TestLambdaTags and TestLambdaTag.
describe('tags', () => {
  it('are added and removed', async () => {
    await using test = await startLambda();
    await test.create('fn', { Tags: { a: '1' } });
    const { CodeSigningConfig } = await test.lambda.createCodeSigningConfig({
      AllowedPublishers: { SigningProfileVersionArns: [PROFILE] },
      Tags: { a: '1' },
    });
    for (const Resource of [arn('function:fn'), CodeSigningConfig!.CodeSigningConfigArn!]) {
      await test.lambda.tagResource({ Resource, Tags: { a: '2', b: '3' } });
      expect((await test.lambda.listTags({ Resource })).Tags).toEqual({ a: '2', b: '3' });
      await test.lambda.untagResource({ Resource, TagKeys: ['a', 'none'] });
      expect((await test.lambda.listTags({ Resource })).Tags).toEqual({ b: '3' });
    }
    expect((await test.lambda.getFunction({ FunctionName: 'fn' })).Tags).toEqual({ b: '3' });
  });

  it('rejects invalid requests', async () => {
    await using test = await startLambda();
    await test.create();
    const tag = (Resource: string, Tags: Record<string, string> = { a: 'b' }) =>
      failureOf(test.lambda.tagResource({ Resource, Tags }));
    expect(await tag(arn('function:none'))).toBe(NO_FUNCTION);
    expect(await tag(arn('function:fn:1'))).toBe(
      'InvalidParameterValueException: Tags on function aliases and versions are not supported. Please specify a function ARN.',
    );
    expect(await tag(arn('function:fn'), {})).toBe(
      'InvalidParameterValueException: An error occurred and the request cannot be processed.',
    );
    expect(await tag(arn('function:fn'), { 'aws:own': 'x' })).toMatch(/^InvalidParameterValueException: /);
    const uuid = '00000000-0000-0000-0000-000000000000';
    expect(await tag(arn(`event-source-mapping:${uuid}`))).toBe(
      `ResourceNotFoundException: Event source mapping not found: ${arn(`event-source-mapping:${uuid}`)}`,
    );
    expect(await tag(arn('capacity-provider:none'))).toBe(
      `ResourceNotFoundException: Capacity provider not found: ${arn('capacity-provider:none')}`,
    );
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']));
    expect(await tag(arn('function:fn'), many)).toBe(
      'InvalidParameterValueException: Number of tags exceeds resource tag limit.',
    );
    expect(await tag('arn:aws:something')).toMatch(
      /^ValidationException: 1 validation error detected: Value 'arn:aws:something' at 'resource'/,
    );
  });
});

describe('settings', () => {
  it('control whether loops are stopped', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const get = async () => (await test.lambda.getFunctionRecursionConfig({ FunctionName })).RecursiveLoop;
    expect(await get()).toBe('Terminate');
    await test.lambda.putFunctionRecursionConfig({ FunctionName, RecursiveLoop: 'Allow' });
    expect(await get()).toBe('Allow');
    expect(await failureOf(test.lambda.getFunctionRecursionConfig({ FunctionName: 'none' }))).toBe(NO_FUNCTION);
  });

  it('control when runtimes are updated', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    const get = (Qualifier?: string) => test.lambda.getRuntimeManagementConfig({ FunctionName, Qualifier });
    expect(await get()).toMatchObject({ UpdateRuntimeOn: 'Auto', FunctionArn: arn('function:fn') });
    const RuntimeVersionArn = 'arn:aws:lambda:us-east-1::runtime:1234';
    await test.lambda.putRuntimeManagementConfig({
      FunctionName,
      Qualifier: '1',
      UpdateRuntimeOn: 'Manual',
      RuntimeVersionArn,
    });
    expect(await get('1')).toMatchObject({
      UpdateRuntimeOn: 'Manual',
      RuntimeVersionArn,
      FunctionArn: arn('function:fn:1'),
    });
    const { RuntimeVersionConfig } = await test.lambda.getFunctionConfiguration({ FunctionName, Qualifier: '1' });
    expect(RuntimeVersionConfig).toEqual({ RuntimeVersionArn });
    expect((await get()).UpdateRuntimeOn).toBe('Auto');
    await test.lambda.putRuntimeManagementConfig({ FunctionName, UpdateRuntimeOn: 'FunctionUpdate' });
    const { $metadata, ...updated } = await get();
    // Lambda selects the version and returns none.
    expect(updated).toEqual({ UpdateRuntimeOn: 'FunctionUpdate', FunctionArn: arn('function:fn') });
    const wrong = [{ UpdateRuntimeOn: 'Manual' }, { UpdateRuntimeOn: 'Auto', RuntimeVersionArn }] as const;
    for (const input of wrong)
      expect(await failureOf(test.lambda.putRuntimeManagementConfig({ FunctionName, ...input }))).toMatch(
        /^InvalidParameterValueException: RuntimeVersionArn /,
      );
  });

  it("return the account's limits and usage", async () => {
    await using test = await startLambda();
    await test.create();
    expect(await test.lambda.getAccountSettings({})).toMatchObject({
      AccountLimit: {
        TotalCodeSize: 80_530_636_800,
        CodeSizeUnzipped: 262_144_000,
        CodeSizeZipped: 52_428_800,
        ConcurrentExecutions: 1000,
        UnreservedConcurrentExecutions: 1000,
      },
      AccountUsage: { FunctionCount: 1 },
    });
  });
});
