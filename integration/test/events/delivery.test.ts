import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SNS } from '@aws-sdk/client-sns';
import { zipOf } from '@emu/gateway/testing';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT, arn, type EventsTest, REGION, startEvents } from './support.ts';

let run: EventsTest;
beforeEach(async () => {
  run = await startEvents({ manifests: [lambdaManifest, s3Manifest, snsManifest] });
});
afterEach(() => run[Symbol.asyncDispose]());

const ALL = { source: ['app'] };
const RoleArn = `arn:aws:iam::${ACCOUNT}:role/r`;
const deliveries = async () => {
  const { json } = await run.emulator.control('GET', '/_emulator/events/history');
  return (json as { deliveries: { targetArn: string; status: string; attempts: number; error?: { code: string } }[] })
    .deliveries;
};

describe('input', () => {
  const DETAIL = {
    command: 'update',
    payload: { acc_id: '0a787ecb', sf_id: 'baz' },
    list: ['HIGH'],
    many: ['ACTIVE', 'INACTIVE'],
    valid: true,
    count: 7,
    quoted: 'say "hi"',
    'a/b': 'slash',
  };
  const sent = async (target: object): Promise<string> => {
    const Arn = await run.queue('q');
    await run.rule('r', ALL, [{ Arn, ...target }]);
    await run.put(DETAIL, { Time: new Date('2026-01-02T03:04:05Z') });
    return (await run.received('q'))[0]!;
  };
  const transformed = (InputTemplate: string, InputPathsMap: Record<string, string> = {}) =>
    sent({ InputTransformer: { InputTemplate, InputPathsMap } });
  const PATHS = {
    command: '$.detail.command',
    payload: '$.detail.payload',
    userId: '$.detail.payload.acc_id',
    single: '$.detail.list',
    multi: '$.detail.many',
    valid: '$.detail.valid',
    count: '$.detail.count',
    quoted: '$.detail.quoted',
    first: '$.detail.many[0]',
    missing: '$.detail.missing',
    type: '$.detail-type',
  };

  test("is the target's constant", async () => {
    expect(await sent({ Input: '{"fixed":true}' })).toBe('{"fixed":true}');
  });

  test.each([
    ['$.detail.payload', '{"acc_id":"0a787ecb","sf_id":"baz"}'],
    ['$.detail.payload.sf_id', '"baz"'],
    ["$['detail-type']", '"Order"'],
    ['$.detail.many[1]', '"INACTIVE"'],
    ['$.detail.a/b', '"slash"'],
    ['$.detail.none', 'null'],
  ])('is a part of the event: %s', async (InputPath, expected) => {
    expect(await sent({ InputPath })).toBe(expected);
  });

  test.each([
    ['"Type <type>, <command>, <missing>"', '"Type Order, update, "'],
    ['{"command": <command>, "none": <missing>}', '{"command": "update", "none": ""}'],
    [
      '{"bod": <payload>, "list": [<userId>, "x"]}',
      '{"bod": {"acc_id":"0a787ecb","sf_id":"baz"}, "list": ["0a787ecb", "x"]}',
    ],
    ['"Payload of <payload> with users/<userId>"', '"Payload of {acc_id:0a787ecb,sf_id:baz} with users/0a787ecb"'],
    ['"<single> and <multi>"', '"[HIGH] and [ACTIVE,INACTIVE]"'],
    ['{"single": <single>, "first": <first>}', '{"single": ["HIGH"], "first": "ACTIVE"}'],
    [
      '{"valid": <valid>, "count": <count>, "text": "<valid> <count>"}',
      '{"valid": true, "count": 7, "text": "true 7"}',
    ],
    ['"<userId> one"\n"<userId> two"', '"0a787ecb one"\n"0a787ecb two"'],
    ['{"text": "<quoted>", "value": <quoted>}', '{"text": "say \\"hi\\"", "value": "say \\"hi\\""}'],
  ])('is built by a template: %s', async (template, expected) => {
    expect(await transformed(template, PATHS)).toBe(expected);
  });

  test('has the rule and the event as variables', async () => {
    const text = await transformed(
      '{"arn": <aws.events.rule-arn>, "name": "<aws.events.rule-name>", "at": <aws.events.event.ingestion-time>, "event": <aws.events.event>, "whole": <aws.events.event.json>}',
    );
    expect(JSON.parse(text)).toMatchObject({
      arn: arn('rule/r'),
      name: 'r',
      at: new Date(run.emulator.kernel.clock.now()).toISOString(),
      event: { detailType: 'Order', source: 'app', time: '2026-01-02T03:04:05Z', version: '0' },
      whole: { 'detail-type': 'Order', detail: DETAIL },
    });
    expect(JSON.parse(text).event).not.toHaveProperty('detail');
  });
});

describe('targets', () => {
  test('of SNS and FIFO queues', async () => {
    const sns = new SNS(run.emulator.clientConfig());
    const { TopicArn } = await sns.createTopic({ Name: 't' });
    const Endpoint = await run.queue('by-topic');
    await sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint, Attributes: { RawMessageDelivery: 'true' } });
    const fifo = await run.queue('q.fifo');
    await run.rule('r', ALL, [{ Arn: TopicArn! }, { Arn: fifo, SqsParameters: { MessageGroupId: 'g' } }]);
    const id = await run.put({});
    expect(JSON.parse((await run.received('by-topic'))[0]!).id).toBe(id);
    expect(JSON.parse((await run.received('q.fifo'))[0]!).id).toBe(id);
  });

  test('of Lambda receive the event itself', async () => {
    const lambda = new Lambda(run.emulator.clientConfig());
    const code = `exports.handler = (event) => fetch(process.env.AWS_ENDPOINT_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
      body: JSON.stringify({ QueueUrl: 'http://sqs/${ACCOUNT}/q', MessageBody: JSON.stringify(event) }),
    });`;
    const { FunctionArn } = await lambda.createFunction({
      FunctionName: 'f',
      Runtime: 'nodejs20.x',
      Role: `arn:aws:iam::${ACCOUNT}:role/f`,
      Handler: 'index.handler',
      Code: { ZipFile: zipOf({ 'index.js': code }) },
    });
    await run.queue('q');
    await run.rule('r', ALL, [{ Arn: FunctionArn! }]);
    const id = await run.put({ a: 1 });
    expect(JSON.parse((await run.received('q'))[0]!)).toMatchObject({ id, source: 'app', detail: { a: 1 } });
  });

  test("receive S3's events about objects", async () => {
    const s3 = new S3(run.emulator.clientConfig());
    await s3.createBucket({ Bucket: 'data' });
    const NotificationConfiguration = { EventBridgeConfiguration: {} };
    await s3.putBucketNotificationConfiguration({ Bucket: 'data', NotificationConfiguration });
    const Arn = await run.queue('q');
    await run.rule('r', { source: ['aws.s3'], detail: { bucket: { name: ['data'] } } }, [{ Arn }]);
    await s3.putObject({ Bucket: 'data', Key: 'k', Body: 'x' });
    expect(JSON.parse((await run.received('q'))[0]!)).toMatchObject({
      'detail-type': 'Object Created',
      source: 'aws.s3',
      resources: ['arn:aws:s3:::data'],
      detail: { object: { key: 'k', size: 1 }, reason: 'PutObject' },
    });
  });

  test('of buses in other regions and accounts, one step only', async () => {
    const other = { accessKeyId: '000000000002' };
    const west = run.client({ region: 'us-west-2' });
    const theirs = run.client(other);
    const busOf = (region: string, account: string) => `arn:aws:events:${region}:${account}:event-bus/default`;
    const mine = await run.queue('q');
    const pattern = JSON.stringify(ALL);
    for (const [client, Arn] of [
      [run.events, busOf('us-west-2', ACCOUNT)],
      [west, mine],
      [west, busOf(REGION, '000000000002')],
      [theirs, mine],
    ] as const) {
      await client.putRule({ Name: 'r', EventPattern: pattern });
      const { Targets = [] } = await client.listTargetsByRule({ Rule: 'r' });
      await client.putTargets({ Rule: 'r', Targets: [...Targets, { Id: `t${Targets.length}`, Arn, RoleArn }] });
    }
    await run.put({ n: 1 });
    expect(JSON.parse((await run.received('q'))[0]!)).toMatchObject({
      account: ACCOUNT,
      region: REGION,
      detail: { n: 1 },
    });
    await expect
      .poll(async () => (await deliveries()).map(({ status, error }) => error?.code ?? status).sort())
      .toEqual(['THIRD_ACCOUNT_HOP_DETECTED', 'delivered', 'delivered']);
  });

  test('that are buses do not forward an event from another bus', async () => {
    for (const Name of ['one', 'two', 'three', 'self']) await run.events.createEventBus({ Name });
    await run.rule('r', ALL, [{ Arn: arn('event-bus/two') }], 'one');
    await run.rule('r', ALL, [{ Arn: arn('event-bus/three') }], 'two');
    await run.rule('r', ALL, [{ Arn: arn('event-bus/self') }], 'self');
    const outcomes = async () =>
      (await deliveries()).map(({ targetArn, status }) => `${targetArn.split('/')[1]} ${status}`).sort();
    await run.put({}, { EventBusName: 'one' });
    await expect.poll(outcomes).toEqual(['three failed', 'two delivered']);
    await run.put({}, { EventBusName: 'self' });
    await expect.poll(outcomes).toEqual(['self delivered', 'self failed', 'three failed', 'two delivered']);
  });
});

describe('undeliverable events', () => {
  const none = `arn:aws:sqs:${REGION}:${ACCOUNT}:none`;

  test('go to the dead-letter queue immediately after a permanent failure', async () => {
    const Arn = await run.queue('dead');
    await run.rule('r', ALL, [{ Arn: none, DeadLetterConfig: { Arn } }]);
    const id = await run.put({ a: 1 });
    let messages: { Body?: string; MessageAttributes?: Record<string, { StringValue?: string }> }[] | undefined;
    const QueueUrl = `http://sqs.us-east-1.amazonaws.com/${ACCOUNT}/dead`;
    await expect
      .poll(async () => {
        const got = await run.sqs.receiveMessage({ QueueUrl, MessageAttributeNames: ['All'] });
        messages ??= got.Messages;
        return messages?.length;
      })
      .toBe(1);
    expect(JSON.parse(messages![0]!.Body!)).toMatchObject({ id, detail: { a: 1 } });
    expect(messages![0]!.MessageAttributes).toMatchObject({
      RULE_ARN: { StringValue: arn('rule/r') },
      TARGET_ARN: { StringValue: none },
      ERROR_CODE: { StringValue: 'NO_RESOURCE' },
      ERROR_MESSAGE: { StringValue: expect.stringContaining('queue does not exist') },
    });
    expect(await deliveries()).toMatchObject([{ status: 'dead-lettered', attempts: 1 }]);
  });

  test('for a service that emu lacks are reported as failed', async () => {
    const Arn = `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:m`;
    await run.rule('r', ALL, [{ Arn, RoleArn }]);
    await run.put({});
    await expect.poll(deliveries).toMatchObject([{ status: 'failed', attempts: 1 }]);
  });
});
