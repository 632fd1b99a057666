import { EventBridge } from '@aws-sdk/client-eventbridge';
import { S3 } from '@aws-sdk/client-s3';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import type { TestEmulator } from '@emu/gateway/testing';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { describe, expect, test } from 'vitest';
import { ACCOUNT, Lives, REGION } from './support.ts';

const MANIFESTS = [events, s3, sns, sqs];
const QUEUE = `arn:aws:sqs:${REGION}:${ACCOUNT}:q`;
const QueueUrl = `http://sqs.${REGION}.amazonaws.com/${ACCOUNT}/q`;
const Bucket = 'data';

const clients = (emulator: TestEmulator) => ({
  events: new EventBridge(emulator.clientConfig()),
  s3: new S3(emulator.clientConfig()),
  sns: new SNS(emulator.clientConfig()),
  sqs: new SQS(emulator.clientConfig()),
});
type Clients = ReturnType<typeof clients>;

/** Waits for messages in the queue and returns them. */
async function received(emulator: TestEmulator): Promise<string[]> {
  const client = new SQS(emulator.clientConfig());
  const found: string[] = [];
  const poll = async (): Promise<number> => {
    const { Messages = [] } = await client.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    return found.push(...Messages.map(({ Body }) => Body!));
  };
  await expect.poll(poll, { timeout: 15_000 }).toBeGreaterThan(0);
  return found;
}

/** Returns the records of EventBridge deliveries in progress. */
const underWay = ({ kernel }: TestEmulator): unknown[] =>
  [...kernel.loadedService('events')!.store.picture()]
    .filter(({ collection }) => collection === 'deliveries')
    .map(({ value }) => value);

const rule = async ({ events: client }: Clients, source: string): Promise<void> => {
  await client.putRule({ Name: 'r', EventPattern: JSON.stringify({ source: [source] }) });
  await client.putTargets({ Rule: 'r', Targets: [{ Id: 't', Arn: QUEUE }] });
};
const event = ({ events: client }: Clients) =>
  client.putEvents({ Entries: [{ Source: 'app', DetailType: 'Order', Detail: '{"number":1}' }] });
const put = ({ s3: client }: Clients) => client.putObject({ Bucket, Key: 'one', Body: 'x' });
const notify = async ({ s3: client }: Clients, NotificationConfiguration: object): Promise<void> => {
  await client.createBucket({ Bucket });
  await client.putBucketNotificationConfiguration({ Bucket, NotificationConfiguration });
};

/** Work that ends with a message in the queue. */
interface Kind {
  prepare: (clients: Clients) => Promise<void>;
  /** The accepted request. */
  act: (clients: Clients) => Promise<unknown>;
  /** Text in the message. */
  expected: string;
}

const KINDS: Record<string, Kind> = {
  'an event on a bus': { prepare: (all) => rule(all, 'app'), act: event, expected: '"number":1' },
  'a notification of a bucket': {
    prepare: async (all) => {
      await notify(all, { QueueConfigurations: [{ QueueArn: QUEUE, Events: ['s3:ObjectCreated:*'] }] });
      // The test event.
      await all.sqs.purgeQueue({ QueueUrl });
    },
    act: put,
    expected: '"key":"one"',
  },
  'an event of a bucket': {
    prepare: async (all) => {
      await notify(all, { EventBridgeConfiguration: {} });
      await rule(all, 'aws.s3');
    },
    act: put,
    expected: '"key":"one"',
  },
};

describe('accepted work is delivered after a restart', () => {
  test.each(Object.entries(KINDS))('%s', async (_, { prepare, act, expected }) => {
    await using lives = await Lives.begin(MANIFESTS);
    const before = clients(lives.emulator);
    await before.sqs.createQueue({ QueueName: 'q' });
    await prepare(before);
    lives.hold('sqs');
    // It does not wait for the disk of the queues either.
    await act(before);
    expect(await received(await lives.die())).toEqual([expect.stringContaining(expected)]);
  });

  test('an event that a target rejected, at the time of the next attempt', async () => {
    await using lives = await Lives.begin(MANIFESTS);
    const before = clients(lives.emulator);
    await before.sqs.createQueue({ QueueName: 'q' });
    await rule(before, 'app');
    lives.emulator.kernel.clock.freeze();
    lives.refuse('sqs');
    await event(before);
    await expect.poll(() => underWay(lives.emulator)).toEqual([expect.objectContaining({ attempts: 1 })]);
    await lives.emulator.kernel.committed('events');
    const after = await lives.die();
    // Its clock is stopped, like the first one's.
    await after.kernel.clock.advance(60_000);
    expect(await received(after)).toEqual([expect.stringContaining('"number":1')]);
    await expect.poll(() => underWay(after)).toEqual([]);
  });

  test('a message of a topic that a queue could not receive', async () => {
    await using lives = await Lives.begin(MANIFESTS);
    const before = clients(lives.emulator);
    await before.sqs.createQueue({ QueueName: 'q' });
    const { TopicArn } = await before.sns.createTopic({ Name: 't' });
    const Attributes = { RawMessageDelivery: 'true' };
    await before.sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: QUEUE, Attributes });
    lives.refuse('sqs');
    await before.sns.publish({ TopicArn, Message: 'news' });
    const after = await lives.die();
    await after.kernel.clock.advance(60_000);
    expect(await received(after)).toEqual(['news']);
  });

  test('replayed events of an archive', async () => {
    await using lives = await Lives.begin(MANIFESTS);
    const before = clients(lives.emulator);
    await before.sqs.createQueue({ QueueName: 'q' });
    const bus = `arn:aws:events:${REGION}:${ACCOUNT}:event-bus/default`;
    const { ArchiveArn } = await before.events.createArchive({ ArchiveName: 'a', EventSourceArn: bus });
    await event(before);
    await rule(before, 'app');
    lives.emulator.kernel.clock.freeze();
    const now = lives.emulator.kernel.clock.now();
    await before.events.startReplay({
      ReplayName: 'p',
      EventSourceArn: ArchiveArn,
      EventStartTime: new Date(now - 60_000),
      EventEndTime: new Date(now + 60_000),
      Destination: { Arn: bus },
    });
    const after = await lives.die();
    await after.kernel.clock.advance(1000);
    expect(await received(after)).toEqual([expect.stringContaining('"replay-name":"p"')]);
  });

  test('copies of replicated objects, and the end of a restore', async () => {
    await using lives = await Lives.begin(MANIFESTS);
    const before = clients(lives.emulator);
    await before.sqs.createQueue({ QueueName: 'q' });
    for (const name of [Bucket, 'copies']) {
      await before.s3.createBucket({ Bucket: name });
      const VersioningConfiguration = { Status: 'Enabled' } as const;
      await before.s3.putBucketVersioning({ Bucket: name, VersioningConfiguration });
    }
    const Destination = { Bucket: 'arn:aws:s3:::copies' };
    await before.s3.putBucketReplication({
      Bucket,
      ReplicationConfiguration: {
        Role: `arn:aws:iam::${ACCOUNT}:role/r`,
        Rules: [
          {
            ID: 'all',
            Status: 'Enabled',
            Priority: 1,
            Filter: { Prefix: '' },
            DeleteMarkerReplication: { Status: 'Enabled' },
            Destination,
          },
        ],
      },
    });
    lives.emulator.kernel.clock.freeze();
    await before.s3.putObject({ Bucket, Key: 'one', Body: 'x', StorageClass: 'GLACIER' });
    await before.s3.putObject({ Bucket, Key: 'two', Body: 'x' });
    await before.s3.deleteObject({ Bucket, Key: 'two' });
    await notify(before, { QueueConfigurations: [{ QueueArn: QUEUE, Events: ['s3:ObjectRestore:Completed'] }] });
    await before.sqs.purgeQueue({ QueueUrl });
    await before.s3.restoreObject({ Bucket, Key: 'one', RestoreRequest: { Days: 1 } });
    const after = await lives.die();
    await after.kernel.clock.advance(1000);
    expect(await received(after)).toEqual([expect.stringContaining('"eventName":"ObjectRestore:Completed"')]);
    const { s3: client } = clients(after);
    expect(await client.headObject({ Bucket, Key: 'one' })).toMatchObject({ ReplicationStatus: 'COMPLETED' });
    const { Versions, DeleteMarkers } = await client.listObjectVersions({ Bucket: 'copies' });
    expect(Versions?.map(({ Key }) => Key)).toEqual(['one', 'two']);
    expect(DeleteMarkers?.map(({ Key }) => Key)).toEqual(['two']);
  });
});
