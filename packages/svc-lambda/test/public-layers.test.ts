import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLogger } from '@emu/core';
import { TestIdentities, zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from './running.ts';
import { ACCOUNT, BASE, failureOf, startLambda } from './support.ts';

// ARNs as in https://docs.aws.amazon.com/powertools/typescript/latest/getting-started/lambda-layers/ and
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Lambda-Insights-extension-versions.html
const POWERTOOLS = 'arn:aws:lambda:us-east-1:094274105915:layer:AWSLambdaPowertoolsTypeScriptV2:40';
const INSIGHTS = 'arn:aws:lambda:us-east-1:580247275435:layer:LambdaInsightsExtension:35';
const CONTENT = zipOf({ 'nodejs/node_modules/tool/index.js': 'exports.name = "imported";' });
const NAMES_TOOL = { 'index.js': 'exports.handler = async () => require("tool").name;' };

const route = (arn: string): string => `/_emulator/lambda/layers/${encodeURIComponent(arn)}`;
const routeOf = (test: { emulator: RunningTest['emulator'] }) => ({
  add: (arn: string, zip: Uint8Array = CONTENT) => test.emulator.control('PUT', route(arn), zip),
  remove: (arn: string) => test.emulator.control('DELETE', route(arn)),
  list: () => test.emulator.control('GET', '/_emulator/lambda/layers'),
});

describe('a layer of another account', () => {
  let test: RunningTest;
  let imported: ReturnType<typeof routeOf>;
  const logged: string[] = [];
  beforeAll(async () => {
    test = await startRunning({
      log: createLogger({ level: 'warn', format: 'text', write: (line) => logged.push(line) }),
    });
    imported = routeOf(test);
  });
  afterAll(() => test[Symbol.asyncDispose]());
  beforeEach(async () => {
    await test.emulator.control('POST', '/_reset');
    logged.length = 0;
  });
  const layersOf = async (FunctionName: string) =>
    (await test.lambda.getFunction({ FunctionName })).Configuration?.Layers;

  it('that emu lacks is empty until it is imported', async () => {
    const name = await test.define(NAMES_TOOL, { Layers: [POWERTOOLS] });
    const { Version } = await test.lambda.publishVersion({ FunctionName: name });
    const line = `function ${name} runs without the content of ${POWERTOOLS}: import it with emu layer add <arn>`;
    expect(logged.filter((text) => text.includes(line))).toHaveLength(1);
    expect(await layersOf(name)).toEqual([{ Arn: POWERTOOLS, CodeSize: 0 }]);
    expect(await test.invoke(name)).toMatchObject({ FunctionError: 'Unhandled' });
    expect(await imported.add(POWERTOOLS)).toMatchObject({
      status: 200,
      json: { arn: POWERTOOLS, codeSize: CONTENT.length },
    });
    expect(await layersOf(name)).toEqual([{ Arn: POWERTOOLS, CodeSize: CONTENT.length }]);
    for (const Qualifier of ['$LATEST', Version!])
      expect(await test.invoke(name, {}, { Qualifier })).toMatchObject({ payload: 'imported' });
    // The published version still equals $LATEST.
    expect((await test.lambda.publishVersion({ FunctionName: name })).Version).toBe(Version);
    const renewed = zipOf({ 'nodejs/node_modules/tool/index.js': 'exports.name = "renewed";' });
    await imported.add(POWERTOOLS, renewed);
    expect(await test.invoke(name)).toMatchObject({ payload: 'renewed' });
  });

  it('is readable by everyone in its region once imported', async () => {
    await imported.add(POWERTOOLS);
    for (const accessKeyId of [ACCOUNT, '000000000002']) {
      const lambda = test.client({ accessKeyId });
      expect(await lambda.getLayerVersionByArn({ Arn: POWERTOOLS })).toMatchObject({
        LayerVersionArn: POWERTOOLS,
        Version: 40,
        Content: { CodeSize: CONTENT.length },
      });
      expect((await lambda.listLayers({})).Layers).toEqual([]);
    }
    const elsewhere = test.client({ region: 'eu-west-1' });
    const there = POWERTOOLS.replace('us-east-1', 'eu-west-1');
    expect(await failureOf(elsewhere.getLayerVersionByArn({ Arn: there }))).toMatch(/^AccessDeniedException: /);
    await elsewhere.createFunction({ ...BASE, FunctionName: 'fn', Layers: [there] });
    expect((await elsewhere.getFunctionConfiguration({ FunctionName: 'fn' })).Layers).toEqual([
      { Arn: there, CodeSize: 0 },
    ]);
  });

  it('is listed and removed; functions keep it', async () => {
    await imported.add(POWERTOOLS);
    const name = await test.define(NAMES_TOOL, { Layers: [POWERTOOLS] });
    expect(logged).toEqual([]);
    expect(await imported.list()).toMatchObject({ json: { layers: [{ arn: POWERTOOLS, codeSize: CONTENT.length }] } });
    expect(await imported.remove(POWERTOOLS)).toMatchObject({ status: 200 });
    expect(await imported.remove(POWERTOOLS)).toMatchObject({ status: 404 });
    expect(await imported.list()).toMatchObject({ json: { layers: [] } });
    expect(await test.invoke(name)).toMatchObject({ payload: 'imported' });
  });

  it('of Lambda Insights has no effect', async () => {
    const name = await test.define({ 'index.js': 'exports.handler = async () => "ran";' }, { Layers: [INSIGHTS] });
    expect(
      logged.filter((text) => text.includes(`function ${name}: the layer ${INSIGHTS} has no effect`)),
    ).toHaveLength(1);
    expect(await test.invoke(name)).toMatchObject({ payload: 'ran' });
  });

  it('is not imported from invalid files, with malformed ARNs, or over published versions', async () => {
    const publisher = test.client({ accessKeyId: '000000000002' });
    const { LayerVersionArn } = await publisher.publishLayerVersion({
      LayerName: 'own',
      Content: { ZipFile: CONTENT },
    });
    expect(await imported.add(LayerVersionArn!)).toMatchObject({ status: 409 });
    expect(await imported.remove(LayerVersionArn!)).toMatchObject({ status: 404 });
    for (const arn of ['tools', POWERTOOLS.replace(':40', ''), `${POWERTOOLS}/..`, POWERTOOLS.replace(':40', ':0')])
      expect(await imported.add(arn)).toMatchObject({ status: 400, json: { error: { code: 'InvalidParameter' } } });
    expect(await imported.add(POWERTOOLS, Buffer.from('no zip'))).toMatchObject({
      status: 400,
      json: { error: { message: 'Could not unzip uploaded file. Please check your file, then try to upload again.' } },
    });
    const bomb = zipOf({ data: { content: Buffer.alloc(10), claimedSize: 262_144_001 } });
    expect(await imported.add(POWERTOOLS, bomb)).toMatchObject({
      status: 400,
      json: { error: { message: 'Unzipped size must be smaller than 262144000 bytes' } },
    });
    expect(await imported.list()).toMatchObject({ json: { layers: [] } });
  });

  it('does not replace layers of functions that would become too large', async () => {
    const large = zipOf({ data: Buffer.alloc(140_000_000) });
    const name = await test.define(NAMES_TOOL, { Code: { ZipFile: large }, Layers: [POWERTOOLS] });
    await imported.add(POWERTOOLS, large);
    expect(await layersOf(name)).toEqual([{ Arn: POWERTOOLS, CodeSize: 0 }]);
    expect(logged.filter((text) => text.includes(`${POWERTOOLS} is too large for function ${name}`))).toHaveLength(1);
  });
});

describe('with enforced permissions', () => {
  it('only imported layers of other accounts are usable', async () => {
    const identities = new TestIdentities();
    identities.role('lambda', { accountId: ACCOUNT });
    await using test = await startLambda({
      manifests: [identities.manifest],
      settings: { values: { EMULATOR_ENFORCE_IAM: true } },
    });
    const root = test.client({ accessKeyId: ACCOUNT });
    const create = (...Layers: string[]) =>
      root.createFunction({ ...BASE, FunctionName: `fn-${Layers.length}`, Layers });
    const refusal = `AccessDeniedException: User: arn:aws:iam::${ACCOUNT}:root is not authorized to perform: lambda:GetLayerVersion on resource: ${POWERTOOLS} because no resource-based policy allows the lambda:GetLayerVersion action`;
    expect(await failureOf(create(POWERTOOLS))).toBe(refusal);
    await routeOf(test).add(POWERTOOLS);
    await create(POWERTOOLS);
  });
});

describe('a directory of layers', () => {
  it('contains them for each emulator, in their region', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'emu-layers-'));
    try {
      const path = join(directory, 'us-east-1', '094274105915', 'AWSLambdaPowertoolsTypeScriptV2-40.zip');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, CONTENT);
      const broken = join(dirname(path), 'AWSLambdaPowertoolsTypeScriptV2-41.zip');
      await writeFile(broken, 'no zip');
      const identities = new TestIdentities();
      identities.role('lambda', { accountId: ACCOUNT });
      await using test = await startLambda({
        manifests: [identities.manifest],
        settings: { values: { EMULATOR_ENFORCE_IAM: true, EMULATOR_LAMBDA_LAYER_DIRECTORY: directory } },
      });
      const root = test.client({ accessKeyId: ACCOUNT });
      await root.createFunction({ ...BASE, FunctionName: 'fn', Layers: [POWERTOOLS] });
      expect((await root.getFunctionConfiguration({ FunctionName: 'fn' })).Layers).toEqual([
        { Arn: POWERTOOLS, CodeSize: CONTENT.length },
      ]);
      await test.emulator.control('POST', '/_reset');
      const [LayerName, VersionNumber] = [POWERTOOLS.replace(/:40$/, ''), 40];
      expect(await root.getLayerVersion({ LayerName, VersionNumber })).toMatchObject({ LayerVersionArn: POWERTOOLS });
      const create = root.createFunction({ ...BASE, FunctionName: 'fn', Layers: [POWERTOOLS.replace(/40$/, '41')] });
      expect(await failureOf(create)).toBe(
        `InvalidParameterValueException: ${broken} cannot be used: Could not unzip uploaded file. Please check your file, then try to upload again.`,
      );
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
