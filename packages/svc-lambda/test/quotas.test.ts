import { enforceQuota } from '@emu/gateway/testing';
import { expect, it } from 'vitest';
import { CODE, failureOf, startLambda } from './support.ts';

it('rejects packages beyond the storage quota', async () => {
  await using test = await startLambda();
  await test.create('first');
  await enforceQuota(test.emulator, 'lambda/L-2ACBD22F', (CODE.length * 2 - 1) / 2 ** 30);
  const layer = () => test.lambda.publishLayerVersion({ LayerName: 'layer', Content: { ZipFile: CODE } });
  expect(await failureOf(test.create('second'))).toBe('CodeStorageExceededException: Code storage limit exceeded.');
  expect(await failureOf(layer())).toBe('CodeStorageExceededException: Code storage limit exceeded.');
  await test.lambda.deleteFunction({ FunctionName: 'first' });
  await test.create('second');
});

it('rejects more layers than the applied quota', async () => {
  await using test = await startLambda();
  const FunctionName = await test.create();
  await enforceQuota(test.emulator, 'lambda/L-01237738', 1);
  const layer = async (LayerName: string) =>
    (await test.lambda.publishLayerVersion({ LayerName, Content: { ZipFile: CODE } })).LayerVersionArn!;
  const Layers = [await layer('one'), await layer('two')];
  expect(await failureOf(test.lambda.updateFunctionConfiguration({ FunctionName, Layers }))).toBe(
    'InvalidParameterValueException: Cannot reference more than 1 layers.',
  );
  await test.lambda.updateFunctionConfiguration({ FunctionName, Layers: Layers.slice(0, 1) });
  expect((await test.lambda.getFunctionConfiguration({ FunctionName })).Layers).toHaveLength(1);
});

it("throttles invocations beyond the account's concurrency", async () => {
  await using test = await startLambda();
  const FunctionName = await test.create();
  await enforceQuota(test.emulator, 'lambda/L-B99A9384', 0);
  expect(await failureOf(test.lambda.invoke({ FunctionName }))).toBe('TooManyRequestsException: Rate Exceeded.');
  expect((await test.lambda.getAccountSettings({})).AccountLimit).toMatchObject({ ConcurrentExecutions: 0 });
});
