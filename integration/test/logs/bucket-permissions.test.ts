import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { IAM } from '@aws-sdk/client-iam';
import { S3 } from '@aws-sdk/client-s3';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as eventsManifest } from '@emu/svc-events/manifest';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-infrastructure-V2-S3.html

const ACCOUNT = '123456789012';
const LOGS = `arn:aws:logs:us-east-1:${ACCOUNT}`;

let emulator: TestEmulator;
let s3: S3;
let admin: CloudWatchLogs;
/** A user with permissions for logs, and none for buckets. */
let user: CloudWatchLogs;
beforeAll(async () => {
  const manifests = [eventsManifest, iamManifest, logsManifest, s3Manifest];
  emulator = await createTestEmulator({ manifests, settings: { values: { EMULATOR_ENFORCE_IAM: true } } });
  emulator.kernel.clock.freeze();
  const config = emulator.clientConfig();
  s3 = new S3(config);
  admin = new CloudWatchLogs(config);
  const iam = new IAM(config);
  await iam.createUser({ UserName: 'logger' });
  const Statement = { Effect: 'Allow', Action: 'logs:*', Resource: '*' };
  await iam.putUserPolicy({
    UserName: 'logger',
    PolicyName: 'logs',
    PolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement }),
  });
  const { AccessKey } = await iam.createAccessKey({ UserName: 'logger' });
  const credentials = { accessKeyId: AccessKey!.AccessKeyId!, secretAccessKey: AccessKey!.SecretAccessKey! };
  user = new CloudWatchLogs({ ...config, credentials });
});
afterAll(() => emulator.close());

const statementsOf = async (Bucket: string): Promise<object[]> => {
  const { Policy } = await s3.getBucketPolicy({ Bucket });
  return JSON.parse(Policy!).Statement;
};
const keysOf = async (Bucket: string): Promise<(string | undefined)[]> =>
  ((await s3.listObjectsV2({ Bucket })).Contents ?? []).map(({ Key }) => Key);

/** Returns the statement that AWS adds for delivered logs. */
const statement = (number: number, Resource: string, sourceArn: string): object => ({
  Sid: `AWSLogDeliveryWrite${number}`,
  Effect: 'Allow',
  Principal: { Service: 'delivery.logs.amazonaws.com' },
  Action: 's3:PutObject',
  Resource,
  Condition: {
    StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control', 'aws:SourceAccount': ACCOUNT },
    ArnLike: { 'aws:SourceArn': sourceArn },
  },
});

/** Sets a data protection policy with a bucket for findings on a new group. */
async function protect(logs: CloudWatchLogs, logGroupName: string, Bucket: string): Promise<void> {
  await s3.createBucket({ Bucket });
  await admin.createLogGroup({ logGroupName });
  await admin.createLogStream({ logGroupName, logStreamName: 'a' });
  const DataIdentifier = ['arn:aws:dataprotection::aws:data-identifier/EmailAddress'];
  const policyDocument = JSON.stringify({
    Name: 'policy',
    Version: '2021-06-01',
    Statement: [
      { Sid: 'a', DataIdentifier, Operation: { Audit: { FindingsDestination: { S3: { Bucket } } } } },
      { Sid: 'b', DataIdentifier, Operation: { Deidentify: { MaskConfig: {} } } },
    ],
  });
  await logs.putDataProtectionPolicy({ logGroupIdentifier: logGroupName, policyDocument });
}

const putMail = (logGroupName: string): Promise<unknown> =>
  admin.putLogEvents({
    logGroupName,
    logStreamName: 'a',
    logEvents: [{ timestamp: emulator.kernel.clock.now(), message: 'a@example.com' }],
  });

it('findings of data protection are written only to buckets whose policy allows them', async () => {
  await protect(admin, 'allowed', 'findings');
  expect(await statementsOf('findings')).toEqual([
    statement(1, `arn:aws:s3:::findings/AWSLogs/${ACCOUNT}/*`, `${LOGS}:log-group:allowed:*`),
  ]);
  await putMail('allowed');
  await expect.poll(() => keysOf('findings')).toHaveLength(1);
  await s3.deleteBucketPolicy({ Bucket: 'findings' });
  await putMail('allowed');
  await protect(user, 'refused', 'others');
  await putMail('refused');
  expect(await keysOf('others')).toEqual([]);
  expect(await keysOf('findings')).toHaveLength(1);
});

it('logs are delivered only to buckets whose policy allows them', async () => {
  const events = new EventBridge(emulator.clientConfig());
  const deliver = async (logs: CloudWatchLogs, name: string, destinationResourceArn: string): Promise<void> => {
    await events.createEventBus({ Name: name, LogConfig: { Level: 'INFO', IncludeDetail: 'NONE' } });
    await s3.createBucket({ Bucket: `logs-${name}` });
    const resourceArn = `arn:aws:events:us-east-1:${ACCOUNT}:event-bus/${name}`;
    await logs.putDeliverySource({ name, resourceArn, logType: 'INFO_LOGS' });
    const { deliveryDestination } = await logs.putDeliveryDestination({
      name,
      deliveryDestinationConfiguration: { destinationResourceArn },
    });
    const deliveryDestinationArn = deliveryDestination!.arn!;
    await logs.createDelivery({ deliverySourceName: name, deliveryDestinationArn });
    await events.putEvents({ Entries: [{ EventBusName: name, Source: 'a', DetailType: 'b', Detail: '{}' }] });
  };
  await deliver(admin, 'own', 'arn:aws:s3:::logs-own/all');
  await deliver(user, 'foreign', 'arn:aws:s3:::logs-foreign');
  const resource = `arn:aws:s3:::logs-own/all/AWSLogs/${ACCOUNT}/*`;
  expect(await statementsOf('logs-own')).toEqual([statement(1, resource, `${LOGS}:delivery-source:own`)]);
  const advanced = async (): Promise<unknown> => {
    await emulator.kernel.clock.advance(5000);
    return keysOf('logs-own');
  };
  await expect.poll(advanced, { timeout: 15_000 }).toHaveLength(1);
  await emulator.kernel.clock.advance(5000);
  expect(await keysOf('logs-foreign')).toEqual([]);
});
