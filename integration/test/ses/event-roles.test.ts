import { Firehose } from '@aws-sdk/client-firehose';
import { IAM } from '@aws-sdk/client-iam';
import { S3 } from '@aws-sdk/client-s3';
import { SES } from '@aws-sdk/client-ses';
import { createTestEmulator, rejection } from '@emu/gateway/testing';
import { manifest as firehoseManifest } from '@emu/svc-firehose/manifest';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest } from '@emu/svc-ses/manifest';
import { manifest as stsManifest } from '@emu/svc-sts/manifest';
import { expect, test } from 'vitest';

const manifests = [manifest, firehoseManifest, iamManifest, s3Manifest, stsManifest];
const SET = 'arn:aws:ses:us-east-1:123456789012:configuration-set/set';

// https://docs.aws.amazon.com/ses/latest/dg/event-publishing-add-event-destination-firehose.html
test('the role of a Firehose destination trusts SES and allows writing, if policies are enforced', async () => {
  await using emulator = await createTestEmulator({ manifests, settings: { values: { EMULATOR_ENFORCE_IAM: true } } });
  const config = { ...emulator.clientConfig(), maxAttempts: 1 };
  const iam = new IAM(config);
  const ses = new SES(config);
  const policyOf = (statement: object): string =>
    JSON.stringify({ Version: '2012-10-17', Statement: { Effect: 'Allow', ...statement } });
  const trust = (Service: string, sourceArn = SET): string =>
    policyOf({
      Principal: { Service },
      Action: 'sts:AssumeRole',
      Condition: { StringEquals: { 'AWS:SourceAccount': '123456789012', 'AWS:SourceArn': sourceArn } },
    });
  const roleFor = async (RoleName: string, AssumeRolePolicyDocument: string): Promise<string> =>
    (await iam.createRole({ RoleName, AssumeRolePolicyDocument })).Role!.Arn!;
  const trusted = await roleFor('trusted', trust('ses.amazonaws.com'));
  const writes = { Action: ['firehose:PutRecord', 'firehose:PutRecordBatch'], Resource: '*' };
  await iam.putRolePolicy({ RoleName: 'trusted', PolicyName: 'write', PolicyDocument: policyOf(writes) });
  await new S3(config).createBucket({ Bucket: 'mails' });
  const RoleARN = await roleFor('writer', trust('firehose.amazonaws.com'));
  const { DeliveryStreamARN } = await new Firehose(config).createDeliveryStream({
    DeliveryStreamName: 'events',
    S3DestinationConfiguration: { RoleARN, BucketARN: 'arn:aws:s3:::mails' },
  });
  await ses.createConfigurationSet({ ConfigurationSet: { Name: 'set' } });
  const add = (Name: string, IAMRoleARN: string) =>
    ses.createConfigurationSetEventDestination({
      ConfigurationSetName: 'set',
      EventDestination: {
        Name,
        Enabled: true,
        MatchingEventTypes: ['send'],
        KinesisFirehoseDestination: { IAMRoleARN, DeliveryStreamARN },
      },
    });
  const others = [
    await roleFor('other', trust('lambda.amazonaws.com')),
    await roleFor('elsewhere', trust('ses.amazonaws.com', `${SET}-of-others`)),
  ];
  for (const other of others)
    expect(await rejection(add('a', other))).toMatchObject({
      name: 'InvalidFirehoseDestinationException',
      message: `Could not assume IAM role <${other}>.`,
    });
  await add('a', trusted);
  await ses.verifyEmailIdentity({ EmailAddress: 'a@example.com' });
  const send = () =>
    ses.sendEmail({
      Source: 'a@example.com',
      Destination: { ToAddresses: ['a@example.com'] },
      Message: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } },
      ConfigurationSetName: 'set',
    });
  const outcomes = async (): Promise<unknown[]> => {
    const { json } = await emulator.control('GET', '/_emulator/ses/event-destinations/deliveries');
    return (json as { deliveries: { status: string }[] }).deliveries.map(({ status }) => status);
  };
  await send();
  await expect.poll(outcomes).toEqual(['delivered']);
  await iam.updateAssumeRolePolicy({ RoleName: 'trusted', PolicyDocument: trust('lambda.amazonaws.com') });
  await send();
  await expect.poll(async () => (await outcomes()).toSorted()).toEqual(['delivered', 'failed']);
});
