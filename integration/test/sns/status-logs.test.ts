import { createHash } from 'node:crypto';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { type PolicyStatement, TestIdentities } from '@emu/gateway/testing';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { describe, expect, it } from 'vitest';
import { type Endpoint, eventually, REGION, type SnsTest, startEndpoint, startSns } from './support.ts';

const ACCOUNT = '123456789012';
const TRUST: PolicyStatement = {
  Effect: 'Allow',
  Principal: { Service: 'sns.amazonaws.com' },
  Action: 'sts:AssumeRole',
};
/** The policy that the console of SNS creates. */
const WRITES: PolicyStatement = {
  Effect: 'Allow',
  Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
  Resource: '*',
};
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/;
const UUID = /^[0-9a-f-]{36}$/;

interface LogTest extends SnsTest {
  role(name: string, may?: PolicyStatement[], trusts?: PolicyStatement[]): string;
  /** Returns the records of a log group, oldest first; undefined without the group. */
  records(group: string): Promise<Record<string, Record<string, unknown>>[] | undefined>;
}

async function start(): Promise<LogTest> {
  const identities = new TestIdentities();
  const test = await startSns({
    manifests: [logs, sts, identities.manifest],
    settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const client = new CloudWatchLogs(test.emulator.clientConfig());
  return {
    ...test,
    queue: async (QueueName) => {
      const Policy = JSON.stringify({
        Statement: [{ Effect: 'Allow', Principal: '*', Action: 'sqs:SendMessage', Resource: '*' }],
      });
      await test.sqs.createQueue({ QueueName, Attributes: { Policy } });
      return `arn:aws:sqs:${REGION}:${ACCOUNT}:${QueueName}`;
    },
    role: (name, may = [WRITES], trusts = [TRUST]) => identities.role(name, { may, trusts }),
    records: async (logGroupName) => {
      const { logGroups } = await client.describeLogGroups({ logGroupNamePrefix: logGroupName });
      if (!logGroups?.some((group) => group.logGroupName === logGroupName)) return undefined;
      const { events } = await client.filterLogEvents({ logGroupName });
      return events!.map(({ message }) => JSON.parse(message!));
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const SUCCESS = `sns/${REGION}/${ACCOUNT}/topic`;
const FAILURE = `${SUCCESS}/Failure`;

describe('delivery status logs', () => {
  // Records of AWS: https://github.com/DataDog/datadog-serverless-functions
  it('record deliveries to queues', async () => {
    await using test = await start();
    const TopicArn = await test.topic('topic', {
      SQSSuccessFeedbackRoleArn: test.role('success'),
      SQSFailureFeedbackRoleArn: test.role('failure'),
      SQSSuccessFeedbackSampleRate: '100',
    });
    const queue = await test.queue('q');
    await test.subscribe(TopicArn, 'sqs', queue);
    const { MessageId } = await test.sns.publish({ TopicArn, Message: 'Hello' });
    await test.sns.publish({ TopicArn, Message: 'again' });
    const { Messages } = await test.sqs.receiveMessage({ QueueUrl: 'q' });
    const records = await test.records(SUCCESS);
    expect(records).toHaveLength(2);
    const [{ delivery, ...record } = {}] = records!;
    expect(record).toEqual({
      notification: {
        messageMD5Sum: createHash('md5').update('Hello').digest('hex'),
        messageId: MessageId,
        topicArn: TopicArn,
        timestamp: expect.stringMatching(TIME),
      },
      status: 'SUCCESS',
    });
    const { providerResponse, ...others } = delivery!;
    expect(others).toEqual({
      deliveryId: expect.stringMatching(UUID),
      destination: queue,
      dwellTimeMs: 0,
      attempts: 1,
      statusCode: 200,
    });
    expect(JSON.parse(providerResponse as string)).toEqual({
      sqsRequestId: expect.stringMatching(UUID),
      sqsMessageId: Messages![0]!.MessageId,
    });
    expect(await test.records(FAILURE)).toBeUndefined();

    await test.sqs.deleteQueue({ QueueUrl: 'q' });
    await test.sns.publish({ TopicArn, Message: 'lost' });
    const [failed] = (await test.records(FAILURE))!;
    expect(failed).toMatchObject({ status: 'FAILURE', delivery: { destination: queue, attempts: 1, statusCode: 403 } });
    expect(JSON.parse(failed!.delivery!.providerResponse as string)).toMatchObject({
      ErrorCode: 'AccessDenied',
      sqsRequestId: 'Unrecoverable',
    });
  });

  it('record the final attempt of retried deliveries to HTTP endpoints', async () => {
    await using endpoint: Endpoint = await startEndpoint();
    await using test = await start();
    const TopicArn = await test.topic('topic', {
      HTTPSuccessFeedbackRoleArn: test.role('success'),
      HTTPFailureFeedbackRoleArn: test.role('failure'),
    });
    await test.subscribe(TopicArn, 'http', endpoint.url, {
      DeliveryPolicy: JSON.stringify({ healthyRetryPolicy: { numRetries: 1, minDelayTarget: 1, maxDelayTarget: 1 } }),
    });
    await fetch(JSON.parse((await endpoint.reached(1)).body).SubscribeURL);
    const Message = 'm';
    await test.sns.publish({ TopicArn, Message });
    const [delivered] = await eventually(() => test.records(SUCCESS));
    expect(delivered).toMatchObject({
      delivery: { destination: endpoint.url, providerResponse: '', attempts: 1, statusCode: 200 },
      status: 'SUCCESS',
    });
    endpoint.status = 503;
    await test.sns.publish({ TopicArn, Message });
    await endpoint.reached(3);
    await eventually(async () => {
      await test.advance(1);
      return test.records(FAILURE);
    });
    expect(await test.records(FAILURE)).toMatchObject([
      { delivery: { attempts: 2, statusCode: 503 }, status: 'FAILURE' },
    ]);
  });

  it('sample successful deliveries', async () => {
    await using test = await start();
    const TopicArn = await test.topic('topic', {
      SQSSuccessFeedbackRoleArn: test.role('success'),
      SQSSuccessFeedbackSampleRate: '0',
    });
    await test.subscribe(TopicArn, 'sqs', await test.queue('q'));
    const rate = (AttributeValue: string) =>
      test.sns.setTopicAttributes({ TopicArn, AttributeName: 'SQSSuccessFeedbackSampleRate', AttributeValue });
    const publish = async (count: number) => {
      for (let at = 0; at < count; at++) await test.sns.publish({ TopicArn, Message: 'm' });
    };
    await publish(5);
    expect(await test.records(SUCCESS)).toBeUndefined();
    await rate('50');
    await publish(40);
    const logged = (await test.records(SUCCESS))!.length;
    expect(logged).toBeGreaterThan(5);
    expect(logged).toBeLessThan(35);
  });

  it.each<[string, PolicyStatement[], PolicyStatement[]]>([
    ['may not write logs', [], [TRUST]],
    ['does not trust SNS', [WRITES], [{ ...TRUST, Principal: { Service: 'lambda.amazonaws.com' } }]],
  ])('are not written with a role that %s', async (_why, may, trusts) => {
    await using test = await start();
    const role = test.role('logger', may, trusts);
    const TopicArn = await test.topic('topic', { SQSSuccessFeedbackRoleArn: role });
    await test.subscribe(TopicArn, 'sqs', await test.queue('q'));
    await test.sns.publish({ TopicArn, Message: 'm' });
    expect(await test.received('q')).toHaveLength(1);
    expect(await test.records(SUCCESS)).toBeUndefined();
  });

  it('continue in a new group after its deletion', async () => {
    await using test = await start();
    const TopicArn = await test.topic('topic', { SQSSuccessFeedbackRoleArn: test.role('success') });
    await test.subscribe(TopicArn, 'sqs', await test.queue('q'));
    await test.sns.publish({ TopicArn, Message: 'm' });
    await new CloudWatchLogs(test.emulator.clientConfig()).deleteLogGroup({ logGroupName: SUCCESS });
    await test.sns.publish({ TopicArn, Message: 'm' });
    expect(await test.records(SUCCESS)).toHaveLength(1);
  });

  // https://docs.aws.amazon.com/sns/latest/dg/sms_stats_cloudwatch.html
  it('record SMS to phone numbers', async () => {
    await using test = await start();
    const attributes = { DeliveryStatusIAMRole: test.role('sms'), DeliveryStatusSuccessSamplingRate: '100' };
    await test.sns.setSMSAttributes({ attributes });
    expect((await test.sns.getSMSAttributes({})).attributes).toMatchObject(attributes);
    const PhoneNumber = '+15555550100';
    const { MessageId } = await test.sns.publish({ PhoneNumber, Message: 'x'.repeat(161) });
    const group = `sns/${REGION}/${ACCOUNT}/DirectPublishToPhoneNumber`;
    expect(await test.records(group)).toEqual([
      {
        notification: { messageId: MessageId, timestamp: expect.stringMatching(TIME) },
        delivery: {
          mnc: 0,
          numberOfMessageParts: 2,
          destination: PhoneNumber,
          priceInUSD: 0,
          smsType: 'Promotional',
          mcc: 0,
          providerResponse: 'Message has been accepted by phone carrier',
          dwellTimeMs: 0,
          dwellTimeMsUntilDeviceAck: 0,
        },
        status: 'SUCCESS',
      },
    ]);
    // Only failures are logged with a sampling rate of 0.
    await test.sns.setSMSAttributes({ attributes: { DeliveryStatusSuccessSamplingRate: '0' } });
    await test.sns.publish({ PhoneNumber, Message: 'x' });
    expect(await test.records(group)).toHaveLength(1);
    await test.emulator.control('POST', '/_emulator/sns/sms/opt-out', { phoneNumber: PhoneNumber });
    await test.sns.publish({ PhoneNumber, Message: 'x' });
    expect(await test.records(`${group}/Failure`)).toMatchObject([{ status: 'FAILURE' }]);
    await test.sns.setSMSAttributes({ attributes: { DeliveryStatusIAMRole: '' } });
    await test.sns.publish({ PhoneNumber, Message: 'x' });
    expect(await test.records(`${group}/Failure`)).toHaveLength(1);
  });

  // https://docs.aws.amazon.com/sns/latest/dg/sns-msg-status.html
  it('record push notifications by the roles of the platform application', async () => {
    await using test = await start();
    const { PlatformApplicationArn } = await test.sns.createPlatformApplication({
      Name: 'app',
      Platform: 'GCM',
      Attributes: { PlatformCredential: 'key', SuccessFeedbackRoleArn: test.role('success') },
    });
    await test.sns.setPlatformApplicationAttributes({
      PlatformApplicationArn,
      Attributes: { FailureFeedbackRoleArn: test.role('failure'), SuccessFeedbackSampleRate: '100' },
    });
    const { EndpointArn } = await test.sns.createPlatformEndpoint({ PlatformApplicationArn, Token: 'token' });
    const TopicArn = await test.topic('topic');
    await test.subscribe(TopicArn, 'application', EndpointArn!);
    const { MessageId } = await test.sns.publish({ TargetArn: EndpointArn, Message: 'direct' });
    await test.sns.publish({ TopicArn, Message: 'by the topic' });
    const group = `sns/${REGION}/${ACCOUNT}/app/GCM/app`;
    const [direct, ...others] = (await test.records(group))!;
    expect(direct).toEqual({
      status: 'SUCCESS',
      notification: { timestamp: expect.stringMatching(TIME), messageId: MessageId },
      delivery: {
        statusCode: 200,
        dwellTimeMs: 0,
        token: 'token',
        attempts: 1,
        providerResponse: '',
        destination: EndpointArn,
      },
    });
    expect(others).toHaveLength(1);
    await test.sns.setEndpointAttributes({ EndpointArn, Attributes: { Enabled: 'false' } });
    await test.sns.publish({ TopicArn, Message: 'by the topic' });
    expect(await test.records(`${group}/Failure`)).toMatchObject([
      { status: 'FAILURE', delivery: { destination: EndpointArn } },
    ]);
  });
});
