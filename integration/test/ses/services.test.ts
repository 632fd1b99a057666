import { EventBridge } from '@aws-sdk/client-eventbridge';
import { S3 } from '@aws-sdk/client-s3';
import { SES } from '@aws-sdk/client-ses';
import { SESv2 } from '@aws-sdk/client-sesv2';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as eventsManifest } from '@emu/svc-events/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest, v2Manifest } from '@emu/svc-ses/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ACCOUNT = '000000000000';
const ConfigurationSetName = 'orders';

let emulator: TestEmulator;
let events: EventBridge;
let s3: S3;
let ses: SES;
let v2: SESv2;
let sns: SNS;
let sqs: SQS;
let TopicArn: string;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [eventsManifest, s3Manifest, manifest, v2Manifest, snsManifest, sqsManifest],
    settings: { accountId: ACCOUNT, region: 'us-east-1' },
  });
  const config = emulator.clientConfig();
  events = new EventBridge(config);
  s3 = new S3(config);
  ses = new SES(config);
  v2 = new SESv2(config);
  sns = new SNS(config);
  sqs = new SQS(config);
  await ses.verifyDomainIdentity({ Domain: 'example.com' });
  await v2.createConfigurationSet({ ConfigurationSetName });
  TopicArn = (await sns.createTopic({ Name: 'mail' })).TopicArn!;
});
afterAll(() => emulator.close());

/** Creates a queue whose messages are received as JSON. */
async function queue(QueueName: string): Promise<{ arn: string; take(): Promise<Record<string, never>[]> }> {
  const { QueueUrl } = await sqs.createQueue({ QueueName });
  return {
    arn: `arn:aws:sqs:us-east-1:${ACCOUNT}:${QueueName}`,
    async take() {
      const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
      for (const { ReceiptHandle } of Messages) await sqs.deleteMessage({ QueueUrl, ReceiptHandle });
      return Messages.map(({ Body }) => JSON.parse(Body!));
    },
  };
}

const send = (to: string) =>
  v2.sendEmail({
    FromEmailAddress: 'ann@example.com',
    ConfigurationSetName,
    Destination: { ToAddresses: [to] },
    Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } } },
  });

test('events of mails reach the queues of a topic and of a rule', async () => {
  const [ofTopic, ofRule] = [await queue('topic'), await queue('rule')];
  await sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: ofTopic.arn, Attributes: { RawMessageDelivery: 'true' } });
  await events.putRule({ Name: 'mail', EventPattern: '{"source":["aws.ses"]}' });
  await events.putTargets({ Rule: 'mail', Targets: [{ Id: 'q', Arn: ofRule.arn }] });
  const target = (EventDestinationName: string, destination: object) =>
    v2.createConfigurationSetEventDestination({
      ConfigurationSetName,
      EventDestinationName,
      EventDestination: { Enabled: true, MatchingEventTypes: ['BOUNCE'], ...destination },
    });
  await target('topic', { SnsDestination: { TopicArn } });
  await target('bus', {
    EventBridgeDestination: { EventBusArn: `arn:aws:events:us-east-1:${ACCOUNT}:event-bus/default` },
  });
  await expect(target('gone', { SnsDestination: { TopicArn: `${TopicArn}x` } })).rejects.toThrow(
    `SNS topic <${TopicArn}x> not found.`,
  );
  await sqs.purgeQueue({ QueueUrl: (await sqs.getQueueUrl({ QueueName: 'topic' })).QueueUrl });
  await send('bounce@simulator.amazonses.com');
  expect(await ofTopic.take()).toMatchObject([{ eventType: 'Bounce', bounce: { bounceType: 'Permanent' } }]);
  await expect
    .poll(() => ofRule.take(), { timeout: 5000 })
    .toMatchObject([{ source: 'aws.ses', 'detail-type': 'Email Bounced', detail: { eventType: 'Bounce' } }]);
});

test('received mail becomes an object', async () => {
  await s3.createBucket({ Bucket: 'mails' });
  await ses.createReceiptRuleSet({ RuleSetName: 'rules' });
  const missing = { Name: 'missing', Actions: [{ S3Action: { BucketName: 'missing' } }] };
  await expect(ses.createReceiptRule({ RuleSetName: 'rules', Rule: missing })).rejects.toMatchObject({
    name: 'InvalidS3ConfigurationException',
    message: 'No such bucket: missing',
  });
  await ses.createReceiptRule({
    RuleSetName: 'rules',
    Rule: { Name: 'store', Enabled: true, Actions: [{ S3Action: { BucketName: 'mails' } }] },
  });
  await ses.setActiveReceiptRuleSet({ RuleSetName: 'rules' });
  const { json } = await emulator.control('POST', '/_emulator/ses/inbound', {
    from: 'a@b.example',
    recipients: ['info@example.com'],
    textBody: 'hello',
  });
  const { messageId: Key } = json as { messageId: string };
  const { Body } = await s3.getObject({ Bucket: 'mails', Key });
  expect(await Body!.transformToString()).toContain('hello');
});

test('contacts are imported from an object', async () => {
  await s3.putObject({ Bucket: 'mails', Key: 'contacts.csv', Body: 'emailAddress\nann@example.org\n' });
  await v2.createContactList({ ContactListName: 'list' });
  const { JobId } = await v2.createImportJob({
    ImportDestination: { ContactListDestination: { ContactListName: 'list', ContactListImportAction: 'PUT' } },
    ImportDataSource: { S3Url: 's3://mails/contacts.csv', DataFormat: 'CSV' },
  });
  await expect.poll(async () => (await v2.getImportJob({ JobId })).JobStatus, { timeout: 5000 }).toBe('COMPLETED');
  expect((await v2.listContacts({ ContactListName: 'list' })).Contacts).toMatchObject([
    { EmailAddress: 'ann@example.org' },
  ]);
});
