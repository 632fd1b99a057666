import type { GatewayRequest } from '@emu/gateway';
import { describe, expect, test } from 'vitest';
import { ACCOUNT, type SqsTest, startSqs } from './support.ts';

const CREDENTIAL = `AWS4-HMAC-SHA256 Credential=${ACCOUNT}/20260101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=0`;

/** Sends a form like older SDKs. */
async function query(t: SqsTest, form: Record<string, string>, target = '/'): Promise<{ status: number; xml: string }> {
  const body = Buffer.from(new URLSearchParams({ Version: '2012-11-05', ...form }).toString());
  const request: GatewayRequest = {
    method: 'POST',
    target,
    headers: {
      host: 'localhost:4566',
      authorization: CREDENTIAL,
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    },
    body: {
      bytes: async () => body,
      async *stream() {
        yield body;
      },
    },
    remoteAddress: undefined,
    localPort: undefined,
    secure: false,
    signal: () => new AbortController().signal,
  };
  const response = await t.emulator.gateway.handle(request);
  return { status: response.status, xml: Buffer.from(response.body as Uint8Array).toString() };
}

const text = (xml: string, element: string): string | undefined =>
  new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];

/** Sends a request like a browser: unsigned, with all parameters in the URL. */
async function visit(t: SqsTest, target: string): Promise<{ status: number; xml: string }> {
  const response = await t.emulator.gateway.handle({
    method: 'GET',
    target,
    headers: { host: 'localhost:4566' },
    body: { bytes: async () => Buffer.alloc(0), async *stream() {} },
    remoteAddress: undefined,
    localPort: undefined,
    secure: false,
    signal: () => new AbortController().signal,
  });
  return { status: response.status, xml: Buffer.from(response.body as Uint8Array).toString() };
}

describe('the query protocol', () => {
  test('requires no version at the root and at a queue', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const listed = await visit(t, '/?Action=ListQueues');
    expect([listed.status, text(listed.xml, 'QueueUrl')]).toEqual([200, QueueUrl]);
    const asked = await visit(t, `/${ACCOUNT}/q?Action=GetQueueAttributes&AttributeName.1=QueueArn`);
    expect([asked.status, text(asked.xml, 'Value')]).toEqual([200, t.arnOf('q')]);
  });

  test('supports a message from CreateQueue to DeleteMessage', async () => {
    await using t = await startSqs();
    const created = await query(t, {
      Action: 'CreateQueue',
      QueueName: 'q',
      'Attribute.1.Name': 'VisibilityTimeout',
      'Attribute.1.Value': '45',
      'Tag.1.Key': 'team',
      'Tag.1.Value': 'orders',
    });
    expect(created.status).toBe(200);
    expect(created.xml).toContain('<CreateQueueResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/">');
    const QueueUrl = text(created.xml, 'QueueUrl')!;
    expect(QueueUrl).toBe(`http://localhost:4566/${ACCOUNT}/q`);
    const attributes = await query(t, { Action: 'GetQueueAttributes', QueueUrl, 'AttributeName.1': 'All' });
    expect(attributes.xml).toContain('<Attribute><Name>VisibilityTimeout</Name><Value>45</Value></Attribute>');
    const tags = await query(t, { Action: 'ListQueueTags', QueueUrl });
    expect(tags.xml).toContain('<Tag><Key>team</Key><Value>orders</Value></Tag>');
    const sent = await query(t, {
      Action: 'SendMessage',
      QueueUrl,
      MessageBody: 'hello <&> world',
      'MessageAttribute.1.Name': 'timestamp',
      'MessageAttribute.1.Value.DataType': 'Number',
      'MessageAttribute.1.Value.StringValue': '1493147359900',
    });
    expect(text(sent.xml, 'MD5OfMessageAttributes')).toBe('235c5c510d26fb653d073faed50ae77c');
    const other = await query(t, {
      Action: 'SendMessage',
      QueueUrl: (await t.sqs.createQueue({ QueueName: 'other' })).QueueUrl!,
      MessageBody: 'by the name that JSON has for its attributes',
      'MessageAttributes.1.Name': 'timestamp',
      'MessageAttributes.1.Value.DataType': 'Number',
      'MessageAttributes.1.Value.StringValue': '1493147359900',
    });
    expect(text(other.xml, 'MD5OfMessageAttributes')).toBe('235c5c510d26fb653d073faed50ae77c');
    const received = await query(t, {
      Action: 'ReceiveMessage',
      QueueUrl,
      'MessageAttributeName.1': 'All',
      'AttributeName.1': 'ApproximateReceiveCount',
    });
    expect(text(received.xml, 'Body')).toBe('hello &lt;&amp;&gt; world');
    expect(text(received.xml, 'MessageId')).toBe(text(sent.xml, 'MessageId'));
    expect(received.xml).toContain('<Attribute><Name>ApproximateReceiveCount</Name><Value>1</Value></Attribute>');
    expect(received.xml).toContain('<MessageAttribute><Name>timestamp</Name>');
    const deleted = await query(t, {
      Action: 'DeleteMessage',
      QueueUrl,
      ReceiptHandle: text(received.xml, 'ReceiptHandle')!,
    });
    expect(deleted.status).toBe(200);
    expect((await t.sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 0 })).Messages).toBeUndefined();
  });

  test('accepts the queue in the path without a version, unsigned for reads', async () => {
    await using t = await startSqs();
    await t.queue('q');
    const get = async (parameters: string, headers: Record<string, string> = {}) => {
      const response = await t.emulator.gateway.handle({
        method: 'GET',
        target: `/${ACCOUNT}/q?${parameters}`,
        headers: { host: 'localhost:4566', ...headers },
        body: { bytes: async () => new Uint8Array(), async *stream() {} },
        remoteAddress: undefined,
        localPort: undefined,
        secure: false,
        signal: () => new AbortController().signal,
      });
      return Buffer.from(response.body as Uint8Array).toString();
    };
    const count = 'Action=GetQueueAttributes&AttributeName.1=ApproximateNumberOfMessages';
    // Any web page can make a browser send this, as a link or image.
    for (const action of ['Action=SendMessage&MessageBody=hello+world', 'Action=ReceiveMessage', 'Action=DeleteQueue'])
      expect(text(await get(action), 'Code'), action).toBe('MissingAuthenticationToken');
    expect(text(await get(count), 'Value')).toBe('0');
    const signed = {
      authorization:
        'AWS4-HMAC-SHA256 Credential=test/20240101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=0',
    };
    expect(await get('Action=SendMessage&MessageBody=hello+world', signed)).toContain('<SendMessageResult>');
    expect(text(await get(count), 'Value')).toBe('1');
    expect(text(await get('Action=ReceiveMessage', signed), 'Body')).toBe('hello world');
    expect(text(await get('Action=Nothing'), 'Code')).toBe('InvalidAction');
  });

  test('sends batches and reports failed entries', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const { xml } = await query(t, {
      Action: 'SendMessageBatch',
      QueueUrl,
      'SendMessageBatchRequestEntry.1.Id': 'good',
      'SendMessageBatchRequestEntry.1.MessageBody': 'x',
      'SendMessageBatchRequestEntry.2.Id': 'bad',
      'SendMessageBatchRequestEntry.2.MessageBody': '\u0001',
    });
    expect(xml).toContain('<SendMessageBatchResultEntry><Id>good</Id>');
    expect(xml).toMatch(/<BatchResultErrorEntry>.*<Id>bad<\/Id>.*<\/BatchResultErrorEntry>/s);
    expect(xml).toContain('<Code>InvalidMessageContents</Code>');
  });

  test.each([
    [{ Action: 'GetQueueUrl', QueueName: 'none' }, 400, 'AWS.SimpleQueueService.NonExistentQueue'],
    [{ Action: 'SendMessage', QueueUrl: 'q' }, 400, 'MissingParameter'],
    [{ Action: 'ReceiveMessage', QueueUrl: 'q', MaxNumberOfMessages: '11' }, 400, 'InvalidParameterValue'],
    [{ Action: 'DeleteMessage', QueueUrl: 'q', ReceiptHandle: 'garbage' }, 404, 'ReceiptHandleIsInvalid'],
    [{ Action: 'SendMessageBatch', QueueUrl: 'q' }, 400, 'AWS.SimpleQueueService.EmptyBatchRequest'],
    [{ Action: 'GetQueueAttributes', QueueUrl: 'q', 'AttributeName.1': 'Foobar' }, 400, 'InvalidAttributeName'],
    [
      { Action: 'CreateQueue', QueueName: 'q', 'Attribute.1.Name': 'DelaySeconds', 'Attribute.1.Value': '9' },
      400,
      'QueueAlreadyExists',
    ],
  ])('responds to %j with %i %s', async (form, status, code) => {
    await using t = await startSqs();
    await t.queue('q');
    const response = await query(t, form as Record<string, string>);
    expect([response.status, text(response.xml, 'Code'), text(response.xml, 'Type')]).toEqual([status, code, 'Sender']);
  });

  test('has its own message for a missing queue', async () => {
    await using t = await startSqs();
    const { xml } = await query(t, { Action: 'GetQueueUrl', QueueName: 'none' });
    expect(text(xml, 'Message')).toBe('The specified queue does not exist for this wsdl version.');
  });

  test('uses the queue in the path, and rejects operations there that do not concern a queue', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const other = await t.queue('other');
    const path = `/${ACCOUNT}/q`;
    await query(t, { Action: 'SendMessage', MessageBody: 'x' }, path);
    expect((await t.sqs.receiveMessage({ QueueUrl })).Messages?.[0]?.Body).toBe('x');
    await query(t, { Action: 'SendMessage', MessageBody: 'y', QueueUrl: other }, path);
    expect((await t.sqs.receiveMessage({ QueueUrl: other })).Messages?.[0]?.Body).toBe('y');
    expect(text((await query(t, { Action: 'SendMessage' }, path)).xml, 'Message')).toBe(
      'The request must contain the parameter MessageBody.',
    );
    expect(text((await query(t, { Action: 'GetQueueUrl', QueueName: 'other' }, path)).xml, 'QueueUrl')).toBe(other);
    const forms: Record<string, string>[] = [{ Action: 'ListQueues' }, { Action: 'CreateQueue', QueueName: 'new' }];
    for (const form of forms) {
      const { status, xml } = await query(t, form, path);
      expect([status, text(xml, 'Code'), text(xml, 'Message')]).toEqual([
        400,
        'InvalidAction',
        `The action ${form.Action} is not valid for this endpoint.`,
      ]);
    }
    expect(text((await query(t, { Action: 'SendMessage', MessageBody: 'x' })).xml, 'Message')).toBe(
      'The request must contain the parameter QueueUrl.',
    );
  });
});
