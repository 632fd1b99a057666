import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { ApiError, ControlClient, HttpError } from '@emu/control-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../src/index.ts';

let emu: Emulator;
let client: ControlClient;
let sqs: SQSClient;
beforeEach(async () => {
  emu = await createEmulator();
  client = new ControlClient((await emu.listen()).url);
  sqs = new SQSClient(emu.clientConfig());
});
afterEach(() => emu.close());

/** Returns the error of a rejected promise. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it resolved'),
    (error: unknown) => error,
  );

const send = async (name: string, body: string, options?: { region?: string; accountId?: string }) => {
  const queues = new SQSClient(emu.clientConfig(options));
  const { QueueUrl } = await queues.send(new CreateQueueCommand({ QueueName: name }));
  await queues.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
};

const bodies = async () => (await client.sqs.messages()).messages.map(({ body }) => body);

test('health', async () => {
  const { status, version, services } = await client.health();
  expect(status).toBe('ok');
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(services).toEqual(expect.arrayContaining(['sqs', 'sts']));
});

describe('reset', () => {
  beforeEach(async () => {
    await send('jobs', 'mine');
    await send('jobs', 'theirs', { accountId: '000000000001' });
  });

  test('of all', async () => {
    expect(await client.reset()).toEqual({ reset: true });
    expect(await bodies()).toEqual([]);
  });

  test('of a service', async () => {
    expect(await client.resetService('sts')).toEqual({ reset: true });
    expect(await bodies()).toEqual(['theirs', 'mine']);
    expect(await client.resetService('sqs')).toEqual({ reset: true });
    expect(await bodies()).toEqual([]);
  });

  test('of a service in one account', async () => {
    expect(await client.resetServiceAccount('sqs', '000000000001')).toEqual({ reset: true });
    expect(await bodies()).toEqual(['mine']);
  });

  test('of an unknown service', async () => {
    expect(await rejection(client.resetService('teapot'))).toBeInstanceOf(ApiError);
  });
});

const caller = (credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }) =>
  new STSClient(emu.clientConfig({ credentials })).send(new GetCallerIdentityCommand({}));

test('credentials belong to a session of their role', async () => {
  const record = await client.credentials();
  expect(record.RoleArn).toBe('arn:aws:iam::123456789012:role/emulator');
  expect(Date.parse(record.Expiration)).toBeGreaterThan(emu.clock.now());
  const { Account, Arn } = await caller({
    accessKeyId: record.AccessKeyId,
    secretAccessKey: record.SecretAccessKey,
    sessionToken: record.Token,
  });
  expect(Account).toBe('123456789012');
  expect(Arn).toMatch(/^arn:aws:sts::123456789012:assumed-role\/emulator\//);
});

test('an administrator has its own account', async () => {
  const { accountId, userName, arn, accessKeyId, secretAccessKey } = await client.createAdmin('000000000002', 'ann');
  expect({ accountId, userName, arn }).toEqual({
    accountId: '000000000002',
    userName: 'ann',
    arn: 'arn:aws:iam::000000000002:user/ann',
  });
  expect(await caller({ accessKeyId, secretAccessKey })).toMatchObject({ Account: '000000000002', Arn: arn });
});

test.each([
  ['an invalid account id', () => client.createAdmin('12', 'ann')],
  ['an organization that is not there', () => client.createAdminInOrganization('000000000002', 'ann', 'o-abcdefghij')],
])('rejects an administrator of %s', async (_, create) => {
  expect(await rejection(create())).toMatchObject({ name: 'ApiError', status: 400 });
});

test('the instance identity document', async () => {
  const document = await client.instanceIdentityDocument();
  expect(document).toMatchObject({ accountId: '123456789012', region: 'us-east-1' });
  expect(document.instanceId).toMatch(/^i-[0-9a-f]+$/);
});

test('the clock', async () => {
  expect(await client.clock.state()).toMatchObject({ frozen: false, offset: 0 });
  expect(await client.clock.freeze()).toMatchObject({ frozen: true });
  expect(await client.clock.set('2030-01-01T00:00:00Z')).toMatchObject({
    now: '2030-01-01T00:00:00.000Z',
    frozen: true,
  });
  expect(await client.clock.advance('1h30m')).toMatchObject({ now: '2030-01-01T01:30:00.000Z' });
  expect(await client.clock.advance(1500)).toMatchObject({ now: '2030-01-01T01:30:01.500Z' });
  expect((await client.clock.resume()).frozen).toBe(false);
  expect(await client.clock.reset()).toMatchObject({ frozen: false, offset: 0 });
  expect(await rejection(client.clock.advance('soon'))).toMatchObject({ name: 'ApiError', status: 400 });
  expect(await rejection(client.clock.set('someday'))).toMatchObject({ name: 'ApiError', status: 400 });
});

describe('sqs', () => {
  test('messages', async () => {
    await client.clock.freeze();
    const { now } = await client.clock.state();
    await send('jobs', 'hello', { region: 'eu-west-1' });
    const { messages } = await client.sqs.messages();
    expect(messages).toEqual([
      {
        accountId: '123456789012',
        region: 'eu-west-1',
        queueName: 'jobs',
        queueArn: 'arn:aws:sqs:eu-west-1:123456789012:jobs',
        queueUrl: expect.stringMatching(/\/123456789012\/jobs$/),
        messageId: expect.any(String),
        body: 'hello',
        md5OfBody: '5d41402abc4b2a76b9719d911017c592',
        messageAttributes: {},
        senderId: expect.any(String),
        state: 'visible',
        receiveCount: 0,
        sentTimestamp: now,
      },
    ]);
  });

  test('expiration', async () => {
    const { QueueUrl } = await sqs.send(
      new CreateQueueCommand({ QueueName: 'brief', Attributes: { MessageRetentionPeriod: '60' } }),
    );
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'gone soon' }));
    expect(await client.sqs.expirationTick()).toEqual({ expiredMessages: 0 });
    await client.clock.advance('61s');
    await client.sqs.expirationTick();
    expect(await bodies()).toEqual([]);
  });

  test('dead letters', async () => {
    await sqs.send(new CreateQueueCommand({ QueueName: 'dead' }));
    const RedrivePolicy = '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:123456789012:dead","maxReceiveCount":"5"}';
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'live', Attributes: { RedrivePolicy } }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'stuck' }));
    await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    expect((await client.sqs.messages()).messages).toMatchObject([{ queueName: 'live', state: 'in-flight' }]);
    expect(await client.sqs.forceDlq('live')).toEqual({ movedMessages: 1 });
    expect((await client.sqs.messages()).messages).toMatchObject([
      { queueName: 'dead', state: 'visible', deadLetterQueueSourceArn: 'arn:aws:sqs:us-east-1:123456789012:live' },
    ]);
    expect(await rejection(client.sqs.forceDlq('dead'))).toMatchObject({ name: 'ApiError', status: 400 });
    expect(await rejection(client.sqs.forceDlq('live', { region: 'eu-west-1' }))).toMatchObject({
      name: 'ApiError',
      status: 404,
      code: 'QueueNotFound',
    });
  });
});

test('operations of unmounted services, including control routes, return an error that says so', async () => {
  await using small = await createEmulator({ services: ['sqs'] });
  const client = new ControlClient((await small.listen()).url);
  const arn = 'arn:aws:states:us-east-1:123456789012:execution:order:run/1';
  const calls = [
    client.kms.usage(),
    client.bedrock.clearResponseRules('a/b:0'),
    client.bedrock.faults(),
    client.bedrock.clearFaults(),
    client.stepfunctions.syncExecutions(),
    client.stepfunctions.executionTree(arn),
    client.ecs.metadata('arn:aws:ecs:us-east-1:123456789012:task/shop/0a1b'),
    client.dnsResolve('www.example.com'),
  ];
  for (const call of calls)
    expect(await rejection(call)).toMatchObject({ name: 'ApiError', status: 501, code: 'NotImplemented' });
});

test('a planned service returns an error with code and message', async () => {
  const error = await rejection(client.wafv2.evaluate('arn', { uri: '/' }));
  expect(error).toBeInstanceOf(ApiError);
  const { status, code, message } = error as ApiError;
  expect(status).toBe(501);
  expect(code).toBe('NotImplemented');
  expect(message).toContain('wafv2');
});

test('a closed emulator returns an error', async () => {
  await emu.close();
  expect(await rejection(client.health())).toBeInstanceOf(HttpError);
});
