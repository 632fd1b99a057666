import { describe, expect, it } from 'vitest';
import { startRunning } from './running.ts';
import { arn, failureOf, startLambda } from './support.ts';

/** A cold start takes longer on a busy machine. */
const WAIT = { timeout: 10_000 };

// Messages are recorded from AWS: lambda_api, TestLambdaReservedConcurrency and TestLambdaProvisionedConcurrency.
describe('reserved concurrency', () => {
  it("is subtracted from the account's and released again", async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const get = async () => (await test.lambda.getFunctionConcurrency({ FunctionName })).ReservedConcurrentExecutions;
    const left = async () => (await test.lambda.getAccountSettings({})).AccountLimit!.UnreservedConcurrentExecutions;
    expect(await get()).toBeUndefined();
    expect(await test.lambda.putFunctionConcurrency({ FunctionName, ReservedConcurrentExecutions: 0 })).toMatchObject({
      ReservedConcurrentExecutions: 0,
    });
    expect(await get()).toBe(0);
    await test.lambda.putFunctionConcurrency({ FunctionName, ReservedConcurrentExecutions: 900 });
    expect(await left()).toBe(100);
    expect((await test.lambda.getFunction({ FunctionName })).Concurrency).toEqual({
      ReservedConcurrentExecutions: 900,
    });
    await test.lambda.deleteFunctionConcurrency({ FunctionName });
    expect(await get()).toBeUndefined();
    expect(await left()).toBe(1000);
  });

  it('is rejected for versions, missing functions and beyond the limit', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const put = (name: string, ReservedConcurrentExecutions = 1) =>
      failureOf(test.lambda.putFunctionConcurrency({ FunctionName: name, ReservedConcurrentExecutions }));
    expect(await put('none')).toBe(`ResourceNotFoundException: Function not found: ${arn('function:none:$LATEST')}`);
    expect(await put(arn('function:fn:$LATEST'))).toBe(
      'InvalidParameterValueException: This operation is permitted on Lambda functions only. Aliases and versions do not support this operation. Please specify either a function name or an unqualified function ARN.',
    );
    expect(await put(FunctionName, 901)).toBe(
      "InvalidParameterValueException: Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [100].",
    );
    expect(await failureOf(test.lambda.getFunctionConcurrency({ FunctionName: 'none' }))).toBe(
      `ResourceNotFoundException: Function not found: ${arn('function:none')}`,
    );
  });
});

describe('provisioned concurrency', () => {
  const CONFLICT =
    "ResourceConflictException: Alias can't be used for Provisioned Concurrency configuration on an already Provisioned version";

  it('exists for a version or an alias of it', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    await test.lambda.createAlias({ FunctionName, Name: 'live', FunctionVersion: '1' });
    const put = (Qualifier: string) =>
      test.lambda.putProvisionedConcurrencyConfig({ FunctionName, Qualifier, ProvisionedConcurrentExecutions: 2 });
    const get = (Qualifier: string) => test.lambda.getProvisionedConcurrencyConfig({ FunctionName, Qualifier });
    expect(await put('1')).toMatchObject({
      RequestedProvisionedConcurrentExecutions: 2,
      AvailableProvisionedConcurrentExecutions: 0,
      AllocatedProvisionedConcurrentExecutions: 0,
      Status: 'IN_PROGRESS',
    });
    await expect.poll(async () => (await get('1')).Status, WAIT).toBe('READY');
    expect(await get('1')).toMatchObject({
      RequestedProvisionedConcurrentExecutions: 2,
      AvailableProvisionedConcurrentExecutions: 2,
      AllocatedProvisionedConcurrentExecutions: 2,
      Status: 'READY',
    });
    expect(await failureOf(put('live'))).toBe(CONFLICT);
    await test.lambda.deleteProvisionedConcurrencyConfig({ FunctionName, Qualifier: '1' });
    expect(await failureOf(get('1'))).toBe(
      'ProvisionedConcurrencyConfigNotFoundException: No Provisioned Concurrency Config found for this function',
    );
    await put('live');
    expect(await failureOf(put('1'))).toBe(
      'ResourceConflictException: Version is pointed by a Provisioned Concurrency alias',
    );
    const { ProvisionedConcurrencyConfigs } = await test.lambda.listProvisionedConcurrencyConfigs({ FunctionName });
    expect(ProvisionedConcurrencyConfigs!.map(({ FunctionArn }) => FunctionArn)).toEqual([arn('function:fn:live')]);
    await test.lambda.deleteAlias({ FunctionName, Name: 'live' });
    expect(await failureOf(get('live'))).toBe(
      `ResourceNotFoundException: Cannot find alias arn: ${arn('function:fn:live')}`,
    );
    expect(
      (await test.lambda.listProvisionedConcurrencyConfigs({ FunctionName })).ProvisionedConcurrencyConfigs,
    ).toEqual([]);
  });

  it('starts environments that follow the alias', async () => {
    await using test = await startRunning({ settings: { values: { EMULATOR_LAMBDA_MAX_CONCURRENCY: 3 } } });
    const FunctionName = await test.define(
      { 'index.js': 'const pid = process.pid; exports.handler = async () => pid;' },
      { Publish: true },
    );
    await test.lambda.createAlias({ FunctionName, Name: 'live', FunctionVersion: '1' });
    const live = { FunctionName, Qualifier: 'live' };
    const get = () => test.lambda.getProvisionedConcurrencyConfig(live);
    const put = (ProvisionedConcurrentExecutions: number) =>
      test.lambda.putProvisionedConcurrencyConfig({ ...live, ProvisionedConcurrentExecutions });
    const up = async () => {
      const { json } = await test.emulator.control('GET', '/_emulator/lambda/warm-containers');
      return (json as { containers: unknown[] }).containers.length;
    };
    await put(2);
    await expect.poll(get, WAIT).toMatchObject({ Status: 'READY', AvailableProvisionedConcurrentExecutions: 2 });
    const cold = (log: string) => log.includes('Init Duration');
    expect(cold((await test.invoke(FunctionName, {}, { Qualifier: 'live' })).log)).toBe(false);
    // At most the maximum number of environments per function here.
    await put(5);
    await expect.poll(get, WAIT).toMatchObject({ Status: 'READY', AvailableProvisionedConcurrentExecutions: 3 });
    await put(1);
    await expect.poll(get, WAIT).toMatchObject({ Status: 'READY', AvailableProvisionedConcurrentExecutions: 1 });
    await test.lambda.updateFunctionConfiguration({ FunctionName, Timeout: 5 });
    await test.lambda.publishVersion({ FunctionName });
    await test.lambda.updateAlias({ FunctionName, Name: 'live', FunctionVersion: '2' });
    await expect.poll(get, WAIT).toMatchObject({ Status: 'READY', AvailableProvisionedConcurrentExecutions: 1 });
    const { ExecutedVersion, log } = await test.invoke(FunctionName, {}, { Qualifier: 'live' });
    expect([ExecutedVersion, cold(log)]).toEqual(['2', false]);
    await test.lambda.deleteProvisionedConcurrencyConfig(live);
    await expect.poll(up, WAIT).toBe(0);
  });

  it('fails if the function cannot be initialized', async () => {
    await using test = await startRunning();
    const FunctionName = await test.define({ 'index.js': 'throw new Error("no");' }, { Publish: true });
    const first = { FunctionName, Qualifier: '1' };
    await test.lambda.putProvisionedConcurrencyConfig({ ...first, ProvisionedConcurrentExecutions: 1 });
    await expect
      .poll(() => test.lambda.getProvisionedConcurrencyConfig(first))
      .toMatchObject({
        Status: 'FAILED',
        StatusReason: 'FUNCTION_ERROR_INIT_FAILURE',
        AvailableProvisionedConcurrentExecutions: 0,
      });
  });

  it('rejects invalid requests', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    const put = (Qualifier: string, ProvisionedConcurrentExecutions = 1, name = FunctionName) =>
      failureOf(
        test.lambda.putProvisionedConcurrencyConfig({ FunctionName: name, Qualifier, ProvisionedConcurrentExecutions }),
      );
    expect(await put('$LATEST')).toBe(
      'InvalidParameterValueException: Provisioned Concurrency Configs cannot be applied to unpublished function versions.',
    );
    expect(await put('10')).toBe(`ResourceNotFoundException: Function not found: ${arn('function:fn:10')}`);
    expect(await put('none', 1, 'other')).toBe(
      `ResourceNotFoundException: Cannot find alias arn: ${arn('function:other:none')}`,
    );
    expect(await put('1', 0)).toBe(
      "ValidationException: 1 validation error detected: Value '0' at 'provisionedConcurrentExecutions' failed to satisfy constraint: Member must have value greater than or equal to 1",
    );
    expect(await put('1', 1001)).toBe(
      "InvalidParameterValueException: Specified ConcurrentExecutions for function is greater than account's unreserved concurrency [1000].",
    );
    expect(await put('1', 950)).toBe(
      "InvalidParameterValueException: Specified ConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [100].",
    );
    await test.lambda.putFunctionConcurrency({ FunctionName, ReservedConcurrentExecutions: 5 });
    expect(await put('1', 6)).toBe(
      'InvalidParameterValueException: Requested Provisioned Concurrency should not be greater than the reservedConcurrentExecution for function',
    );
    await test.lambda.putProvisionedConcurrencyConfig({
      FunctionName,
      Qualifier: '1',
      ProvisionedConcurrentExecutions: 2,
    });
    expect(await failureOf(test.lambda.putFunctionConcurrency({ FunctionName, ReservedConcurrentExecutions: 1 }))).toBe(
      "InvalidParameterValueException:  ReservedConcurrentExecutions  1 should not be lower than function's total provisioned concurrency [2].",
    );
    expect((await test.lambda.getFunctionConcurrency({ FunctionName })).ReservedConcurrentExecutions).toBe(5);
    expect(await failureOf(test.lambda.getProvisionedConcurrencyConfig({ FunctionName, Qualifier: '$LATEST' }))).toBe(
      'InvalidParameterValueException: The function resource provided must be an alias or a published version.',
    );
    expect(await failureOf(test.lambda.listProvisionedConcurrencyConfigs({ FunctionName: 'none' }))).toBe(
      `ResourceNotFoundException: Function not found: ${arn('function:none')}`,
    );
  });
});
