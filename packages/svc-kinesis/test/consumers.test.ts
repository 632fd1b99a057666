import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, failureOf, HOUR, type KinesisTest, shard, startKinesis, textOf } from './support.ts';

let t: KinesisTest;
beforeAll(async () => {
  t = await startKinesis();
});
afterAll(() => t[Symbol.asyncDispose]());

const HALF = '170141183460469231731687303715884105728';

test('registers, describes, lists and deregisters consumers', async () => {
  const StreamARN = await t.stream('consumed');
  const { Consumer } = await t.kinesis.registerStreamConsumer({ StreamARN, ConsumerName: 'b', Tags: { a: '1' } });
  const second = Math.floor(t.emulator.kernel.clock.now() / 1000);
  const ConsumerARN = `${StreamARN}/consumer/b:${second}`;
  expect(Consumer).toMatchObject({ ConsumerName: 'b', ConsumerARN });
  await t.kinesis.registerStreamConsumer({ StreamARN, ConsumerName: 'a' });
  const described = { ConsumerName: 'b', ConsumerARN, ConsumerStatus: 'ACTIVE', StreamARN };
  expect((await t.kinesis.describeStreamConsumer({ ConsumerARN })).ConsumerDescription).toMatchObject(described);
  expect((await t.kinesis.describeStreamConsumer({ StreamARN, ConsumerName: 'b' })).ConsumerDescription).toMatchObject(
    described,
  );
  const first = await t.kinesis.listStreamConsumers({ StreamARN, MaxResults: 1 });
  const rest = await t.kinesis.listStreamConsumers({ StreamARN, NextToken: first.NextToken });
  expect([...first.Consumers!, ...rest.Consumers!].map(({ ConsumerName }) => ConsumerName)).toEqual(['a', 'b']);
  expect((await t.kinesis.listTagsForResource({ ResourceARN: ConsumerARN })).Tags).toEqual([{ Key: 'a', Value: '1' }]);
  expect(await failureOf(t.kinesis.registerStreamConsumer({ StreamARN, ConsumerName: 'a' }))).toBe(
    `ResourceInUseException: Consumer a of stream consumed under account ${ACCOUNT} already exists.`,
  );
  expect(await failureOf(t.kinesis.describeStreamConsumer({ StreamARN }))).toBe(
    'InvalidArgumentException: Either ConsumerARN or both StreamARN and ConsumerName must be specified.',
  );
  await t.kinesis.deregisterStreamConsumer({ StreamARN, ConsumerName: 'a' });
  expect(await failureOf(t.kinesis.describeStreamConsumer({ StreamARN, ConsumerName: 'a' }))).toBe(
    `ResourceNotFoundException: Consumer a of stream consumed under account ${ACCOUNT} not found.`,
  );
  const gone = ConsumerARN.replace(/\d+$/, '1');
  expect(await failureOf(t.kinesis.describeStreamConsumer({ ConsumerARN: gone }))).toBe(
    `ResourceNotFoundException: Consumer ${gone} not found.`,
  );
  for (let count = 0; count < 19; count++)
    await t.kinesis.registerStreamConsumer({ StreamARN, ConsumerName: `c${count}` });
  expect(await failureOf(t.kinesis.registerStreamConsumer({ StreamARN, ConsumerName: 'more' }))).toMatch(
    /^LimitExceededException: .* more than 20 registered consumers/,
  );
});

/** Registers a consumer and subscribes it. */
async function subscribe(name: string, StartingPosition: object = { Type: 'TRIM_HORIZON' }) {
  const StreamARN = await t.stream(name);
  const { Consumer } = await t.kinesis.registerStreamConsumer({ StreamARN, ConsumerName: 'c' });
  const ConsumerARN = Consumer!.ConsumerARN!;
  const again = async () => {
    const { EventStream } = await t.kinesis.subscribeToShard({
      ConsumerARN,
      ShardId: shard(0),
      StartingPosition: StartingPosition as never,
    });
    return EventStream![Symbol.asyncIterator]();
  };
  return { ConsumerARN, StreamARN, again, events: await again() };
}

const next = async (events: AsyncIterator<{ SubscribeToShardEvent?: unknown }>) => {
  const { value, done } = await events.next();
  return done
    ? undefined
    : (value.SubscribeToShardEvent as Record<string, never> & { Records: { Data: Uint8Array }[] });
};
const texts = (event: { Records: { Data: Uint8Array }[] } | undefined) =>
  event?.Records.map(({ Data }) => textOf(Data));

test('a subscription returns records as they arrive, with a continuation position', async () => {
  const { events, ConsumerARN } = await subscribe('pushed');
  const idle = await next(events);
  expect(idle).toMatchObject({ Records: [], MillisBehindLatest: 0, ContinuationSequenceNumber: expect.any(String) });
  await t.put('pushed', ['1', '2'], 'k');
  const event = await next(events);
  expect(texts(event)).toEqual(['1', '2']);
  await t.put('pushed', ['3'], 'k');
  expect(texts(await next(events))).toEqual(['3']);
  await t.advance(5000);
  expect(texts(await next(events))).toEqual([]);
  await t.advance(5000);
  const from = { Type: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: event!.ContinuationSequenceNumber };
  const { EventStream } = await t.kinesis.subscribeToShard({ ConsumerARN, ShardId: shard(0), StartingPosition: from });
  expect(texts(await next(EventStream![Symbol.asyncIterator]()))).toEqual(['3']);
});

test('a second subscription must wait five seconds, and then replaces the first', async () => {
  const { events, again, ConsumerARN } = await subscribe('taken');
  await next(events);
  expect(await failureOf(again())).toBe(
    `ResourceInUseException: Another active subscription exists for this consumer: ${ConsumerARN}. Wait for 5 seconds after the last successful call to SubscribeToShard.`,
  );
  await t.advance(5000);
  const later = await again();
  expect(texts(await next(later))).toEqual([]);
  expect(texts(await next(events))).toEqual([]);
  expect(await next(events)).toBeUndefined();
});

test('a subscription ends after five minutes, with the shard, and with the consumer', async () => {
  const { events } = await subscribe('timed');
  await next(events);
  await t.advance(5 * 60_000);
  // Records that arrived while the clock advanced precede the end.
  const rest = [];
  for (let event = await next(events); event; event = await next(events)) rest.push(...texts(event)!);
  expect(rest).toEqual([]);

  const closed = await subscribe('closed');
  await next(closed.events);
  await t.put('closed', ['last']);
  expect(texts(await next(closed.events))).toEqual(['last']);
  await t.kinesis.splitShard({ StreamName: 'closed', ShardToSplit: '0', NewStartingHashKey: HALF });
  expect(await next(closed.events)).toMatchObject({ Records: [], ChildShards: [{ ShardId: shard(1) }, {}] });
  expect(await next(closed.events)).toBeUndefined();

  const gone = await subscribe('gone');
  await next(gone.events);
  await t.kinesis.deregisterStreamConsumer({ ConsumerARN: gone.ConsumerARN });
  expect(await next(gone.events)).toBeUndefined();
});

test('a subscription can start at a time', async () => {
  await t.stream('early');
  await t.put('early', ['old'], 'k');
  await t.advance(HOUR);
  const Timestamp = new Date(Math.floor(t.emulator.kernel.clock.now()));
  await t.put('early', ['new'], 'k');
  const StreamARN = (await t.kinesis.describeStream({ StreamName: 'early' })).StreamDescription!.StreamARN!;
  const { Consumer } = await t.kinesis.registerStreamConsumer({ StreamARN, ConsumerName: 'c' });
  const start = (StartingPosition: object) =>
    t.kinesis.subscribeToShard({
      ConsumerARN: Consumer!.ConsumerARN,
      ShardId: shard(0),
      StartingPosition: StartingPosition as never,
    });
  const { EventStream } = await start({ Type: 'AT_TIMESTAMP', Timestamp });
  expect(texts(await next(EventStream![Symbol.asyncIterator]()))).toEqual(['new']);
  expect(await failureOf(start({ Type: 'AT_SEQUENCE_NUMBER' }))).toMatch(/^InvalidArgumentException/);
});

test('a consumer cannot subscribe while it is created', async () => {
  await using slow = await startKinesis({ latency: 500 });
  const StreamARN = await slow.stream('s');
  await slow.advance(500);
  const { Consumer } = await slow.kinesis.registerStreamConsumer({ StreamARN, ConsumerName: 'c' });
  const { ConsumerARN } = Consumer!;
  expect(Consumer!.ConsumerStatus).toBe('CREATING');
  const start = () =>
    slow.kinesis.subscribeToShard({ ConsumerARN, ShardId: shard(0), StartingPosition: { Type: 'LATEST' } });
  expect(await failureOf(start())).toMatch(/^ResourceInUseException: .* not ACTIVE, instead in state CREATING$/);
  await slow.advance(500);
  expect((await slow.kinesis.describeStreamConsumer({ ConsumerARN })).ConsumerDescription!.ConsumerStatus).toBe(
    'ACTIVE',
  );
});
