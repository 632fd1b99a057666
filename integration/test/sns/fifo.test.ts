import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, failureOf, REGION, type SnsTest, startSns } from './support.ts';

let test: SnsTest;
beforeAll(async () => {
  test = await startSns();
});
afterAll(() => test[Symbol.asyncDispose]());

const invalid = (reason: string) => ({
  code: 'InvalidParameter',
  message: `Invalid parameter: ${reason}`,
  status: 400,
});
const fifoTopic = (name: string, attributes: Record<string, string> = {}) =>
  test.topic(`${name}.fifo`, { FifoTopic: 'true', ...attributes });
const fifoQueue = (name: string) => test.queue(`${name}.fifo`, { FifoQueue: 'true' });
const BY_CONTENT = { ContentBasedDeduplication: 'true' };
const RAW = { RawMessageDelivery: 'true' };

describe('FIFO topics', () => {
  it('number their messages and do not sign them', async () => {
    const TopicArn = await fifoTopic('numbered', BY_CONTENT);
    await test.subscribe(TopicArn, 'sqs', await fifoQueue('numbered'));
    const first = await test.sns.publish({ TopicArn, Message: 'Test', MessageGroupId: 'g' });
    expect(first.SequenceNumber).toMatch(/^1\d{19}$/);
    const [message] = await test.received('numbered.fifo');
    expect(message!.system).toMatchObject({
      MessageGroupId: 'g',
      MessageDeduplicationId: createHash('sha256').update('Test').digest('hex'),
    });
    const body = JSON.parse(message!.body);
    expect(Object.keys(body)).toEqual([
      'Type',
      'MessageId',
      'SequenceNumber',
      'TopicArn',
      'Message',
      'Timestamp',
      'UnsubscribeURL',
    ]);
    expect(body).toMatchObject({ MessageId: first.MessageId, SequenceNumber: first.SequenceNumber });
    const second = await test.sns.publish({ TopicArn, Message: 'Other', MessageGroupId: 'g' });
    expect(BigInt(second.SequenceNumber!)).toBeGreaterThan(BigInt(first.SequenceNumber!));
  });

  it('detect duplicates for five minutes', async () => {
    const TopicArn = await fifoTopic('dedup');
    await test.subscribe(TopicArn, 'sqs', await fifoQueue('dedup'), RAW);
    const publish = (Message: string, MessageGroupId = 'g') =>
      test.sns.publish({ TopicArn, Message, MessageGroupId, MessageDeduplicationId: 'd' });
    const { MessageId, SequenceNumber } = await publish('one');
    expect(await publish('two', 'other-group')).toMatchObject({ MessageId, SequenceNumber });
    await test.advance(299);
    expect(await publish('three')).toMatchObject({ MessageId });
    await test.advance(1);
    expect((await publish('four')).MessageId).not.toBe(MessageId);
    expect((await test.received('dedup.fifo')).map(({ body }) => body)).toEqual(['one', 'four']);
  });

  it('can distinguish groups', async () => {
    const TopicArn = await fifoTopic('groups', { FifoThroughputScope: 'MessageGroup' });
    const publish = (MessageGroupId: string) =>
      test.sns.publish({ TopicArn, Message: 'm', MessageGroupId, MessageDeduplicationId: 'd' });
    const { MessageId } = await publish('a');
    expect((await publish('b')).MessageId).not.toBe(MessageId);
    expect((await publish('a')).MessageId).toBe(MessageId);
  });

  it('keep the order of their messages', async () => {
    const TopicArn = await fifoTopic('order', BY_CONTENT);
    await test.subscribe(TopicArn, 'sqs', await fifoQueue('order'), RAW);
    const numbers = Array.from({ length: 30 }, (_, n) => String(n));
    await Promise.all(numbers.map((Message) => test.sns.publish({ TopicArn, Message, MessageGroupId: 'g' })));
    const sequences = (await test.messages())
      .filter(({ topicArn }) => topicArn === TopicArn)
      .map(({ message, sequenceNumber }) => [message, sequenceNumber!] as const)
      .sort(([, a], [, b]) => (BigInt(a) < BigInt(b) ? -1 : 1));
    expect((await test.received('order.fifo')).map(({ body }) => body)).toEqual(sequences.map(([message]) => message));
  });

  it('deliver to standard queues without groups', async () => {
    const TopicArn = await fifoTopic('standard', BY_CONTENT);
    await test.subscribe(TopicArn, 'sqs', await test.queue('standard'), RAW);
    await test.sns.publish({ TopicArn, Message: 'm', MessageGroupId: 'g' });
    const [message] = await test.received('standard');
    expect(message).toMatchObject({ body: 'm' });
    expect(message!.system).not.toHaveProperty('MessageGroupId');
  });

  it('publish batches', async () => {
    const TopicArn = await fifoTopic('batch', BY_CONTENT);
    await test.subscribe(TopicArn, 'sqs', await fifoQueue('batch'), RAW);
    const entries = ['1', '2', '3'].map((Id) => ({ Id, Message: `m${Id}`, MessageGroupId: 'g' }));
    const batch = () => test.sns.publishBatch({ TopicArn, PublishBatchRequestEntries: entries });
    const { Successful } = await batch();
    expect((await batch()).Successful).toEqual(Successful);
    expect((await test.received('batch.fifo')).map(({ body }) => body)).toEqual(['m1', 'm2', 'm3']);
  });

  it('reject invalid parameters', async () => {
    const TopicArn = await fifoTopic('strict');
    const publish = (input: Record<string, string>) =>
      failureOf(test.sns.publish({ TopicArn, Message: 'm', ...input }));
    expect(await publish({})).toEqual(invalid('The MessageGroupId parameter is required for FIFO topics'));
    expect(await publish({ MessageGroupId: 'g' })).toEqual(
      invalid(
        'The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
      ),
    );
    expect(await publish({ MessageGroupId: 'a b', MessageDeduplicationId: 'd' })).toEqual(invalid('MessageGroupId'));
    expect(await failureOf(test.sns.subscribe({ TopicArn, Protocol: 'email', Endpoint: 'a@b.c' }))).toEqual(
      invalid('Invalid protocol type: email'),
    );
    const SubscriptionArn = await test.subscribe(TopicArn, 'sqs', await fifoQueue('strict'));
    const set = (deadLetterTargetArn: string) =>
      test.sns.setSubscriptionAttributes({
        SubscriptionArn,
        AttributeName: 'RedrivePolicy',
        AttributeValue: JSON.stringify({ deadLetterTargetArn }),
      });
    expect(await failureOf(set(`arn:aws:sqs:${REGION}:${ACCOUNT}:standard`))).toEqual(
      invalid('RedrivePolicy: must use a FIFO queue as DLQ for a FIFO Subscription to a FIFO Topic.'),
    );
  });

  it('have FIFO dead-letter queues', async () => {
    const TopicArn = await fifoTopic('dead');
    await fifoQueue('dead-dlq');
    const arn = `arn:aws:sqs:${REGION}:${ACCOUNT}`;
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: `${arn}:dead-dlq.fifo` });
    await test.subscribe(TopicArn, 'sqs', `${arn}:missing.fifo`, { ...RAW, RedrivePolicy });
    await test.sns.publish({
      TopicArn,
      Message: 'm',
      MessageGroupId: 'g',
      MessageDeduplicationId: 'd',
      MessageAttributes: { a: { DataType: 'Number', StringValue: '1' } },
    });
    expect(await test.received('dead-dlq.fifo')).toMatchObject([
      {
        body: 'm',
        attributes: { a: { StringValue: '1' } },
        system: { MessageGroupId: 'g', MessageDeduplicationId: 'd' },
      },
    ]);
  });
});

describe('archives', () => {
  it('keep messages and replay them', async () => {
    const ArchivePolicy = JSON.stringify({ MessageRetentionPeriod: '30' });
    const TopicArn = await fifoTopic('archive', { ...BY_CONTENT, ArchivePolicy });
    const publish = (Message: string, kind: string) =>
      test.sns.publish({
        TopicArn,
        Message,
        MessageGroupId: 'g',
        MessageAttributes: { kind: { DataType: 'String', StringValue: kind } },
      });
    const begin = new Date(test.emulator.kernel.clock.now()).toISOString();
    const { MessageId } = await publish('1', 'a');
    await publish('2', 'b');
    await test.advance(60);
    const end = new Date(test.emulator.kernel.clock.now() - 1).toISOString();
    await publish('3', 'a');
    expect((await test.sns.getTopicAttributes({ TopicArn })).Attributes).toMatchObject({
      ArchivePolicy,
      BeginningArchiveTime: begin,
    });
    const SubscriptionArn = await test.subscribe(TopicArn, 'sqs', await fifoQueue('archive'), {
      FilterPolicy: '{"kind":["a"]}',
      ReplayPolicy: JSON.stringify({ PointType: 'Timestamp', StartingPoint: begin, EndingPoint: end }),
    });
    const status = async () => (await test.sns.getSubscriptionAttributes({ SubscriptionArn })).Attributes!.ReplayStatus;
    expect(await status()).toBe('Pending');
    await test.advance(0);
    expect(await status()).toBe('Completed');
    const [replayed, ...more] = await test.received('archive.fifo');
    expect(more).toEqual([]);
    expect(JSON.parse(replayed!.body)).toMatchObject({ Message: '1', MessageId, Replayed: 'true' });
    await publish('4', 'a');
    expect(await test.received('archive.fifo')).toHaveLength(1);

    expect((await failureOf(test.sns.deleteTopic({ TopicArn }))).code).toBe('InvalidState');
    await test.sns.setTopicAttributes({ TopicArn, AttributeName: 'ArchivePolicy', AttributeValue: '{}' });
    await test.sns.deleteTopic({ TopicArn });
  });

  it('remove expired messages', async () => {
    const TopicArn = await fifoTopic('old', { ...BY_CONTENT, ArchivePolicy: '{"MessageRetentionPeriod":"1"}' });
    const begin = new Date(test.emulator.kernel.clock.now()).toISOString();
    await test.sns.publish({ TopicArn, Message: 'old', MessageGroupId: 'g' });
    await test.advance(25 * 3600);
    await test.sns.publish({ TopicArn, Message: 'new', MessageGroupId: 'g' });
    await test.subscribe(TopicArn, 'sqs', await fifoQueue('old'), {
      ...RAW,
      ReplayPolicy: JSON.stringify({ PointType: 'Timestamp', StartingPoint: begin }),
    });
    await test.advance(0);
    expect((await test.received('old.fifo')).map(({ body }) => body)).toEqual(['new']);
  });

  it('reject policies', async () => {
    for (const ArchivePolicy of [
      'x',
      '[]',
      '{"MessageRetentionPeriod":"0"}',
      '{"MessageRetentionPeriod":"366"}',
      '{"Days":"1"}',
    ])
      expect((await failureOf(fifoTopic('bad', { ArchivePolicy }))).message).toMatch(/ArchivePolicy: /);
    const TopicArn = await fifoTopic('unarchived');
    const ReplayPolicy = JSON.stringify({ PointType: 'Timestamp', StartingPoint: '2026-01-01T00:00:00.000Z' });
    const subscribe = (topic: string, policy: string) =>
      failureOf(test.subscribe(topic, 'sqs', `arn:aws:sqs:${REGION}:${ACCOUNT}:q.fifo`, { ReplayPolicy: policy }));
    expect((await subscribe(TopicArn, ReplayPolicy)).message).toContain('active ArchivePolicy');
    const archived = await fifoTopic('archived', { ArchivePolicy: '{"MessageRetentionPeriod":"1"}' });
    for (const policy of ['x', '{"PointType":"Other","StartingPoint":"2026-01-01"}', '{"PointType":"Timestamp"}'])
      expect((await subscribe(archived, policy)).message).toMatch(/ReplayPolicy: /);
  });
});
