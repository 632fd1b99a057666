import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { IAM } from '@aws-sdk/client-iam';
import { createTestEmulator } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-cognito-idp/manifest';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as stsManifest } from '@emu/svc-sts/manifest';
import { expect, test } from 'vitest';

test('import jobs fail if policies are enforced and Cognito may not assume their role', async () => {
  await using emulator = await createTestEmulator({
    manifests: [manifest, iamManifest, stsManifest],
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const cognito = new CognitoIdentityProvider(emulator.clientConfig());
  const iam = new IAM(emulator.clientConfig());
  const { UserPool } = await cognito.createUserPool({ PoolName: 'p', AutoVerifiedAttributes: ['email'] });
  const UserPoolId = UserPool!.Id!;
  const { CSVHeader } = await cognito.getCSVHeader({ UserPoolId });
  const roleFor = async (Service: string): Promise<string> => {
    const Statement = [{ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' }];
    const { Role } = await iam.createRole({
      RoleName: Service,
      AssumeRolePolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement }),
    });
    return Role!.Arn!;
  };
  const run = async (CloudWatchLogsRoleArn: string) => {
    const { UserImportJob } = await cognito.createUserImportJob({
      UserPoolId,
      JobName: 'import',
      CloudWatchLogsRoleArn,
    });
    const id = { UserPoolId, JobId: UserImportJob!.JobId! };
    await emulator.gateway.fetch(
      new Request(UserImportJob!.PreSignedUrl!, {
        method: 'PUT',
        headers: { 'x-amz-server-side-encryption': 'aws:kms' },
        body: CSVHeader!.join(','),
      }),
    );
    await cognito.startUserImportJob(id);
    const job = async () => (await cognito.describeUserImportJob(id)).UserImportJob!;
    await expect.poll(async () => (await job()).CompletionDate, { timeout: 10_000 }).toBeDefined();
    return job();
  };
  expect(await run(await roleFor('cognito-idp.amazonaws.com'))).toMatchObject({ Status: 'Succeeded' });
  expect(await run(await roleFor('lambda.amazonaws.com'))).toMatchObject({
    Status: 'Failed',
    CompletionMessage: 'The CloudWatch Logs role cannot be assumed.',
  });
});
