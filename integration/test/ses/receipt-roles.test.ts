import { IAM } from '@aws-sdk/client-iam';
import { S3 } from '@aws-sdk/client-s3';
import { SES } from '@aws-sdk/client-ses';
import { createTestEmulator, rejection } from '@emu/gateway/testing';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest } from '@emu/svc-ses/manifest';
import { manifest as stsManifest } from '@emu/svc-sts/manifest';
import { expect, test } from 'vitest';

const manifests = [manifest, iamManifest, s3Manifest, stsManifest];
const Bucket = 'mails';

/** Creates a rule set, and returns a function that creates a rule with a role. */
async function rulesOf(ses: SES): Promise<(Name: string, IamRoleArn: string) => Promise<unknown>> {
  await ses.createReceiptRuleSet({ RuleSetName: 'rules' });
  return (Name, IamRoleArn) =>
    ses.createReceiptRule({
      RuleSetName: 'rules',
      Rule: { Name, Actions: [{ S3Action: { BucketName: Bucket, IamRoleArn } }] },
    });
}

// https://docs.aws.amazon.com/ses/latest/dg/receiving-email-permissions.html
test('the role of an S3 action trusts SES and allows writing, if policies are enforced', async () => {
  await using emulator = await createTestEmulator({ manifests, settings: { values: { EMULATOR_ENFORCE_IAM: true } } });
  const config = { ...emulator.clientConfig(), maxAttempts: 1 };
  const iam = new IAM(config);
  const s3 = new S3(config);
  await s3.createBucket({ Bucket });
  const create = await rulesOf(new SES(config));
  const policyOf = (statement: object): string =>
    JSON.stringify({ Version: '2012-10-17', Statement: { Effect: 'Allow', ...statement } });
  const roleFor = async (RoleName: string, Service: string): Promise<string> => {
    const AssumeRolePolicyDocument = policyOf({ Principal: { Service }, Action: 'sts:AssumeRole' });
    return (await iam.createRole({ RoleName, AssumeRolePolicyDocument })).Role!.Arn!;
  };
  const trusted = await roleFor('trusted', 'ses.amazonaws.com');
  const other = await roleFor('other', 'lambda.amazonaws.com');
  expect(await rejection(create('a', other))).toMatchObject({
    name: 'InvalidS3ConfigurationException',
    message: `Could not assume role: ${other}`,
  });
  expect(await rejection(create('a', trusted))).toMatchObject({
    name: 'InvalidS3ConfigurationException',
    message: `Could not write to bucket: ${Bucket}`,
  });
  const PolicyDocument = policyOf({ Action: 's3:PutObject', Resource: `arn:aws:s3:::${Bucket}/*` });
  await iam.putRolePolicy({ RoleName: 'trusted', PolicyName: 'write', PolicyDocument });
  await create('a', trusted);
  expect((await s3.listObjectsV2({ Bucket })).Contents).toMatchObject([{ Key: 'AMAZON_SES_SETUP_NOTIFICATION' }]);
});

test('an S3 action may have an unknown role if policies are not enforced', async () => {
  await using emulator = await createTestEmulator({ manifests });
  await new S3(emulator.clientConfig()).createBucket({ Bucket });
  const create = await rulesOf(new SES(emulator.clientConfig()));
  await create('a', 'arn:aws:iam::000000000000:role/none');
});
