import { zipOf } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { arn, CODE, failureOf, startLambda } from './support.ts';

const OTHER_CODE = zipOf({ 'index.js': 'exports.handler = async () => 2;' });
const OUTDATED =
  'PreconditionFailedException: The Revision Id provided does not match the latest Revision Id. Call the GetFunction/GetAlias API to retrieve the latest Revision Id';

describe('PublishVersion', () => {
  it('creates immutable versions, and none without changes', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const { RevisionId } = await test.lambda.getFunctionConfiguration({ FunctionName });
    const first = await test.lambda.publishVersion({ FunctionName, Description: 'first', RevisionId });
    expect(first).toMatchObject({
      Version: '1',
      FunctionArn: arn('function:fn:1'),
      Description: 'first',
      State: 'Active',
      LastUpdateStatus: 'Successful',
    });
    expect(await failureOf(test.lambda.publishVersion({ FunctionName, RevisionId }))).toBe(OUTDATED);
    const again = await test.lambda.publishVersion({ FunctionName, Description: 'again' });
    expect(again).toMatchObject({ Version: '1', Description: 'first' });
    await test.lambda.updateFunctionCode({ FunctionName, ZipFile: OTHER_CODE });
    expect((await test.lambda.publishVersion({ FunctionName })).Version).toBe('2');
    await test.lambda.updateFunctionConfiguration({ FunctionName, Timeout: 30 });
    expect((await test.lambda.publishVersion({ FunctionName })).Version).toBe('3');
    const { Timeout, CodeSha256 } = await test.lambda.getFunctionConfiguration({ FunctionName, Qualifier: '1' });
    expect({ Timeout, CodeSha256 }).toEqual({ Timeout: 3, CodeSha256: first.CodeSha256 });
  });

  it('creates one after an update with the same code or configuration', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    const { Version } = await test.lambda.updateFunctionCode({ FunctionName, ZipFile: CODE, Publish: true });
    expect(Version).toBe('2');
    await test.lambda.updateFunctionConfiguration({ FunctionName, Timeout: 3 });
    expect(await test.lambda.publishVersion({ FunctionName })).toMatchObject({ Version: '3' });
    expect(await test.lambda.publishVersion({ FunctionName })).toMatchObject({ Version: '3' });
  });

  it('checks the code to publish', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const { CodeSha256 } = await test.lambda.getFunctionConfiguration({ FunctionName });
    expect(await failureOf(test.lambda.publishVersion({ FunctionName, CodeSha256: 'other' }))).toBe(
      `InvalidParameterValueException: CodeSHA256 (other) is different from current CodeSHA256 in $LATEST (${CodeSha256}). Please try again with the CodeSHA256 in $LATEST.`,
    );
    expect((await test.lambda.publishVersion({ FunctionName, CodeSha256 })).Version).toBe('1');
    expect(await failureOf(test.lambda.publishVersion({ FunctionName: 'none' }))).toBe(
      `ResourceNotFoundException: Function not found: ${arn('function:none')}`,
    );
  });
});

describe('lists', () => {
  it('lists all functions or all versions, without states', async () => {
    await using test = await startLambda();
    await test.create('b', { Publish: true });
    await test.create('a');
    const functions = await test.lambda.listFunctions({});
    expect(functions.Functions!.map(({ FunctionArn, State }) => [FunctionArn, State])).toEqual([
      [arn('function:a'), undefined],
      [arn('function:b'), undefined],
    ]);
    const versions = await test.lambda.listFunctions({ FunctionVersion: 'ALL' });
    expect(versions.Functions!.map(({ FunctionArn }) => FunctionArn)).toEqual([
      arn('function:a:$LATEST'),
      arn('function:b:$LATEST'),
      arn('function:b:1'),
    ]);
    const ofB = await test.lambda.listVersionsByFunction({ FunctionName: 'b' });
    expect(ofB.Versions!.map(({ FunctionArn }) => FunctionArn)).toEqual([
      arn('function:b:$LATEST'),
      arn('function:b:1'),
    ]);
    const replicas = await test.lambda.listFunctions({ MasterRegion: 'us-east-1', FunctionVersion: 'ALL' });
    expect(replicas.Functions).toEqual([]);
    expect(await failureOf(test.lambda.listFunctions({ MasterRegion: 'us-east-1' }))).toMatch(
      /^InvalidParameterValueException: /,
    );
  });

  it('lists pages of at most 50', async () => {
    await using test = await startLambda();
    const names = Array.from({ length: 55 }, (_, index) => `fn-${String(index).padStart(2, '0')}`);
    for (const name of names) await test.create(name);
    const first = await test.lambda.listFunctions({ MaxItems: 100 });
    expect(first.Functions).toHaveLength(50);
    await test.lambda.deleteFunction({ FunctionName: 'fn-49' });
    const second = await test.lambda.listFunctions({ Marker: first.NextMarker });
    expect(second.Functions!.map(({ FunctionName }) => FunctionName)).toEqual(names.slice(50));
    expect(second.NextMarker).toBeUndefined();
    for (const refused of [
      test.lambda.listFunctions({ Marker: 'none' }),
      test.lambda.listLayers({ Marker: first.NextMarker }),
    ])
      expect(await failureOf(refused)).toBe('InvalidParameterValueException: The provided marker is invalid.');
  });
});

describe('aliases', () => {
  it('refer to versions', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    const created = await test.lambda.createAlias({ FunctionName, Name: 'live', FunctionVersion: '1' });
    expect(created).toMatchObject({
      AliasArn: arn('function:fn:live'),
      Name: 'live',
      FunctionVersion: '1',
      Description: '',
    });
    expect(created.RoutingConfig).toBeUndefined();
    await test.lambda.updateFunctionConfiguration({ FunctionName, Timeout: 5 });
    await test.lambda.publishVersion({ FunctionName });
    const updated = await test.lambda.updateAlias({
      FunctionName,
      Name: 'live',
      Description: 'd',
      RoutingConfig: { AdditionalVersionWeights: { 2: 0.25 } },
      RevisionId: created.RevisionId,
    });
    expect(updated).toMatchObject({
      FunctionVersion: '1',
      Description: 'd',
      RoutingConfig: { AdditionalVersionWeights: { 2: 0.25 } },
    });
    const stale = { FunctionName, Name: 'live', FunctionVersion: '2', RevisionId: created.RevisionId };
    expect(await failureOf(test.lambda.updateAlias(stale))).toBe(OUTDATED);
    const got = await test.lambda.getAlias({ FunctionName, Name: 'live' });
    expect(got).toEqual({ ...updated, $metadata: got.$metadata });
    await test.lambda.createAlias({ FunctionName, Name: 'beta', FunctionVersion: '$LATEST' });
    const listed = async (FunctionVersion?: string) =>
      (await test.lambda.listAliases({ FunctionName, FunctionVersion })).Aliases!.map(({ Name }) => Name);
    expect(await listed()).toEqual(['beta', 'live']);
    expect(await listed('2')).toEqual(['live']);
    await test.lambda.updateAlias({ FunctionName, Name: 'live', FunctionVersion: '2', RoutingConfig: {} });
    const { Version, FunctionArn } = await test.lambda.getFunctionConfiguration({ FunctionName, Qualifier: 'live' });
    expect([Version, FunctionArn]).toEqual(['2', arn('function:fn:live')]);
    await test.lambda.deleteAlias({ FunctionName, Name: 'live' });
    await test.lambda.deleteAlias({ FunctionName, Name: 'live' });
    const gone = `ResourceNotFoundException: Cannot find alias arn: ${arn('function:fn:live')}`;
    expect(await failureOf(test.lambda.getAlias({ FunctionName, Name: 'live' }))).toBe(gone);
    expect(await failureOf(test.lambda.updateAlias({ FunctionName, Name: 'live' }))).toBe(
      `ResourceNotFoundException: Alias not found: ${arn('function:fn:live')}`,
    );
  });

  // Recorded from AWS: lambda_api, test_notfound_and_invalid_routingconfigs.
  it.each([
    [
      { FunctionVersion: '1', RoutingConfig: { AdditionalVersionWeights: { 1: 0.5, 2: 0.5 } } },
      'InvalidParameterValueException: Number of items in AdditionalVersionWeights cannot be greater than 1',
    ],
    [
      { FunctionVersion: '1', RoutingConfig: { AdditionalVersionWeights: { 2: 2 } } },
      "ValidationException: 1 validation error detected: Value '{2=2.0}' at 'routingConfig.additionalVersionWeights' failed to satisfy constraint: Map value must satisfy constraint: [Member must have value less than or equal to 1.0, Member must have value greater than or equal to 0.0, Member must not be null]",
    ],
    [
      { FunctionVersion: '1', RoutingConfig: { AdditionalVersionWeights: { 1: 0.5 } } },
      'InvalidParameterValueException: Invalid function version 1. Function version 1 is already included in routing configuration.',
    ],
    [{ FunctionVersion: '10' }, `ResourceNotFoundException: Function not found: ${arn('function:fn:10')}`],
    [
      { FunctionVersion: '1', RoutingConfig: { AdditionalVersionWeights: { 10: 0.5 } } },
      `ResourceNotFoundException: Function not found: ${arn('function:fn:10')}`,
    ],
    [
      { FunctionVersion: '$LATEST', RoutingConfig: { AdditionalVersionWeights: { 1: 0.5 } } },
      'InvalidParameterValueException: $LATEST is not supported for an alias pointing to more than 1 version',
    ],
    [
      { FunctionVersion: '1', RoutingConfig: { AdditionalVersionWeights: { $LATEST: 0.5 } } },
      "ValidationException: 1 validation error detected: Value '{$LATEST=0.5}' at 'routingConfig.additionalVersionWeights' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 1024, Member must have length greater than or equal to 1, Member must satisfy regular expression pattern: [0-9]+]",
    ],
    [
      { FunctionVersion: '1', Name: '2024' },
      "ValidationException: 1 validation error detected: Value '2024' at 'name' failed to satisfy constraint: Member must satisfy regular expression pattern: (?!^[0-9]+$)([a-zA-Z0-9-_]+)",
    ],
    [
      { FunctionVersion: '1', FunctionName: 'unknown' },
      `ResourceNotFoundException: Function not found: ${arn('function:unknown:1')}`,
    ],
    [
      { FunctionVersion: '1', Name: 'taken' },
      `ResourceConflictException: Alias already exists: ${arn('function:fn:taken')}`,
    ],
  ])('rejects %j', async (input, message) => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    await test.lambda.createAlias({ FunctionName, Name: 'taken', FunctionVersion: '1' });
    expect(await failureOf(test.lambda.createAlias({ FunctionName, Name: 'live', ...input }))).toBe(message);
    expect((await test.lambda.listAliases({ FunctionName })).Aliases).toHaveLength(1);
  });
});
