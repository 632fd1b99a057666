import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams';
import { SQS } from '@aws-sdk/client-sqs';
import { STS } from '@aws-sdk/client-sts';
import { ControlClient } from '@emu/control-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type EmbeddedEmulator } from '../src/index.ts';

/** Controls of the clock. */
interface Driver {
  freeze(): Promise<unknown>;
  advance(duration: string): Promise<unknown>;
  set(time: string): Promise<unknown>;
  now(): Promise<number>;
}

/** The ways to control the clock, which must have the same effect. */
const DRIVERS: Record<string, (emu: EmbeddedEmulator) => Promise<Driver>> = {
  embedded: async ({ clock }) => ({
    freeze: async () => clock.freeze(),
    advance: (duration) => clock.advance(duration),
    set: (time) => clock.set(time),
    now: async () => clock.now(),
  }),
  'the control client': async (emu) => {
    const { clock } = new ControlClient((await emu.listen()).url);
    return {
      freeze: () => clock.freeze(),
      advance: (duration) => clock.advance(duration),
      set: (time) => clock.set(time),
      now: async () => Date.parse((await clock.state()).now),
    };
  },
  HTTP: async (emu) => {
    const { url } = await emu.listen();
    const call = async (change?: object): Promise<{ now: string }> => {
      const init = change && { method: 'POST', body: JSON.stringify(change) };
      const response = await fetch(`${url}/_emulator/clock`, init);
      expect(response.status).toBe(200);
      return (await response.json()) as { now: string };
    };
    return {
      freeze: () => call({ freeze: true }),
      advance: (advance) => call({ advance }),
      set: (set) => call({ set }),
      now: async () => Date.parse((await call()).now),
    };
  },
};

describe.each(Object.entries(DRIVERS))('time driven by %s', (_, driverOf) => {
  let emu: EmbeddedEmulator;
  let time: Driver;
  let sqs: SQS;
  let db: DynamoDB;

  beforeEach(async () => {
    emu = await createEmulator();
    time = await driverOf(emu);
    await time.freeze();
    sqs = new SQS(emu.clientConfig());
    db = new DynamoDB(emu.clientConfig());
  });
  afterEach(() => emu.close());

  const queue = async (QueueName: string, Attributes: Record<string, string> = {}): Promise<string> =>
    (await sqs.createQueue({ QueueName, Attributes })).QueueUrl!;
  const receive = async (QueueUrl: string): Promise<string[]> => {
    const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    return Messages.map(({ Body }) => Body!);
  };

  test('stands still, is set and moves', async () => {
    await time.set('2031-05-01T00:00:00Z');
    expect(await time.now()).toBe(Date.UTC(2031, 4, 1));
    await time.advance('1h30m');
    expect(await time.now()).toBe(Date.UTC(2031, 4, 1, 1, 30));
  });

  test('a delayed message arrives in time', async () => {
    const QueueUrl = await queue('delayed');
    await sqs.sendMessage({ QueueUrl, MessageBody: 'later', DelaySeconds: 600 });
    await time.advance('599s');
    expect(await receive(QueueUrl)).toEqual([]);
    await time.advance('1s');
    expect(await receive(QueueUrl)).toEqual(['later']);
  });

  test('a received message is visible again after its timeout', async () => {
    const QueueUrl = await queue('visible', { VisibilityTimeout: '120' });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'again' });
    expect(await receive(QueueUrl)).toEqual(['again']);
    await time.advance('119s');
    expect(await receive(QueueUrl)).toEqual([]);
    await time.advance('1s');
    expect(await receive(QueueUrl)).toEqual(['again']);
  });

  test('a message is deleted at the end of its retention', async () => {
    const QueueUrl = await queue('retained', { MessageRetentionPeriod: '3600' });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'old' });
    await time.advance('59m');
    expect((await emu.control.sqs.messages()).messages).toHaveLength(1);
    await time.advance('61s');
    expect((await emu.control.sqs.messages()).messages).toEqual([]);
    expect(await receive(QueueUrl)).toEqual([]);
  });

  test('a deduplication id applies for five minutes', async () => {
    const QueueUrl = await queue('dedup.fifo', { FifoQueue: 'true' });
    const send = (MessageBody: string) =>
      sqs.sendMessage({ QueueUrl, MessageBody, MessageGroupId: 'g', MessageDeduplicationId: 'same' });
    const { MessageId } = await send('first');
    await time.advance('4m59s');
    expect((await send('second')).MessageId).toBe(MessageId);
    await time.advance('2s');
    expect((await send('third')).MessageId).not.toBe(MessageId);
    expect(await receive(QueueUrl)).toEqual(['first', 'third']);
  });

  /** Creates a table with a time to live and a stream. */
  const table = async (): Promise<string> => {
    const { TableDescription } = await db.createTable({
      TableName: 'sessions',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    });
    await db.updateTimeToLive({
      TableName: 'sessions',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' },
    });
    return TableDescription!.LatestStreamArn!;
  };
  const put = async (id: string, seconds: number): Promise<void> => {
    const until = String(Math.floor((await time.now()) / 1000) + seconds);
    await db.putItem({ TableName: 'sessions', Item: { id: { S: id }, until: { N: until } } });
  };
  const ids = async (): Promise<string[]> =>
    ((await db.scan({ TableName: 'sessions' })).Items ?? []).map(({ id }) => id!.S!).sort();

  /** Returns keys and events in a stream, oldest first. */
  const streamed = async (StreamArn: string): Promise<string[]> => {
    const streams = new DynamoDBStreams(emu.clientConfig());
    const { StreamDescription } = await streams.describeStream({ StreamArn });
    const events: string[] = [];
    for (const { ShardId } of StreamDescription?.Shards ?? []) {
      const { ShardIterator } = await streams.getShardIterator({
        StreamArn,
        ShardId,
        ShardIteratorType: 'TRIM_HORIZON',
      });
      const { Records = [] } = await streams.getRecords({ ShardIterator });
      events.push(...Records.map(({ eventName, dynamodb }) => `${eventName} ${dynamodb?.Keys?.id?.S}`));
    }
    return events;
  };

  test('items expire after their time to live, in its order', async () => {
    const StreamArn = await table();
    await put('third', 5400);
    await put('first', 1800);
    await put('second', 3600);
    await put('fourth', 14_400);
    await time.advance('2h');
    expect(await ids()).toEqual(['fourth']);
    expect((await streamed(StreamArn)).filter((event) => event.startsWith('REMOVE'))).toEqual([
      'REMOVE first',
      'REMOVE second',
      'REMOVE third',
    ]);
  });

  test('a stream keeps its records for a day', async () => {
    const StreamArn = await table();
    await put('early', 400_000);
    await time.advance('23h');
    await put('late', 400_000);
    expect(await streamed(StreamArn)).toEqual(['INSERT early', 'INSERT late']);
    await time.advance('1h1s');
    expect(await streamed(StreamArn)).toEqual(['INSERT late']);
    await time.advance('1d');
    expect(await streamed(StreamArn)).toEqual([]);
  });

  test('a session expires', async () => {
    // Expired credentials are rejected only where credentials are checked.
    await using strict = await createEmulator({ verifySigv4: true });
    const clock = await driverOf(strict);
    await clock.freeze();
    const start = Date.now();
    const { accessKeyId, secretAccessKey } = await strict.control.createAdmin('123456789012', 'admin');
    const admin = new STS(strict.clientConfig({ credentials: { accessKeyId, secretAccessKey } }));
    const { Credentials } = await admin.assumeRole({
      RoleArn: 'arn:aws:iam::123456789012:role/app',
      RoleSessionName: 'travel',
      DurationSeconds: 900,
    });
    const credentials = {
      accessKeyId: Credentials!.AccessKeyId!,
      secretAccessKey: Credentials!.SecretAccessKey!,
      sessionToken: Credentials!.SessionToken!,
    };
    /** Sends requests with a client whose clock follows the emulator's. */
    const whoAmI = async () =>
      new STS({
        ...strict.clientConfig({ credentials }),
        systemClockOffset: (await clock.now()) - start,
      }).getCallerIdentity({});
    await clock.advance('14m58s');
    expect((await whoAmI()).Arn).toBe('arn:aws:sts::123456789012:assumed-role/app/travel');
    await clock.advance('2s');
    await expect(whoAmI()).rejects.toMatchObject({ name: 'ExpiredToken' });
  });

  test('timers run in the order of their times, across services', async () => {
    const due: string[] = [];
    const seen: string[] = [];
    const QueueUrl = await queue('order');
    const start = await time.now();
    const at = (seconds: number, name: string): void => {
      emu.kernel.clock.after(seconds * 1000, () => {
        due.push(`${name} at ${(emu.clock.now() - start) / 1000}`);
      });
    };
    at(30, 'last');
    at(10, 'first');
    at(20, 'second');
    at(20, 'third');
    await sqs.sendMessage({ QueueUrl, MessageBody: 'b', DelaySeconds: 25 });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'a', DelaySeconds: 15 });
    // At each intermediate time, a service returns the state of that time.
    emu.kernel.clock.after(16_000, async () => void seen.push(...(await receive(QueueUrl))));
    emu.kernel.clock.after(26_000, async () => void seen.push(...(await receive(QueueUrl))));
    await time.advance('1m');
    expect(due).toEqual(['first at 10', 'second at 20', 'third at 20', 'last at 30']);
    expect(seen).toEqual(['a', 'b']);
  });

  test('a waiting receive returns a message when time makes it visible', async () => {
    const QueueUrl = await queue('waiting');
    await sqs.sendMessage({ QueueUrl, MessageBody: 'on time', DelaySeconds: 5 });
    const waiting = sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 });
    await emu.control.health();
    await time.advance('5s');
    expect((await waiting).Messages?.map(({ Body }) => Body)).toEqual(['on time']);
  });
});
