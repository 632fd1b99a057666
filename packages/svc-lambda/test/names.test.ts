import { describe, expect, it } from 'vitest';
import { ACCOUNT, arn, BASE, failureOf, startLambda } from './support.ts';

const NAME_PATTERN =
  '(arn:(aws[a-zA-Z-]*)?:lambda:)?((eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\\d{1}:)?(\\d{12}:)?(function:)?([a-zA-Z0-9-_\\.]+)(:(\\$LATEST(\\.PUBLISHED)?|[a-zA-Z0-9-_]+))?';

const wrong = (name: string) =>
  `ValidationException: 1 validation error detected: Value '${name}' at 'functionName' failed to satisfy constraint: Member must satisfy regular expression pattern: ${NAME_PATTERN}`;

describe('names of functions', () => {
  it('have several forms', async () => {
    await using test = await startLambda();
    await test.create('fn', { Publish: true });
    await test.lambda.createAlias({ FunctionName: 'fn', Name: 'live', FunctionVersion: '1' });
    const arnOf = async (FunctionName: string, Qualifier?: string) => {
      const { FunctionArn, Version } = await test.lambda.getFunctionConfiguration({ FunctionName, Qualifier });
      return [FunctionArn, Version];
    };
    for (const prefix of [
      '',
      'function:',
      `${ACCOUNT}:function:`,
      `us-east-1:${ACCOUNT}:function:`,
      arn('function:'),
    ]) {
      expect(await arnOf(`${prefix}fn`)).toEqual([arn('function:fn'), '$LATEST']);
      expect(await arnOf(`${prefix}fn:$LATEST`)).toEqual([arn('function:fn:$LATEST'), '$LATEST']);
      expect(await arnOf(`${prefix}fn:1`)).toEqual([arn('function:fn:1'), '1']);
      expect(await arnOf(`${prefix}fn:live`, 'live')).toEqual([arn('function:fn:live'), '1']);
      expect(await arnOf(`${prefix}fn`, 'live')).toEqual([arn('function:fn:live'), '1']);
    }
  });

  // Recorded from AWS: lambda_api, test_function_name_and_qualifier_validation.
  it.each<[string, string | undefined, string]>([
    ['*', undefined, wrong('*')],
    ['my-function!', undefined, wrong('my-function!')],
    ['invalid-account:function:fn', undefined, wrong('invalid-account:function:fn')],
    [arn('function:fn:1:2'), undefined, wrong(arn('function:fn:1:2'))],
    [`arn:aws:lambda::${ACCOUNT}:function:fn`, undefined, wrong(`arn:aws:lambda::${ACCOUNT}:function:fn`)],
    [
      'arn:aws:ec2:us-east-1:000000000000:instance:i-1',
      undefined,
      wrong('arn:aws:ec2:us-east-1:000000000000:instance:i-1'),
    ],
    [
      'fn',
      'invalid!',
      "ValidationException: 1 validation error detected: Value 'invalid!' at 'qualifier' failed to satisfy constraint: Member must satisfy regular expression pattern: \\$(LATEST(\\.PUBLISHED)?)|[a-zA-Z0-9-_$]+",
    ],
    [
      'fn',
      'a'.repeat(129),
      `ValidationException: 1 validation error detected: Value '${'a'.repeat(129)}' at 'qualifier' failed to satisfy constraint: Member must have length less than or equal to 128`,
    ],
    ['a'.repeat(65), undefined, `ResourceNotFoundException: Function not found: ${arn(`function:${'a'.repeat(65)}`)}`],
    ['fn', '1221', `ResourceNotFoundException: Function not found: ${arn('function:fn:1221')}`],
    ['fn', '$latest', `ResourceNotFoundException: Function not found: ${arn('function:fn:$latest')}`],
    [
      arn('function:fn:$LATEST'),
      '1',
      'InvalidParameterValueException: The derived qualifier from the function name does not match the specified qualifier.',
    ],
    [
      'arn:aws:lambda:eu-west-1:000000000000:function:fn',
      undefined,
      "ResourceNotFoundException: Functions from 'eu-west-1' are not reachable in this region ('us-east-1')",
    ],
    ['arn:aws:lambda:us-east-1:999999999999:function:fn', undefined, 'AccessDeniedException: UnknownError'],
  ])('rejects %s with qualifier %s', async (FunctionName, Qualifier, message) => {
    await using test = await startLambda();
    await test.create();
    expect(await failureOf(test.lambda.getFunction({ FunctionName, Qualifier }))).toBe(message);
  });

  it('refer to functions of other accounts by full ARN', async () => {
    await using test = await startLambda();
    const other = test.client({ accessKeyId: '000000000001' });
    await other.createFunction({ ...BASE, FunctionName: 'theirs', Description: 'd' });
    const FunctionArn = 'arn:aws:lambda:us-east-1:000000000001:function:theirs';
    const found = await test.lambda.getFunctionConfiguration({ FunctionName: FunctionArn });
    expect(found).toMatchObject({ FunctionArn, Description: 'd' });
    const missing = test.lambda.getFunction({ FunctionName: 'arn:aws:lambda:us-east-1:000000000001:function:none' });
    // AWS sends no message: recorded in lambda_api, test_function_arns.
    expect(await failureOf(missing)).toBe('AccessDeniedException: UnknownError');
    await test.lambda.updateFunctionConfiguration({ FunctionName: FunctionArn, Description: 'changed' });
    expect((await other.getFunctionConfiguration({ FunctionName: 'theirs' })).Description).toBe('changed');
    expect((await test.lambda.listFunctions({})).Functions).toEqual([]);
  });
});
