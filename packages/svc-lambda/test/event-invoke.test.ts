import { describe, expect, it } from 'vitest';
import { arn, failureOf, startLambda } from './support.ts';

const NO_FUNCTION = "ResourceNotFoundException: The function doesn't exist.";
const noConfig = (name: string) =>
  `ResourceNotFoundException: The function ${arn(`function:${name}`)} doesn't have an EventInvokeConfig`;
const NONE = { OnSuccess: {}, OnFailure: {} };

// Recorded from AWS: lambda_api, TestLambdaEventInvokeConfig.
describe('event invoke configs', () => {
  it('are replaced by put and merged by update', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    await test.create('other');
    const put = await test.lambda.putFunctionEventInvokeConfig({ FunctionName, MaximumRetryAttempts: 0 });
    expect(put).toMatchObject({
      FunctionArn: arn('function:fn:$LATEST'),
      MaximumRetryAttempts: 0,
      DestinationConfig: NONE,
    });
    const DestinationConfig = { OnSuccess: { Destination: arn('function:other') } };
    const updated = await test.lambda.updateFunctionEventInvokeConfig({
      FunctionName,
      MaximumEventAgeInSeconds: 60,
      DestinationConfig,
    });
    expect(updated).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
      DestinationConfig: { ...DestinationConfig, OnFailure: {} },
    });
    await test.lambda.putFunctionEventInvokeConfig({ FunctionName, Qualifier: '1', MaximumRetryAttempts: 1 });
    await test.lambda.putFunctionEventInvokeConfig({ FunctionName, MaximumRetryAttempts: 2 });
    const got = await test.lambda.getFunctionEventInvokeConfig({ FunctionName, Qualifier: '$LATEST' });
    expect(got).toMatchObject({ MaximumRetryAttempts: 2, DestinationConfig: NONE });
    expect(got.MaximumEventAgeInSeconds).toBeUndefined();
    const { FunctionEventInvokeConfigs } = await test.lambda.listFunctionEventInvokeConfigs({ FunctionName });
    expect(FunctionEventInvokeConfigs!.map(({ FunctionArn }) => FunctionArn)).toEqual([
      arn('function:fn:$LATEST'),
      arn('function:fn:1'),
    ]);
    await test.lambda.deleteFunctionEventInvokeConfig({ FunctionName });
    expect(await failureOf(test.lambda.getFunctionEventInvokeConfig({ FunctionName }))).toBe(noConfig('fn:$LATEST'));
  });

  it('rejects invalid configurations', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const put = (input: object) => failureOf(test.lambda.putFunctionEventInvokeConfig({ FunctionName, ...input }));
    const to = (Destination: string, side = 'OnSuccess') => put({ DestinationConfig: { [side]: { Destination } } });
    expect(await put({ FunctionName: 'none', MaximumRetryAttempts: 1 })).toBe(NO_FUNCTION);
    expect(await put({ Qualifier: 'none', MaximumRetryAttempts: 1 })).toBe(NO_FUNCTION);
    expect(await put({})).toBe(
      'InvalidParameterValueException: You must specify at least one of error handling or destination setting.',
    );
    expect(await to(arn('function:doesnotexist'))).toBe(
      `InvalidParameterValueException: The destination ARN ${arn('function:doesnotexist')} is invalid.`,
    );
    expect(await to(arn('function:fn'))).toBe(
      "InvalidParameterValueException: You can't specify the function as a destination for itself.",
    );
    expect(await to('arn:aws:iam:us-east-1:000000000000:function:fn')).toBe(
      'InvalidParameterValueException: The provided destination config DestinationConfig(onSuccess=OnSuccess(destination=arn:aws:iam:us-east-1:000000000000:function:fn), onFailure=null) is invalid.',
    );
    expect(await to('arn:aws:s3:::bucket')).toMatch(/^InvalidParameterValueException: The provided destination config/);
    await test.lambda.putFunctionEventInvokeConfig({
      FunctionName,
      DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::bucket' } },
    });
    expect(await failureOf(test.lambda.updateFunctionEventInvokeConfig({ FunctionName: 'none' }))).toBe(NO_FUNCTION);
    expect(await failureOf(test.lambda.deleteFunctionEventInvokeConfig({ FunctionName: 'none' }))).toBe(
      noConfig('none:$LATEST'),
    );
    expect(await failureOf(test.lambda.listFunctionEventInvokeConfigs({ FunctionName: 'none' }))).toBe(NO_FUNCTION);
  });
});
