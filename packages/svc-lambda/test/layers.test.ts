import { zipOf } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, arn, BASE, CODE, failureOf, startLambda } from './support.ts';

const MISSING = 'ResourceNotFoundException: The resource you requested does not exist.';
const Content = { ZipFile: CODE };

// Messages are recorded from AWS: lambda_api, TestLambdaLayer.
describe('layers', () => {
  it('have versions', async () => {
    await using test = await startLambda();
    const published = await test.lambda.publishLayerVersion({
      LayerName: 'tools',
      Content,
      Description: 'd',
      LicenseInfo: 'MIT',
      CompatibleRuntimes: ['nodejs20.x'],
      CompatibleArchitectures: ['x86_64'],
    });
    expect(published).toMatchObject({
      LayerArn: arn('layer:tools'),
      LayerVersionArn: arn('layer:tools:1'),
      Version: 1,
      Description: 'd',
      LicenseInfo: 'MIT',
      CompatibleRuntimes: ['nodejs20.x'],
      CompatibleArchitectures: ['x86_64'],
      Content: { CodeSize: CODE.length },
    });
    const second = await test.lambda.publishLayerVersion({ LayerName: arn('layer:tools'), Content });
    expect(second).toMatchObject({ Version: 2, Description: '' });
    expect(second.CompatibleRuntimes).toBeUndefined();
    const byName = await test.lambda.getLayerVersion({ LayerName: 'tools', VersionNumber: 1 });
    const byArn = await test.lambda.getLayerVersionByArn({ Arn: published.LayerVersionArn });
    for (const found of [byName, byArn]) expect(found).toEqual({ ...published, $metadata: found.$metadata });
    const { pathname, search } = new URL(byName.Content!.Location!);
    expect((await test.emulator.control('GET', pathname + search)).status).toBe(200);
    const { Layers } = await test.lambda.listLayers({});
    expect(Layers!.map(({ LayerName, LatestMatchingVersion }) => [LayerName, LatestMatchingVersion!.Version])).toEqual([
      ['tools', 2],
    ]);
    const matching = await test.lambda.listLayers({ CompatibleRuntime: 'nodejs20.x' });
    const unknown = await failureOf(test.lambda.listLayers({ CompatibleRuntime: 'nothing' as never }));
    expect(unknown).toMatch(
      /^ValidationException: .* at 'compatibleRuntime' failed .* set: \[ruby3\.5, .*, python2\.7\]$/,
    );
    expect(matching.Layers![0]!.LatestMatchingVersion!.Version).toBe(1);
    const versions = await test.lambda.listLayerVersions({ LayerName: 'tools', MaxItems: 1 });
    expect(versions.LayerVersions!.map(({ Version }) => Version)).toEqual([2]);
    const rest = await test.lambda.listLayerVersions({ LayerName: 'tools', Marker: versions.NextMarker });
    expect(rest.LayerVersions!.map(({ Version }) => Version)).toEqual([1]);
    for (const VersionNumber of [1, 2, 2]) await test.lambda.deleteLayerVersion({ LayerName: 'tools', VersionNumber });
    expect((await test.lambda.listLayers({})).Layers).toEqual([]);
    expect((await test.lambda.publishLayerVersion({ LayerName: 'tools', Content })).Version).toBe(3);
  });

  it('rejects missing and invalid ones', async () => {
    await using test = await startLambda();
    await test.lambda.publishLayerVersion({ LayerName: 'tools', Content });
    const get = (VersionNumber: number, LayerName = 'tools') =>
      failureOf(test.lambda.getLayerVersion({ LayerName, VersionNumber }));
    expect(await get(1, 'none')).toBe(MISSING);
    expect(await get(2)).toBe(MISSING);
    expect(await get(0)).toBe('InvalidParameterValueException: Layer Version Cannot be less than 1');
    expect(await failureOf(test.lambda.getLayerVersionByArn({ Arn: arn('layer:tools') }))).toBe(
      `ValidationException: 1 validation error detected: Value '${arn('layer:tools')}' at 'arn' failed to satisfy constraint: Member must satisfy regular expression pattern: (arn:(aws[a-zA-Z-]*)?:lambda:(eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\\d{1}:\\d{12}:layer:[a-zA-Z0-9-_]+:[0-9]+)|(arn:[a-zA-Z0-9-]+:lambda:::awslayer:[a-zA-Z0-9-_]+)`,
    );
    const publish = test.lambda.publishLayerVersion({
      LayerName: 'tools',
      Content,
      CompatibleRuntimes: ['invalidruntime' as never],
      CompatibleArchitectures: ['invalidarch' as never],
    });
    expect(await failureOf(publish)).toBe(
      "ValidationException: 2 validation errors detected: Value '[invalidruntime]' at 'compatibleRuntimes' failed to satisfy constraint: Member must satisfy enum value set: [nodejs20.x, python3.14, provided.al2023, python3.12, python3.13, nodejs24.x, nodejs22.x, java25, python3.10, python3.11, java21, ruby3.3, ruby3.4, ruby3.2, python3.8, python3.9, java17, nodejs16.x, dotnet10, dotnet8, java11, dotnet6, nodejs18.x, provided.al2, java8.al2]; Value '[invalidarch]' at 'compatibleArchitectures' failed to satisfy constraint: Member must satisfy constraint: [Member must satisfy enum value set: [x86_64, arm64], Member must not be null]",
    );
    expect((await test.lambda.listLayerVersions({ LayerName: 'none' })).LayerVersions).toEqual([]);
  });

  it('are shared by policies', async () => {
    await using test = await startLambda();
    await test.lambda.publishLayerVersion({ LayerName: 'tools', Content });
    const of = { LayerName: 'tools', VersionNumber: 1 };
    const permission = { ...of, StatementId: 's1', Action: 'lambda:GetLayerVersion', Principal: '000000000001' };
    const noPolicy = 'ResourceNotFoundException: No policy is associated with the given resource.';
    expect(await failureOf(test.lambda.getLayerVersionPolicy(of))).toBe(noPolicy);
    const other = test.client({ accessKeyId: '000000000001' });
    const Arn = arn('layer:tools:1');
    const use = { ...BASE, FunctionName: 'theirs', Layers: [Arn] };
    expect(await failureOf(other.createFunction(use))).toMatch(/^AccessDeniedException: .*lambda:GetLayerVersion/);
    expect(await failureOf(other.getLayerVersionByArn({ Arn }))).toMatch(/^AccessDeniedException: /);
    const added = await test.lambda.addLayerVersionPermission(permission);
    expect(JSON.parse(added.Statement!)).toEqual({
      Sid: 's1',
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::000000000001:root' },
      Action: 'lambda:GetLayerVersion',
      Resource: Arn,
    });
    expect(await other.getLayerVersionByArn({ Arn })).toMatchObject({ LayerVersionArn: Arn });
    await other.createFunction(use);
    expect(await failureOf(test.lambda.addLayerVersionPermission(permission))).toBe(
      'ResourceConflictException: The statement id (s1) provided already exists. Please provide a new statement id, or remove the existing statement.',
    );
    expect(
      await failureOf(test.lambda.addLayerVersionPermission({ ...permission, StatementId: 's2', RevisionId: 'wrong' })),
    ).toBe(
      'PreconditionFailedException: The Revision Id provided does not match the latest Revision Id. Call the GetLayerPolicy API to retrieve the latest Revision Id',
    );
    const { Policy, RevisionId } = await test.lambda.getLayerVersionPolicy(of);
    expect(JSON.parse(Policy!).Statement).toHaveLength(1);
    expect(RevisionId).toBe(added.RevisionId);
    expect(await failureOf(test.lambda.removeLayerVersionPermission({ ...of, StatementId: 'none' }))).toBe(
      'ResourceNotFoundException: Statement none is not found in resource policy.',
    );
    await test.lambda.removeLayerVersionPermission({ ...of, StatementId: 's1', RevisionId });
    expect(await failureOf(test.lambda.getLayerVersionPolicy(of))).toBe(noPolicy);
    const wrongVersion = { ...of, VersionNumber: 2 };
    expect(await failureOf(test.lambda.getLayerVersionPolicy(wrongVersion))).toBe(
      `ResourceNotFoundException: Layer version ${arn('layer:tools:2')} does not exist.`,
    );
  });
});

describe('layers of functions', () => {
  it('survive the deletion of the layer version', async () => {
    await using test = await startLambda();
    const { LayerVersionArn } = await test.lambda.publishLayerVersion({ LayerName: 'tools', Content });
    const FunctionName = await test.create('fn', { Layers: [LayerVersionArn!] });
    await test.lambda.deleteLayerVersion({ LayerName: 'tools', VersionNumber: 1 });
    // Pods of the function fetch it.
    const content = async () =>
      (await test.emulator.control('GET', `/_emulator/lambda/layer-content/${ACCOUNT}/tools/1.zip?region=us-east-1`))
        .status;
    expect(await content()).toBe(200);
    const layers = async () => (await test.lambda.getFunctionConfiguration({ FunctionName })).Layers;
    expect(await layers()).toEqual([{ Arn: LayerVersionArn, CodeSize: CODE.length }]);
    await test.lambda.updateFunctionConfiguration({ FunctionName, Layers: [] });
    expect(await layers()).toBeUndefined();
    expect(await content()).toBe(404);
  });

  it('are rejected in invalid combinations', async () => {
    await using test = await startLambda();
    for (let version = 1; version <= 2; version++)
      await test.lambda.publishLayerVersion({ LayerName: 'tools', Content });
    for (let layer = 1; layer <= 6; layer++) await test.lambda.publishLayerVersion({ LayerName: `l${layer}`, Content });
    const create = (...layers: string[]) =>
      failureOf(test.lambda.createFunction({ ...BASE, FunctionName: 'fn', Layers: layers }));
    const [first, second] = [arn('layer:tools:1'), arn('layer:tools:2')];
    expect(await create(first, second)).toBe(
      `InvalidParameterValueException: Two different versions of the same layer are not allowed to be referenced in the same function. ${first} and ${second} are versions of the same layer.`,
    );
    expect(await create(arn('layer:tools:9'))).toBe(
      `InvalidParameterValueException: Layer version ${arn('layer:tools:9')} does not exist.`,
    );
    expect(await create(...[1, 2, 3, 4, 5, 6].map((layer) => arn(`layer:l${layer}:1`)))).toBe(
      'InvalidParameterValueException: Cannot reference more than 5 layers.',
    );
    expect(await create(`arn:aws:lambda:eu-west-1:${ACCOUNT}:layer:tools:1`)).toBe(
      'InvalidParameterValueException: Layers are not in the same region as the function. Layers are expected to be in region us-east-1.',
    );
  });

  it("count towards the function's size limit", async () => {
    await using test = await startLambda();
    const large = zipOf({ data: Buffer.alloc(140_000_000) });
    const { LayerVersionArn } = await test.lambda.publishLayerVersion({
      LayerName: 'large',
      Content: { ZipFile: large },
    });
    const FunctionName = await test.create('fn', { Layers: [LayerVersionArn!] });
    expect(await failureOf(test.lambda.updateFunctionCode({ FunctionName, ZipFile: large }))).toBe(
      'InvalidParameterValueException: Function code combined with layers exceeds the maximum allowed size of 262144000 bytes. The actual size is 280000000 bytes.',
    );
  });

  it('of other accounts require sharing, and missing ones are not revealed', async () => {
    await using test = await startLambda();
    const other = test.client({ accessKeyId: '000000000002' });
    const { LayerArn } = await other.publishLayerVersion({ LayerName: 'tools', Content });
    const shared = { LayerName: LayerArn, VersionNumber: 1 };
    const denied = (action: string, resource: string) =>
      `AccessDeniedException: User: arn:aws:iam::${ACCOUNT}:root is not authorized to perform: lambda:${action} on resource: ${resource} because no resource-based policy allows the lambda:${action} action`;
    const foreign = (name: string) => `arn:aws:lambda:us-east-1:000000000002:layer:${name}`;
    // An existing one, a missing one, and one of an account without state.
    for (const layer of [foreign('tools'), foreign('none'), foreign('none').replace('000000000002', '017000801446')]) {
      const Arn = `${layer}:1`;
      const answer = denied('GetLayerVersion', Arn);
      expect(await failureOf(test.lambda.getLayerVersionByArn({ Arn }))).toBe(answer);
      expect(await failureOf(test.lambda.getLayerVersion({ LayerName: layer, VersionNumber: 1 }))).toBe(answer);
      expect(await failureOf(test.lambda.listLayerVersions({ LayerName: layer }))).toBe(
        denied('ListLayerVersions', layer),
      );
    }
    // Missing ones may be public: see public-layers.test.ts.
    const [Arn] = [foreign('tools:1')];
    const create = test.lambda.createFunction({ ...BASE, FunctionName: 'fn', Layers: [Arn] });
    expect(await failureOf(create)).toBe(denied('GetLayerVersion', Arn));
    const Action = 'lambda:GetLayerVersion';
    await other.addLayerVersionPermission({ ...shared, StatementId: 's', Action, Principal: ACCOUNT });
    expect(await test.lambda.getLayerVersion(shared)).toMatchObject({ Version: 1 });
    await test.lambda.createFunction({ ...BASE, FunctionName: 'fn', Layers: [`${LayerArn}:1`] });
  });
});
