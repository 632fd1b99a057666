import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, failureOf, REGION, type SnsTest, startSns } from './support.ts';

let test: SnsTest;
let TopicArn: string;
beforeAll(async () => {
  test = await startSns();
  TopicArn = await test.topic('topic');
  await test.subscribe(TopicArn, 'sqs', await test.queue('plain'));
  await test.subscribe(TopicArn, 'sqs', await test.queue('raw'), { RawMessageDelivery: 'true' });
});
afterAll(() => test[Symbol.asyncDispose]());

const invalid = (reason: string) => ({
  code: 'InvalidParameter',
  message: `Invalid parameter: ${reason}`,
  status: 400,
});

describe('Publish', () => {
  it('yields to other requests while it serves many subscribers', async () => {
    const topic = await test.topic('crowded');
    const numbers = Array.from({ length: 1_200 }, (_, index) => `+1555${String(index).padStart(7, '0')}`);
    for (const number of numbers) await test.subscribe(topic, 'sms', number);
    let others = 0;
    let ended = false;
    const count = (): void => {
      others++;
      if (!ended) setImmediate(count);
    };
    const publishing = test.sns.publish({ TopicArn: topic, Message: 'to all' });
    setImmediate(count);
    await publishing;
    ended = true;
    expect(others).toBeGreaterThan(1);
    expect((await test.sms()).filter(({ message }) => message === 'to all')).toHaveLength(numbers.length);
    const log = (await test.messages()).find(({ topicArn }) => topicArn === topic);
    expect(log?.deliveries.map(({ endpoint }) => endpoint)).toEqual(numbers);
  });

  it('delivers a notification to queues', async () => {
    const MessageAttributes = {
      attr1: { DataType: 'Number', StringValue: '99.12' },
      attr2: { DataType: 'Binary', BinaryValue: Buffer.of(2, 3, 4) },
    };
    const { MessageId, SequenceNumber } = await test.sns.publish({
      TopicArn,
      Message: 'This is a test message',
      Subject: 'S',
      MessageAttributes,
    });
    expect(SequenceNumber).toBeUndefined();
    const [plain] = await test.received('plain');
    const body = JSON.parse(plain!.body);
    expect(Object.keys(body)).toEqual([
      'Type',
      'MessageId',
      'TopicArn',
      'Subject',
      'Message',
      'Timestamp',
      'SignatureVersion',
      'Signature',
      'SigningCertURL',
      'UnsubscribeURL',
      'MessageAttributes',
    ]);
    expect(body).toMatchObject({
      Type: 'Notification',
      MessageId,
      TopicArn,
      Subject: 'S',
      Message: 'This is a test message',
      SignatureVersion: '1',
      SigningCertURL: 'http://localhost:4566/_emulator/sns/cert.pem',
      MessageAttributes: { attr1: { Type: 'Number', Value: '99.12' }, attr2: { Type: 'Binary', Value: 'AgME' } },
    });
    expect(body.UnsubscribeURL).toMatch(/^http:\/\/localhost:4566\/\?Action=Unsubscribe&SubscriptionArn=arn:aws:sns:/);
    expect(plain!.attributes).toEqual({});
    const [raw] = await test.received('raw');
    expect(raw).toMatchObject({
      body: 'This is a test message',
      attributes: {
        attr1: { DataType: 'Number', StringValue: '99.12' },
        attr2: { DataType: 'Binary', BinaryValue: new Uint8Array([2, 3, 4]) },
      },
      system: { SenderId: 'AIDAIT2UOQQY3AUEKVGXU' },
    });
  });

  it('accepts the topic as TargetArn, and forwards the group id of fair queues', async () => {
    await test.sns.publish({ TargetArn: TopicArn, Message: 'target', MessageGroupId: 'tenant-1' });
    const [raw] = await test.received('raw');
    expect(raw).toMatchObject({ body: 'target', system: { MessageGroupId: 'tenant-1' } });
    expect((await test.messages()).at(-1)).toMatchObject({ targetArn: TopicArn, message: 'target' });
    await test.received('plain');
  });

  it('selects the text for the protocol', async () => {
    const publish = (Message: string) => test.sns.publish({ TopicArn, Message, MessageStructure: 'json' });
    await publish(JSON.stringify({ default: 'default field', sqs: '{"field": "value"}' }));
    await publish(JSON.stringify({ default: 'default field', lambda: 'other' }));
    const bodies = (await test.received('raw')).map(({ body }) => body);
    expect(bodies).toEqual(['{"field": "value"}', 'default field']);
    expect((await test.received('plain')).map(({ body }) => JSON.parse(body).Message)).toEqual(bodies);
    const structure = (reason: string) => invalid(`Message Structure - ${reason}`);
    expect(await failureOf(publish('{"sqs":"x"}'))).toEqual(structure('No default entry in JSON message body'));
    expect(await failureOf(publish('{"default":{}}'))).toEqual(structure('No default entry in JSON message body'));
    expect(await failureOf(publish('{x'))).toEqual(structure('JSON message body failed to parse'));
  });

  it('preserves every character', async () => {
    const Message = 'föö😀\u0001"\\ \n\u2028';
    await test.sns.publish({ TopicArn, Message: 'föö😀"\\ \n\u2028' });
    expect((await test.received('plain')).map(({ body }) => JSON.parse(body).Message)).toEqual(['föö😀"\\ \n\u2028']);
    expect(Message).toContain('föö');
    await test.received('raw');
  });

  it('forwards the trace header', async () => {
    const header = 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1';
    test.sns.middlewareStack.add(
      (next) => (args) => {
        (args.request as { headers: Record<string, string> }).headers['x-amzn-trace-id'] = header;
        return next(args);
      },
      { step: 'build', name: 'trace' },
    );
    await test.sns.publish({ TopicArn, Message: 'traced' });
    test.sns.middlewareStack.remove('trace');
    const [raw] = await test.received('raw');
    expect(raw!.system.AWSTraceHeader).toBe(header);
    await test.received('plain');
  });

  it.each([
    [{ Message: '' }, 'Empty message'],
    [{ Message: 'x', Subject: '' }, 'Subject'],
    [{ Message: 'x', Subject: 'x'.repeat(101) }, 'Subject'],
    [{ Message: 'x', Subject: 'a\nb' }, 'Subject'],
    [{ Message: 'x'.repeat(262145) }, 'Message too long'],
    [
      { Message: 'x'.repeat(262140), MessageAttributes: { a: { DataType: 'String', StringValue: 'x'.repeat(10) } } },
      'Message too long',
    ],
    [
      { Message: 'x', MessageDeduplicationId: 'd' },
      'MessageDeduplicationId Reason: The request includes MessageDeduplicationId parameter that is not valid for this topic type',
    ],
  ])('rejects a message', async (input, reason) => {
    expect(await failureOf(test.sns.publish({ TopicArn, ...input }))).toEqual(invalid(reason));
  });

  it.each([
    [{}, invalid('TopicArn or TargetArn Reason: no value for required parameter')],
    [{ TopicArn: 'randomstring' }, invalid('TopicArn Reason: An ARN must have at least 6 elements, not 1')],
    [{ TopicArn: 'a:b' }, invalid('TopicArn Reason: An ARN must have at least 6 elements, not 2')],
    [{ TopicArn: '' }, invalid('TopicArn Reason: An ARN must have at least 6 elements, not 1')],
    [{ TopicArn: `arn:aws:sns:eu-west-1:${ACCOUNT}:topic` }, invalid('TopicArn')],
    [
      { TopicArn: `arn:aws:sns:${REGION}:${ACCOUNT}:none` },
      { code: 'NotFound', message: 'Topic does not exist', status: 404 },
    ],
    [
      { TargetArn: `arn:aws:sns:${REGION}:${ACCOUNT}:endpoint/GCM/app/1` },
      invalid('TargetArn Reason: No endpoint found for the target arn specified'),
    ],
    [{ PhoneNumber: '+1a234' }, invalid('PhoneNumber Reason: +1a234 is not valid to publish to')],
    [{ PhoneNumber: 'NAA+15551234567' }, invalid('PhoneNumber Reason: NAA+15551234567 is not valid to publish to')],
  ])('rejects the target %j', async (target, failure) => {
    expect(await failureOf(test.sns.publish({ Message: 'x', ...target }))).toEqual(failure);
  });

  const attribute = (name: string, value: Record<string, unknown>) => ({ [name]: value }) as never;
  const bad = (message: string) => ({ code: 'ParameterValueInvalid', message, status: 400 });
  const bytes = Buffer.from('x');
  it.each([
    [
      'attr1',
      { DataType: 'String', StringValue: '' },
      bad(
        "The message attribute 'attr1' must contain non-empty message attribute value for message attribute type 'String'.",
      ),
    ],
    [
      'attr1',
      { DataType: 'Binary' },
      bad(
        "The message attribute 'attr1' must contain non-empty message attribute value for message attribute type 'Binary'.",
      ),
    ],
    [
      'attr1',
      { DataType: 'String', BinaryValue: bytes },
      bad("The message attribute 'attr1' with type 'String' must use field 'String'."),
    ],
    [
      'attr1',
      { DataType: 'Binary', StringValue: 'x' },
      bad("The message attribute 'attr1' with type 'Binary' must use field 'Binary'."),
    ],
    [
      'attr1',
      { DataType: 'Text', StringValue: 'x' },
      bad(
        "The message attribute 'attr1' has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String.",
      ),
    ],
    [
      'attr1',
      { DataType: 'Number', StringValue: 'x' },
      bad("Could not cast message attribute 'attr1' value to number."),
    ],
    [
      'x'.repeat(257),
      { DataType: 'String', StringValue: 'x' },
      bad('Length of message attribute name must be less than 256 bytes.'),
    ],
    [
      'a^b',
      { DataType: 'String', StringValue: 'x' },
      bad(
        "Invalid non-alphanumeric character '#x5E' was found in the message attribute name. Can only include alphanumeric characters, hyphens, underscores, or dots.",
      ),
    ],
    [
      '.a',
      { DataType: 'String', StringValue: 'x' },
      bad("Invalid message attribute name starting with character '.' was found."),
    ],
    [
      'a.',
      { DataType: 'String', StringValue: 'x' },
      bad("Invalid message attribute name ending with character '.' was found."),
    ],
    [
      'a..b',
      { DataType: 'String', StringValue: 'x' },
      bad("Message attribute name can not have successive '.' character."),
    ],
    [
      'attr1',
      { StringValue: 'x' },
      {
        code: 'ValidationError',
        message:
          "1 validation error detected: Value null at 'messageAttributes.attr1.member.dataType' failed to satisfy constraint: Member must not be null",
        status: 400,
      },
    ],
  ])('rejects the attribute %s %j', async (name, value, failure) => {
    const MessageAttributes = attribute(name, value);
    expect(await failureOf(test.sns.publish({ TopicArn, Message: 'x', MessageAttributes }))).toEqual(failure);
    const batch = test.sns.publishBatch({
      TopicArn,
      PublishBatchRequestEntries: [{ Id: '1', Message: 'x', MessageAttributes }],
    });
    const { message } = await failureOf(batch);
    expect(message).toBe(
      failure.message.replace("'messageAttributes", "'publishBatchRequestEntries.1.member.messageAttributes"),
    );
  });
});

describe('PublishBatch', () => {
  const batch = (entries: { Id: string; Message: string }[], arn = TopicArn) =>
    test.sns.publishBatch({ TopicArn: arn, PublishBatchRequestEntries: entries });
  const entry = (Id: string, Message = 'm') => ({ Id, Message });

  it('publishes every entry', async () => {
    await test.received('raw');
    const { Successful, Failed } = await batch([entry('a', '1'), entry('b', '2')]);
    expect(Failed).toEqual([]);
    expect(Successful!.map(({ Id }) => Id)).toEqual(['a', 'b']);
    expect((await test.received('raw')).map(({ body }) => body)).toEqual(['1', '2']);
    await test.received('plain');
  });

  it('rejects a batch as a whole', async () => {
    const refused = async (entries: { Id: string; Message: string }[], arn?: string) => {
      const { code, message } = await failureOf(batch(entries, arn));
      return `${code}: ${message}`;
    };
    expect(await refused([])).toBe("EmptyBatchRequest: The batch request doesn't contain any entries.");
    expect(await refused(Array.from({ length: 11 }, (_, n) => entry(String(n))))).toBe(
      'TooManyEntriesInBatchRequest: The batch request contains more entries than permissible.',
    );
    expect(await refused([entry('a'), entry('a')])).toBe(
      'BatchEntryIdsNotDistinct: Two or more batch entries in the request have the same Id.',
    );
    expect(await refused([entry('message.id')])).toBe(
      'InvalidBatchEntryId: The Id of a batch entry in the batch request contains an impermissible character: message.id',
    );
    expect(await refused([entry('a'.repeat(81))])).toBe(
      `InvalidBatchEntryId: The Id of a batch entry in the batch request is too long: ${'a'.repeat(81)}`,
    );
    expect(await refused([entry('a', 'x'.repeat(200_000)), entry('b', 'x'.repeat(100_000))])).toBe(
      'BatchRequestTooLong: The length of all the messages put together is more than the limit.',
    );
    expect(await refused([entry('a', '')])).toBe('InvalidParameter: Invalid parameter: Empty message');
    expect(await refused([entry('a')], `arn:aws:sns:${REGION}:${ACCOUNT}:none`)).toBe('NotFound: Topic does not exist');
    expect(await test.received('raw')).toEqual([]);
  });
});

describe('the list of messages', () => {
  it('returns the outcome of each', async () => {
    await using other = await startSns();
    const arn = await other.topic('listed');
    const q = await other.queue('q');
    await other.subscribe(arn, 'sqs', q);
    await other.subscribe(arn, 'sqs', `${q}-missing`);
    await other.subscribe(arn, 'sms', '+15551234567', { FilterPolicy: '{"k":["v"]}' });
    const { MessageId } = await other.sns.publish({ TopicArn: arn, Message: 'm', Subject: 's' });
    expect(await other.messages()).toEqual([
      {
        accountId: ACCOUNT,
        region: REGION,
        messageId: MessageId,
        topicArn: arn,
        subject: 's',
        message: 'm',
        messageAttributes: {},
        deliveries: [
          { subscriptionArn: expect.any(String), protocol: 'sqs', endpoint: q, status: 'delivered' },
          {
            subscriptionArn: expect.any(String),
            protocol: 'sqs',
            endpoint: `${q}-missing`,
            status: 'failed',
            error: 'QueueDoesNotExist: The specified queue does not exist.',
          },
          { subscriptionArn: expect.any(String), protocol: 'sms', endpoint: '+15551234567', status: 'filtered' },
        ],
        timestamp: expect.any(String),
      },
    ]);
    await other.emulator.control('POST', '/_emulator/reset/sns');
  });
});
