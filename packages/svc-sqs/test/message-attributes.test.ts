import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import { rejection } from '@emu/gateway/testing';
import { describe, expect, test } from 'vitest';
import { failureOf, type SqsTest, startSqs } from './support.ts';

async function sendWith(t: SqsTest, MessageAttributes: Record<string, MessageAttributeValue>) {
  const QueueUrl = (await t.sqs.createQueue({ QueueName: 'q', Attributes: { VisibilityTimeout: '0' } })).QueueUrl!;
  const sent = await t.sqs.sendMessage({ QueueUrl, MessageBody: 'msg', MessageAttributes });
  const receive = async (...MessageAttributeNames: string[]) =>
    (await t.sqs.receiveMessage({ QueueUrl, MessageAttributeNames })).Messages![0]!;
  return { QueueUrl, sent, receive };
}

const string = (StringValue: string): MessageAttributeValue => ({ DataType: 'String', StringValue });

describe('message attributes', () => {
  test("are returned unchanged, with AWS's digests", async () => {
    await using t = await startSqs();
    const attributes = {
      UserId: { DataType: 'Number.bigint', StringValue: '1234567890123456789012' },
    };
    const { QueueUrl, sent, receive } = await sendWith(t, attributes);
    expect(sent.MD5OfMessageAttributes).toBe('797ab158d73dcb5242dedc4412c8e855');
    expect(await receive('All')).toMatchObject({
      MessageAttributes: attributes,
      MD5OfMessageAttributes: sent.MD5OfMessageAttributes,
    });
    const binary = {
      attr1: {
        DataType: 'Binary',
        BinaryValue: Buffer.from('traceparent\x1e00-774062d6c37081a5a0b9b5b88e30627c-2d2482211f6489da-01'),
      },
    };
    await t.sqs.purgeQueue({ QueueUrl });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'test', MessageAttributes: binary });
    const message = await receive('attr1');
    expect(message.MD5OfMessageAttributes).toBe('8cbe4db156db8a94db8b801b7addb984');
    expect(Buffer.from(message.MessageAttributes!.attr1!.BinaryValue!)).toEqual(binary.attr1.BinaryValue);
  });

  test('are filtered by name and prefix, with a digest of the result', async () => {
    await using t = await startSqs();
    const { sent, receive } = await sendWith(t, {
      'Help.Me': string('Me'),
      Hello: string('There'),
      General: string('Kenobi'),
    });
    expect(sent.MD5OfMessageAttributes).toBe('4c360f3fdafd970e05fae2f149d997f5');
    const names = async (...filters: string[]) => {
      const message = await receive(...filters);
      return [
        Object.keys(message.MessageAttributes ?? {})
          .sort()
          .join(),
        message.MD5OfMessageAttributes,
      ];
    };
    const all = ['General,Hello,Help.Me', '4c360f3fdafd970e05fae2f149d997f5'];
    expect(await names()).toEqual(['', undefined]);
    for (const filter of ['All', '*', '.*']) expect(await names(filter)).toEqual(all);
    expect(await names('Foo', 'Help')).toEqual(['', undefined]);
    expect(await names('Hello', 'General')).toEqual(['General,Hello', 'fca026605781cb4126a1e9044df24232']);
    expect(await names('Foo', 'Hello')).toEqual(['Hello', 'a311262e065454b75da111d535b8dacd']);
    expect(await names('Hel.*')).toEqual(['Hello,Help.Me', '83fee93c1bcd8b9a5a923ffacdc636c7']);
    for (const filter of ['AWS.', '..foo']) expect(await names(filter)).toEqual(['', undefined]);
  });

  const valid: [string, MessageAttributeValue][] = [
    ['attr.1øßä', string('x')],
    ['n'.repeat(256), string('x')],
    ['label', { DataType: 'String.my label/1', StringValue: 'x' }],
    ['zero', { DataType: 'Number', StringValue: '0.00' }],
    ['float', { DataType: 'Number.float', StringValue: '-12.5e-3' }],
    ['huge', { DataType: 'Number', StringValue: '1e126' }],
    ['digits', { DataType: 'Number', StringValue: '1'.repeat(38) }],
    ['image', { DataType: 'Binary.png', BinaryValue: Buffer.of(0, 255) }],
  ];
  test.each(valid)('accepts %s: %j', async (name, value) => {
    await using t = await startSqs();
    const { receive } = await sendWith(t, { [name]: value });
    expect((await receive('All')).MessageAttributes![name]!.DataType).toBe(value.DataType);
  });

  const invalid: [string, MessageAttributeValue, string][] = [
    ['', string('x'), 'The request must contain non-empty message (user) attribute names.'],
    ['a'.repeat(257), string('x'), 'Message (user) attribute name must be shorter than 256 bytes.'],
    [
      'aWs.x',
      string('x'),
      "You can't use message attribute names beginning with 'AWS.' or 'Amazon'. These strings are reserved for internal use.",
    ],
    [
      '.x',
      string('x'),
      "The message (user) attribute name '.x' can't start or end with a period or have periods in succession.",
    ],
    [
      'x.',
      string('x'),
      "The message (user) attribute name 'x.' can't start or end with a period or have periods in succession.",
    ],
    [
      'x!y',
      string('x'),
      'Message (user) attributes name can only contain upper and lower score characters, digits, periods, hyphens and underscores. ',
    ],
    [
      'ErrorDetails',
      string(''),
      "Message (user) attribute 'ErrorDetails' must contain a non-empty value of type 'String'.",
    ],
    [
      'Hello',
      { DataType: 'String' },
      "The message (user) attribute 'Hello' must contain a non-empty message attribute value.",
    ],
    [
      'Hello',
      { DataType: 'Invalid', StringValue: 'x' },
      "The type of message (user) attribute 'Hello' is invalid. You must use only the following supported type prefixes: Binary, Number, String.",
    ],
    [
      'Hello',
      { DataType: `Number.${'L'.repeat(256)}`, StringValue: '1' },
      'Message (user) attribute type must be shorter than 256 bytes.',
    ],
    [
      'Hello',
      { DataType: 'Number', StringValue: 'world' },
      "Can't cast the value of message (user) attribute 'Hello' to a number.",
    ],
    [
      'Hello',
      { DataType: 'Number', StringValue: '1e127' },
      "Can't cast the value of message (user) attribute 'Hello' to a number.",
    ],
    [
      'Hello',
      { DataType: 'Number', StringValue: '1'.repeat(39) },
      "Can't cast the value of message (user) attribute 'Hello' to a number.",
    ],
    [
      'Hello',
      { DataType: 'StringList', StringListValues: ['x'] },
      'Message attribute list values in SendMessage operation are not supported.',
    ],
    ['Hello', string('a\b'), expect.stringContaining('Invalid characters found.') as unknown as string],
  ];
  test.each(invalid)('rejects %s: %j', async (name, value, message) => {
    await using t = await startSqs();
    expect(await failureOf(sendWith(t, { [name]: value }), rejection)).toEqual({
      code: 'InvalidParameterValue',
      message,
      status: 400,
    });
  });

  test('are limited to ten', async () => {
    await using t = await startSqs();
    const attributes = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, string('x')]));
    await sendWith(t, attributes(10));
    expect((await failureOf(sendWith(t, attributes(11)))).message).toBe(
      'Number of message attributes [11] exceeds the allowed maximum [10].',
    );
  });
});

describe('system attributes', () => {
  const header = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';

  test('contain the trace header, with its own digest', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const MessageAttributes = { timestamp: { DataType: 'Number', StringValue: '1493147359900' } };
    const plain = await t.sqs.sendMessage({ QueueUrl, MessageBody: 'test', MessageAttributes });
    await t.sqs.purgeQueue({ QueueUrl });
    const traced = await t.sqs.sendMessage({
      QueueUrl,
      MessageBody: 'test',
      MessageAttributes,
      MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: header } },
    });
    expect(plain.MD5OfMessageSystemAttributes).toBeUndefined();
    expect(traced.MD5OfMessageAttributes).toBe('235c5c510d26fb653d073faed50ae77c');
    expect(traced.MD5OfMessageSystemAttributes).toBe('5ae4d5d7636402d80f4eb6d213245a88');
    const { Messages } = await t.sqs.receiveMessage({ QueueUrl, MessageSystemAttributeNames: ['AWSTraceHeader'] });
    expect(Messages![0]!.Attributes).toEqual({ AWSTraceHeader: header });
  });

  test('are filtered by name, in the old and new parameter', async () => {
    await using t = await startSqs();
    const { QueueUrl } = await sendWith(t, { Foo: string('Bar') });
    const receive = async (filters: object) => (await t.sqs.receiveMessage({ QueueUrl, ...filters })).Messages![0]!;
    const all = ['ApproximateFirstReceiveTimestamp', 'ApproximateReceiveCount', 'SenderId', 'SentTimestamp'];
    const names = async (filters: object) => Object.keys((await receive(filters)).Attributes ?? {}).sort();
    expect(await names({})).toEqual([]);
    expect(await names({ AttributeNames: ['All'] })).toEqual(all);
    expect(await names({ MessageSystemAttributeNames: ['All'] })).toEqual(all);
    expect(await names({ AttributeNames: ['SenderId'], MessageSystemAttributeNames: ['All'] })).toEqual(all);
    expect(await names({ AttributeNames: ['SenderId', 'SequenceNumber'] })).toEqual(['SenderId']);
    expect((await failureOf(receive({ AttributeNames: ['Nonsense'] }))).message).toBe('Unknown Attribute Nonsense.');
  });

  test('rejects unknown ones', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const send = (MessageSystemAttributes: object) =>
      failureOf(t.sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageSystemAttributes }));
    expect((await send({ Hello: string('x') })).message).toBe("Message system attribute name 'Hello' is invalid.");
    expect((await send({ AWSTraceHeader: { DataType: 'Number', StringValue: '1' } })).code).toBe(
      'InvalidParameterValue',
    );
  });
});
