import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { definePlugin, type Principal } from '@emu/core/service';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { awsError, type ServiceModel } from '@emu/wire';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, failureOf, REGION, startSns } from './support.ts';

/** Returns a fake service with one operation, which records its calls. */
function fakeService(name: string, operation: string, answer: (input: Record<string, unknown>) => unknown) {
  const calls: { input: Record<string, unknown>; principal: Principal; traceHeader: string | undefined }[] = [];
  const model = {
    service: name,
    source: { botocore: '0', path: name },
    metadata: { apiVersion: '1', protocols: ['awsJson1_1'], signingName: name, targetPrefix: name },
    operations: { [operation]: { http: { method: 'POST', uri: '/' }, input: { shape: 'Input' } } },
    shapes: { Input: { type: 'structure', members: {} } },
  };
  const plugin = definePlugin<Record<string, { input: unknown; output: unknown }>, unknown>({
    name,
    model: model as unknown as ServiceModel,
    stateScope: 'region',
    collections: [],
    operations: [
      {
        [operation]: (input, { principal, traceHeader }) => {
          calls.push({ input: input as Record<string, unknown>, principal, traceHeader });
          return answer(input as Record<string, unknown>);
        },
      },
    ],
  });
  return { plugin, calls };
}

const FUNCTION = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:f`;

describe('deliveries to functions', () => {
  it('invoke them with an event', async () => {
    const lambda = fakeService('lambda', 'Invoke', () => ({}));
    await using test = await startSns({ plugins: [lambda.plugin] });
    const TopicArn = await test.topic('topic');
    const SubscriptionArn = await test.subscribe(TopicArn, 'lambda', FUNCTION);
    const { MessageId } = await test.sns.publish({
      TopicArn,
      Message: 'Hello world.',
      Subject: 'S',
      MessageAttributes: { a: { DataType: 'String', StringValue: 'x' } },
    });
    const { input, principal } = lambda.calls[0]!;
    expect(principal).toMatchObject({ type: 'service', arn: 'sns.amazonaws.com' });
    expect(input).toMatchObject({ FunctionName: FUNCTION, InvocationType: 'Event' });
    expect(JSON.parse(Buffer.from(input.Payload as Uint8Array).toString())).toEqual({
      Records: [
        {
          EventSource: 'aws:sns',
          EventVersion: '1.0',
          EventSubscriptionArn: SubscriptionArn,
          Sns: {
            SignatureVersion: '1',
            Timestamp: expect.any(String),
            Signature: expect.any(String),
            SigningCertUrl: 'http://localhost:4566/_emulator/sns/cert.pem',
            MessageId,
            Message: 'Hello world.',
            MessageAttributes: { a: { Type: 'String', Value: 'x' } },
            Type: 'Notification',
            UnsubscribeUrl: expect.stringContaining(SubscriptionArn),
            TopicArn,
            Subject: 'S',
          },
        },
      ],
    });
  });

  it('are retried while the service fails', async () => {
    let ill = true;
    const lambda = fakeService('lambda', 'Invoke', () => {
      if (ill) throw awsError('ServiceException', 'ill', { status: 500 });
      return {};
    });
    await using test = await startSns({ plugins: [lambda.plugin] });
    const TopicArn = await test.topic('topic');
    await test.subscribe(TopicArn, 'lambda', FUNCTION);
    await test.sns.publish({ TopicArn, Message: 'm' });
    const delivery = async () => (await test.messages())[0]!.deliveries[0];
    expect(await delivery()).toMatchObject({ status: 'failed', error: 'ServiceException: ill' });
    await test.advance(0);
    expect(lambda.calls).toHaveLength(4);
    await test.advance(2);
    expect(lambda.calls).toHaveLength(6);
    ill = false;
    await test.advance(1);
    expect(await delivery()).toMatchObject({ status: 'delivered' });
    const count = lambda.calls.length;
    await test.advance(3600);
    expect(lambda.calls).toHaveLength(count);
  });

  // Recorded.
  it('are logged without the number of attempts', async () => {
    const lambda = fakeService('lambda', 'Invoke', () => ({}));
    await using test = await startSns({ plugins: [lambda.plugin], manifests: [logs, sts] });
    const TopicArn = await test.topic('topic', {
      LambdaSuccessFeedbackRoleArn: `arn:aws:iam::${ACCOUNT}:role/feedback`,
      LambdaSuccessFeedbackSampleRate: '100',
    });
    await test.subscribe(TopicArn, 'lambda', FUNCTION);
    const { MessageId } = await test.sns.publish({ TopicArn, Message: 'm' });
    const { events } = await new CloudWatchLogs(test.emulator.clientConfig()).filterLogEvents({
      logGroupName: `sns/${REGION}/${ACCOUNT}/topic`,
    });
    const record = JSON.parse(events![0]!.message!);
    expect({ ...record.delivery, providerResponse: JSON.parse(record.delivery.providerResponse) }).toEqual({
      deliveryId: expect.any(String),
      destination: FUNCTION,
      providerResponse: { lambdaRequestId: expect.any(String) },
      dwellTimeMs: 0,
      statusCode: 202,
    });
    expect(record.notification).toMatchObject({ messageId: MessageId, topicArn: TopicArn });
  });

  it.each(['PassThrough', 'Active'])('forward the trace, so that loops are detected: %s', async (TracingConfig) => {
    const lambda = fakeService('lambda', 'Invoke', () => ({}));
    await using test = await startSns({ plugins: [lambda.plugin] });
    const TopicArn = await test.topic('topic', { TracingConfig });
    await test.subscribe(TopicArn, 'lambda', FUNCTION);
    await test.emulator.kernel.call(
      'sns',
      'Publish',
      { TopicArn, Message: 'm' },
      { traceHeader: 'Root=1;Lineage=abc:3' },
    );
    expect(lambda.calls[0]!.traceHeader).toBe('Root=1;Lineage=abc:3');
  });
});

describe('deliveries to streams', () => {
  it('put records', async () => {
    const firehose = fakeService('firehose', 'PutRecord', () => ({}));
    await using test = await startSns({ plugins: [firehose.plugin] });
    const TopicArn = await test.topic('topic');
    await test.subscribe(TopicArn, 'firehose', `arn:aws:firehose:${REGION}:${ACCOUNT}:deliverystream/s`, {
      SubscriptionRoleArn: `arn:aws:iam::${ACCOUNT}:role/r`,
      RawMessageDelivery: 'true',
    });
    await test.sns.publish({ TopicArn, Message: 'm' });
    expect(firehose.calls[0]!.input).toMatchObject({ DeliveryStreamName: 's', Record: { Data: Buffer.from('m') } });
  });
});

describe('deliveries to missing services', () => {
  it('fail, or go to the dead-letter queue', async () => {
    await using test = await startSns();
    const TopicArn = await test.topic('topic');
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: await test.queue('dlq') });
    await test.subscribe(TopicArn, 'lambda', FUNCTION, { RedrivePolicy });
    await test.subscribe(TopicArn, 'firehose', `arn:aws:firehose:${REGION}:${ACCOUNT}:deliverystream/s`, {
      SubscriptionRoleArn: `arn:aws:iam::${ACCOUNT}:role/r`,
    });
    await test.sns.publish({ TopicArn, Message: 'm' });
    expect((await test.messages())[0]!.deliveries).toMatchObject([
      { protocol: 'lambda', status: 'dead-lettered', error: expect.stringContaining('NotImplemented') },
      { protocol: 'firehose', status: 'failed', error: expect.stringContaining('NotImplemented') },
    ]);
    expect((await test.received('dlq')).map(({ body }) => JSON.parse(body).Message)).toEqual(['m']);
  });

  it('report it if the dead-letter queue is missing as well', async () => {
    await using test = await startSns();
    const TopicArn = await test.topic('topic');
    const missing = `arn:aws:sqs:${REGION}:${ACCOUNT}:missing`;
    await test.subscribe(TopicArn, 'sqs', missing, { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: missing }) });
    await test.sns.publish({ TopicArn, Message: 'm' });
    const [delivery] = (await test.messages())[0]!.deliveries;
    expect(delivery).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/; dead-letter queue: QueueDoesNotExist/),
    });
  });
});

describe('encrypted queues', () => {
  it('with the AWS managed key receive nothing from SNS', async () => {
    await using test = await startSns({ manifests: [kms] });
    const TopicArn = await test.topic('topic');
    const queue = await test.queue('q', { KmsMasterKeyId: 'alias/aws/sqs' });
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: await test.queue('dlq') });
    await test.subscribe(TopicArn, 'sqs', queue, { RawMessageDelivery: 'true', RedrivePolicy });
    await test.sns.publish({ TopicArn, Message: 'm' });
    expect(await test.received('q')).toEqual([]);
    expect(await test.received('dlq')).toMatchObject([{ body: 'm' }]);
    expect((await test.messages())[0]!.deliveries[0]).toMatchObject({
      error: expect.stringContaining('KmsAccessDenied: User: sns.amazonaws.com is not authorized'),
    });
  });
});

describe('queues in other accounts and regions', () => {
  it('in another account must confirm first', async () => {
    await using test = await startSns();
    const TopicArn = await test.topic('topic');
    const theirs = test.queueClient({ accessKeyId: '000000000001' });
    await theirs.createQueue({ QueueName: 'theirs' });
    const Endpoint = `arn:aws:sqs:${REGION}:000000000001:theirs`;
    expect((await test.sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint })).SubscriptionArn).toBe(
      'pending confirmation',
    );
    const { Messages } = await theirs.receiveMessage({ QueueUrl: 'theirs', WaitTimeSeconds: 1 });
    const { Type, Token } = JSON.parse(Messages![0]!.Body!);
    expect(Type).toBe('SubscriptionConfirmation');
    await test.client({ accessKeyId: '000000000001' }).confirmSubscription({ TopicArn, Token });
    await test.sns.publish({ TopicArn, Message: 'm' });
    expect((await test.messages())[0]!.deliveries).toMatchObject([{ status: 'delivered' }]);
  });

  it('in another region receive messages', async () => {
    await using test = await startSns();
    const TopicArn = await test.topic('topic');
    const away = test.queueClient({ region: 'eu-west-1' });
    await away.createQueue({ QueueName: 'away' });
    await test.subscribe(TopicArn, 'sqs', `arn:aws:sqs:eu-west-1:${ACCOUNT}:away`, { RawMessageDelivery: 'true' });
    await test.sns.publish({ TopicArn, Message: 'm' });
    const { Messages } = await away.receiveMessage({ QueueUrl: 'away' });
    expect(Messages).toMatchObject([{ Body: 'm' }]);
  });
});

describe('encrypted topics', () => {
  it('require a usable key', async () => {
    await using test = await startSns({ manifests: [kms] });
    const publish = (TopicArn: string) => test.sns.publish({ TopicArn, Message: 'm' });
    const missing = await test.topic('missing', { KmsMasterKeyId: '11111111-1111-1111-1111-111111111111' });
    expect((await failureOf(publish(missing))).code).toBe('KMSNotFound');
    await publish(await test.topic('managed', { KmsMasterKeyId: 'alias/aws/sns' }));
    const key = await test.emulator.kernel.call('kms', 'CreateKey', {}, { accountId: ACCOUNT });
    const KeyId = key.KeyMetadata!.KeyId;
    const TopicArn = await test.topic('own', { KmsMasterKeyId: KeyId });
    await publish(TopicArn);
    await test.emulator.kernel.call('kms', 'DisableKey', { KeyId }, { accountId: ACCOUNT });
    await publish(TopicArn);
    await test.advance(300);
    expect((await failureOf(publish(TopicArn))).code).toBe('KMSDisabled');
  });
});
