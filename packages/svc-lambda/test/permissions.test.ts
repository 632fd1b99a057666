import type { AddPermissionCommandInput } from '@aws-sdk/client-lambda';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, arn, failureOf, startLambda } from './support.ts';

const S3 = {
  StatementId: 's3',
  Action: 'lambda:InvokeFunction',
  Principal: 's3.amazonaws.com',
  SourceArn: 'arn:aws:s3:::bucket',
} as const;

const statementOf = (Sid: string, Resource: string) => ({
  Sid,
  Effect: 'Allow',
  Principal: { Service: 's3.amazonaws.com' },
  Action: 'lambda:InvokeFunction',
  Resource,
  Condition: { ArnLike: { 'AWS:SourceArn': 'arn:aws:s3:::bucket' } },
});

describe('permissions', () => {
  it('are statements of a function, version or alias policy', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    await test.lambda.createAlias({ FunctionName, Name: 'live', FunctionVersion: '1' });
    for (const Qualifier of [undefined, '1', 'live']) {
      const resource = arn(`function:fn${Qualifier ? `:${Qualifier}` : ''}`);
      const of = { FunctionName, Qualifier };
      const { Statement } = await test.lambda.addPermission({ ...of, ...S3 });
      expect(Statement).toBe(JSON.stringify(statementOf('s3', resource)));
      await test.lambda.addPermission({ ...of, ...S3, StatementId: 'two' });
      const { Policy, RevisionId } = await test.lambda.getPolicy(of);
      expect(Policy).toBe(
        JSON.stringify({
          Version: '2012-10-17',
          Id: 'default',
          Statement: [statementOf('s3', resource), statementOf('two', resource)],
        }),
      );
      const owner =
        Qualifier === 'live'
          ? await test.lambda.getAlias({ FunctionName, Name: 'live' })
          : await test.lambda.getFunctionConfiguration(of);
      expect(RevisionId).toBe(owner.RevisionId);
      await test.lambda.removePermission({ ...of, StatementId: 's3', RevisionId });
      expect(JSON.parse((await test.lambda.getPolicy(of)).Policy!).Statement).toHaveLength(1);
      await test.lambda.removePermission({ ...of, StatementId: 'two' });
      expect(await failureOf(test.lambda.getPolicy(of))).toBe(
        'ResourceNotFoundException: The resource you requested does not exist.',
      );
    }
  });

  // Recorded from AWS: lambda_api, test_add_lambda_permission_fields.
  it.each<[Partial<AddPermissionCommandInput>, object]>([
    [
      { Principal: '*', SourceAccount: ACCOUNT, SourceArn: undefined },
      { Principal: '*', Condition: { StringEquals: { 'AWS:SourceAccount': ACCOUNT } } },
    ],
    [{ Principal: ACCOUNT, SourceArn: undefined }, { Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` } }],
    [
      { Principal: `arn:aws:iam::${ACCOUNT}:user/u`, SourceArn: undefined },
      { Principal: { AWS: `arn:aws:iam::${ACCOUNT}:user/u` } },
    ],
    [
      {
        Principal: '*',
        Action: 'lambda:InvokeFunctionUrl',
        SourceAccount: ACCOUNT,
        PrincipalOrgID: 'o-1234567890',
        FunctionUrlAuthType: 'NONE',
      },
      {
        Action: 'lambda:InvokeFunctionUrl',
        Condition: {
          StringEquals: {
            'AWS:SourceAccount': ACCOUNT,
            'lambda:FunctionUrlAuthType': 'NONE',
            'aws:PrincipalOrgID': 'o-1234567890',
          },
          ArnLike: { 'AWS:SourceArn': 'arn:aws:s3:::bucket' },
        },
      },
    ],
    [
      { Principal: 'alexa-appkit.amazon.com', EventSourceToken: 'amzn1.ask.skill.x', SourceArn: undefined },
      {
        Principal: { Service: 'alexa-appkit.amazon.com' },
        Condition: { StringEquals: { 'lambda:EventSourceToken': 'amzn1.ask.skill.x' } },
      },
    ],
  ])('have conditions: %j', async (input, expected) => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const { Statement } = await test.lambda.addPermission({ FunctionName, ...S3, ...input });
    expect(JSON.parse(Statement!)).toMatchObject(expected);
  });

  // Recorded from AWS: lambda_api, test_permission_exceptions.
  it.each<[Partial<AddPermissionCommandInput>, string]>([
    [
      { StatementId: 'example.com' },
      "ValidationException: 1 validation error detected: Value 'example.com' at 'statementId' failed to satisfy constraint: Member must satisfy regular expression pattern: ([a-zA-Z0-9-_]+)",
    ],
    [
      { Qualifier: '$LATEST' },
      'InvalidParameterValueException: We currently do not support adding policies for $LATEST.',
    ],
    [
      { Principal: 'invalid.nonaws.com' },
      'InvalidParameterValueException: The provided principal was invalid. Please check the principal and try again.',
    ],
    [
      { FunctionName: 'doesnotexist' },
      `ResourceNotFoundException: Function not found: ${arn('function:doesnotexist')}`,
    ],
    [{ Qualifier: 'alias' }, `ResourceNotFoundException: Cannot find alias arn: ${arn('function:fn:alias')}`],
    [{ Qualifier: '42' }, `ResourceNotFoundException: Function not found: ${arn('function:fn:42')}`],
    [{ Qualifier: 'with-$' }, `ResourceNotFoundException: Function not found: ${arn('function:fn:with-$')}`],
    [
      { StatementId: 'taken' },
      'ResourceConflictException: The statement id (taken) provided already exists. Please provide a new statement id, or remove the existing statement.',
    ],
    [
      { RevisionId: 'wrong' },
      'PreconditionFailedException: The Revision Id provided does not match the latest Revision Id. Call the GetFunction/GetAlias API to retrieve the latest Revision Id',
    ],
  ])('rejects %j', async (input, message) => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    await test.lambda.addPermission({ FunctionName, ...S3, StatementId: 'taken' });
    expect(await failureOf(test.lambda.addPermission({ FunctionName, ...S3, ...input }))).toBe(message);
  });

  it('cannot be removed if missing', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const remove = (input: object) =>
      failureOf(test.lambda.removePermission({ FunctionName, StatementId: 's3', ...input }));
    expect(await remove({})).toBe('ResourceNotFoundException: No policy is associated with the given resource.');
    expect(await remove({ FunctionName: 'none' })).toBe(
      `ResourceNotFoundException: No policy found for: ${arn('function:none')}`,
    );
    expect(await remove({ Qualifier: 'none' })).toBe(
      `ResourceNotFoundException: Cannot find alias arn: ${arn('function:fn:none')}`,
    );
    await test.lambda.addPermission({ FunctionName, ...S3 });
    expect(await remove({ StatementId: 'other' })).toBe(
      'ResourceNotFoundException: Statement other is not found in resource policy.',
    );
  });

  it('are limited to 20 KB', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const add = (StatementId: string) =>
      test.lambda.addPermission({ FunctionName, ...S3, StatementId, SourceArn: `arn:aws:s3:::${'b'.repeat(5000)}` });
    for (const id of ['a', 'b', 'c']) await add(id);
    expect(await failureOf(add('d'))).toMatch(
      /^PolicyLengthExceededException: The final policy size \(\d+\) is bigger than the limit \(20480\)\.$/,
    );
  });
});
