import { describe, expect, it } from 'vitest';
import { ACCOUNT, arn, BASE, failureOf, REGION, ROLE, startLambda } from './support.ts';
import { zipOf } from './zip.ts';

describe('CreateFunction', () => {
  it('makes a function that is pending at first and active afterwards', async () => {
    await using test = await startLambda();
    const created = await test.lambda.createFunction({ ...BASE, FunctionName: 'fn' });
    expect(created).toMatchObject({
      FunctionName: 'fn',
      FunctionArn: arn('function:fn'),
      State: 'Pending',
      StateReason: 'The function is being created.',
      StateReasonCode: 'Creating',
      Runtime: 'nodejs20.x',
      Role: ROLE,
      Version: '$LATEST',
      Timeout: 3,
      MemorySize: 128,
      PackageType: 'Zip',
      Architectures: ['x86_64'],
      EphemeralStorage: { Size: 512 },
      TracingConfig: { Mode: 'PassThrough' },
      SnapStart: { ApplyOn: 'None', OptimizationStatus: 'Off' },
      LoggingConfig: { LogFormat: 'Text', LogGroup: '/aws/lambda/fn' },
    });
    expect(created.LastUpdateStatus).toBeUndefined();
    const { Configuration, Code } = await test.lambda.getFunction({ FunctionName: 'fn' });
    expect(Configuration).toMatchObject({ State: 'Active', LastUpdateStatus: 'Successful' });
    expect(Configuration!.RevisionId).not.toBe(created.RevisionId);
    expect(Code).toMatchObject({ RepositoryType: 'S3' });
  });
});
