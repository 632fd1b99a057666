import { describe, expect, it } from 'vitest';
import { arn, failureOf, startLambda } from './support.ts';

const NO_FUNCTION = 'ResourceNotFoundException: Function does not exist';
const NO_CONFIG = 'ResourceNotFoundException: The resource you requested does not exist.';

describe('function URLs', () => {
  it('belong to a function or an alias', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    await test.lambda.createAlias({ FunctionName, Name: 'live', FunctionVersion: '1' });
    const created = await test.lambda.createFunctionUrlConfig({ FunctionName, AuthType: 'NONE' });
    expect(created).toMatchObject({ FunctionArn: arn('function:fn'), AuthType: 'NONE' });
    expect(created).not.toHaveProperty('InvokeMode');
    expect(await test.lambda.getFunctionUrlConfig({ FunctionName })).toMatchObject({ InvokeMode: 'BUFFERED' });
    expect(new URL(created.FunctionUrl!).hostname).toMatch(/^[a-z2-7]{32}\.lambda-url\.us-east-1\./);
    const Cors = { AllowOrigins: ['https://example.com'], AllowMethods: ['GET'], MaxAge: 5 };
    await test.lambda.createFunctionUrlConfig({
      FunctionName,
      Qualifier: 'live',
      AuthType: 'AWS_IAM',
      Cors,
      InvokeMode: 'RESPONSE_STREAM',
    });
    const alias = await test.lambda.getFunctionUrlConfig({ FunctionName, Qualifier: 'live' });
    expect(alias).toMatchObject({
      FunctionArn: arn('function:fn:live'),
      AuthType: 'AWS_IAM',
      Cors,
      InvokeMode: 'RESPONSE_STREAM',
    });
    const updated = await test.lambda.updateFunctionUrlConfig({ FunctionName, AuthType: 'AWS_IAM' });
    expect(updated).toMatchObject({ FunctionUrl: created.FunctionUrl, AuthType: 'AWS_IAM' });
    expect(updated).not.toHaveProperty('InvokeMode');
    const { FunctionUrlConfigs } = await test.lambda.listFunctionUrlConfigs({ FunctionName });
    expect(FunctionUrlConfigs!.map(({ FunctionArn }) => FunctionArn)).toEqual([
      arn('function:fn'),
      arn('function:fn:live'),
    ]);
    await test.lambda.deleteFunctionUrlConfig({ FunctionName });
    expect(await failureOf(test.lambda.getFunctionUrlConfig({ FunctionName }))).toBe(NO_CONFIG);
    expect(await test.lambda.getFunctionUrlConfig({ FunctionName, Qualifier: 'live' })).toMatchObject({ Cors });
  });

  it('treat $LATEST as the function in all operations', async () => {
    await using test = await startLambda();
    await test.create();
    const FunctionName = `${arn('function:fn')}:$LATEST`;
    const { FunctionUrl } = await test.lambda.createFunctionUrlConfig({ FunctionName, AuthType: 'NONE' });
    expect(await test.lambda.getFunctionUrlConfig({ FunctionName })).toMatchObject({ FunctionUrl });
    expect(await test.lambda.getFunctionUrlConfig({ FunctionName: 'fn' })).toMatchObject({ FunctionUrl });
    expect(await test.lambda.updateFunctionUrlConfig({ FunctionName, AuthType: 'AWS_IAM' })).toMatchObject({
      FunctionUrl,
      FunctionArn: arn('function:fn'),
    });
    await test.lambda.deleteFunctionUrlConfig({ FunctionName });
    expect(await failureOf(test.lambda.getFunctionUrlConfig({ FunctionName }))).toBe(NO_CONFIG);
  });

  // Recorded from AWS: lambda_api, test_url_config_exceptions.
  it('rejects URLs of missing functions and versions', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const create = (input: object) =>
      failureOf(test.lambda.createFunctionUrlConfig({ FunctionName, AuthType: 'NONE', ...input }));
    expect(await create({ FunctionName: 'none' })).toBe(NO_FUNCTION);
    expect(await create({ Qualifier: 'none' })).toBe(NO_FUNCTION);
    expect(await create({ Qualifier: '1' })).toBe(
      "ValidationException: 1 validation error detected: Value '1' at 'qualifier' failed to satisfy constraint: Member must satisfy regular expression pattern: ((?!^\\d+$)^[0-9a-zA-Z-_]+$)",
    );
    await test.lambda.createFunctionUrlConfig({ FunctionName, AuthType: 'NONE' });
    expect(await create({})).toBe(
      `ResourceConflictException: Failed to create function url config for [functionArn = ${arn('function:fn')}]. Error message:  FunctionUrlConfig exists for this Lambda function`,
    );
    expect(await failureOf(test.lambda.updateFunctionUrlConfig({ FunctionName: 'none' }))).toBe(NO_FUNCTION);
    expect(await failureOf(test.lambda.deleteFunctionUrlConfig({ FunctionName: 'none' }))).toBe(NO_CONFIG);
    expect(await failureOf(test.lambda.listFunctionUrlConfigs({ FunctionName: 'none' }))).toBe(NO_FUNCTION);
  });
});
