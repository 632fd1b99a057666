import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KMS } from '@aws-sdk/client-kms';
import { type PolicyStatement, policyText } from '@emu/gateway/testing';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT, arn, type EventsTest, failureOf, startEvents } from './support.ts';

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-encryption-event-bus-cmkey.html
// https://docs.aws.amazon.com/eventbridge/latest/userguide/encryption-archives.html

const BUS = arn('event-bus/orders');
const ROOT: PolicyStatement = {
  Effect: 'Allow',
  Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` },
  Action: 'kms:*',
  Resource: '*',
};
/** The statements of AWS's documentation. */
const EVENT_BRIDGE: PolicyStatement[] = [
  { Effect: 'Allow', Principal: { Service: 'events.amazonaws.com' }, Action: 'kms:DescribeKey', Resource: '*' },
  {
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
    Resource: '*',
    Condition: {
      StringEquals: { 'kms:EncryptionContext:aws:events:event-bus:arn': BUS, 'aws:SourceAccount': ACCOUNT },
    },
  },
];

let run: EventsTest;
let keys: KMS;
beforeEach(async () => {
  run = await startEvents({ manifests: [kms] });
  keys = new KMS(run.emulator.clientConfig());
});
afterEach(() => run[Symbol.asyncDispose]());

/** Creates a key. @returns its ARN */
const key = async (...more: PolicyStatement[]) =>
  (await keys.createKey({ Policy: policyText([ROOT, ...more]) })).KeyMetadata!.Arn!;
const put = (detail: object) => run.put(detail, { EventBusName: 'orders' });
const counts = async (name: string) => (await run.events.describeArchive({ ArchiveName: name })).EventCount;

describe('a bus with a customer key', () => {
  test('uses it for each event, until the key is disabled', async () => {
    const KmsKeyIdentifier = await key(...EVENT_BRIDGE);
    const Arn = await run.queue('dlq');
    const DeadLetterConfig = { Arn };
    expect(await run.events.createEventBus({ Name: 'orders', KmsKeyIdentifier, DeadLetterConfig })).toMatchObject({
      KmsKeyIdentifier,
    });
    expect(await run.events.describeEventBus({ Name: 'orders' })).toMatchObject({ KmsKeyIdentifier, DeadLetterConfig });
    await run.queue('q');
    const target = { Arn: `arn:aws:sqs:us-east-1:${ACCOUNT}:q`, InputPath: '$.detail' };
    await run.rule('r', { source: ['app'] }, [target], 'orders');
    await put({ n: 1 });
    expect(await run.received('q')).toEqual(['{"n":1}']);

    await keys.disableKey({ KeyId: KmsKeyIdentifier });
    const id = await put({ n: 2 });
    expect(await run.received('q', 0)).toEqual([]);
    const [dead] = await run.received('dlq');
    expect(JSON.parse(dead!)).toMatchObject({ id, detail: { n: 2 } });

    // The default of AWS has no key of the customer.
    await run.events.updateEventBus({ Name: 'orders', Description: 'd' });
    expect((await run.events.describeEventBus({ Name: 'orders' })).KmsKeyIdentifier).toBeUndefined();
    await put({ n: 3 });
    expect(await run.received('q')).toEqual(['{"n":3}']);
  });

  test('sends an event to the dead-letter queue of a target if the key is disabled before a retry', async () => {
    const KmsKeyIdentifier = await key(...EVENT_BRIDGE);
    const { events } = run;
    await events.createEventBus({ Name: 'orders', KmsKeyIdentifier });
    let requests = 0;
    const server = createServer((_request, response) => {
      requests++;
      response.writeHead(503).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { ConnectionArn } = await events.createConnection({
      Name: 'c',
      AuthorizationType: 'API_KEY',
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'k', ApiKeyValue: 'v' } },
    });
    const { ApiDestinationArn } = await events.createApiDestination({
      Name: 'd',
      ConnectionArn,
      HttpMethod: 'POST',
      InvocationEndpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    const target = {
      Arn: ApiDestinationArn!,
      RoleArn: `arn:aws:iam::${ACCOUNT}:role/r`,
      DeadLetterConfig: { Arn: await run.queue('dlq') },
    };
    await run.rule('r', { source: ['app'] }, [target], 'orders');
    const id = await put({ n: 1 });
    await expect.poll(() => requests, { timeout: 15_000 }).toBe(1);
    await keys.disableKey({ KeyId: KmsKeyIdentifier });
    const received = async () => {
      await run.advance(1000);
      return (await run.sqs.receiveMessage({ QueueUrl: 'dlq', MessageAttributeNames: ['All'] })).Messages?.[0];
    };
    await expect.poll(received, { timeout: 15_000 }).toMatchObject({
      Body: expect.stringContaining(id),
      MessageAttributes: { ERROR_MESSAGE: { StringValue: expect.stringContaining('is disabled') } },
    });
    expect(requests).toBe(1);
    await new Promise((resolve) => server.close(resolve));
  });

  test('requires a key that EventBridge can use', async () => {
    const { events } = run;
    // Created at its first use.
    await events.describeEventBus({});
    const disabled = await key(...EVENT_BRIDGE);
    await keys.disableKey({ KeyId: disabled });
    const { KeyMetadata } = await keys.createKey({ KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' });
    for (const KmsKeyIdentifier of ['alias/none', disabled, KeyMetadata!.KeyId]) {
      const invalid = /^ValidationException: Parameter KmsKeyIdentifier is not valid\./;
      expect(await failureOf(events.createEventBus({ Name: 'orders', KmsKeyIdentifier }))).toMatch(invalid);
      expect(await failureOf(events.updateEventBus({ Name: 'default', KmsKeyIdentifier }))).toMatch(invalid);
    }
  });
});

describe('an archive with a customer key', () => {
  test('is encrypted with it, and replayed while the key is enabled', async () => {
    const { events } = run;
    const KmsKeyIdentifier = await key(...EVENT_BRIDGE);
    await events.createEventBus({ Name: 'orders' });
    await events.createArchive({ ArchiveName: 'plain', EventSourceArn: BUS });
    await events.createArchive({ ArchiveName: 'sealed', EventSourceArn: BUS, KmsKeyIdentifier });
    expect(await events.describeArchive({ ArchiveName: 'sealed' })).toMatchObject({ KmsKeyIdentifier });
    const Arn = await run.queue('q');
    await put({ secret: 'x' });
    const { SizeBytes } = await events.describeArchive({ ArchiveName: 'plain' });
    expect(await events.describeArchive({ ArchiveName: 'sealed' })).toMatchObject({ EventCount: 1, SizeBytes });
    await run.rule('r', { source: ['app'] }, [{ Arn, InputPath: '$.detail' }], 'orders');

    const replay = async (ReplayName: string) => {
      await events.startReplay({
        ReplayName,
        EventSourceArn: arn('archive/sealed'),
        Destination: { Arn: BUS },
        EventStartTime: new Date('2000-01-01T00:00:00Z'),
        EventEndTime: new Date('2100-01-01T00:00:00Z'),
      });
      await run.advance(2000);
      await expect
        .poll(async () => (await events.describeReplay({ ReplayName })).State)
        .toMatch(/^(COMPLETED|FAILED)$/);
      return events.describeReplay({ ReplayName });
    };
    expect(await replay('first')).toMatchObject({ State: 'COMPLETED' });
    expect(await run.received('q')).toEqual(['{"secret":"x"}']);

    await keys.disableKey({ KeyId: KmsKeyIdentifier });
    expect(await replay('second')).toMatchObject({ State: 'FAILED', StateReason: expect.stringContaining('disabled') });
    await put({ n: 2 });
    expect([await counts('plain'), await counts('sealed')]).toEqual([2, 1]);
    expect(await run.received('q')).toEqual(['{"n":2}']);

    await events.updateArchive({ ArchiveName: 'sealed', KmsKeyIdentifier: '' });
    expect((await events.describeArchive({ ArchiveName: 'sealed' })).KmsKeyIdentifier).toBeUndefined();
    await put({ n: 3 });
    expect(await counts('sealed')).toBe(2);
  });
});

describe('with policies enforced', () => {
  test('the key policy must allow EventBridge for the bus', async () => {
    await using enforced = await startEvents({
      manifests: [kms],
      settings: { values: { EMULATOR_ENFORCE_IAM: true } },
    });
    const client = new KMS(enforced.emulator.clientConfig());
    const create = async (statements: PolicyStatement[]) => {
      const { KeyMetadata } = await client.createKey({ Policy: policyText([ROOT, ...statements]) });
      return KeyMetadata!.Arn!;
    };
    const { events } = enforced;
    const closed = await create([]);
    expect(await failureOf(events.createEventBus({ Name: 'orders', KmsKeyIdentifier: closed }))).toMatch(
      /^ValidationException: .* is not authorized to perform: kms:DescribeKey/,
    );
    const open = await create(EVENT_BRIDGE);
    await events.createEventBus({ Name: 'orders', KmsKeyIdentifier: open });
    await events.createEventBus({ Name: 'other', KmsKeyIdentifier: open });
    for (const EventBusName of ['orders', 'other']) {
      await events.createArchive({ ArchiveName: EventBusName, EventSourceArn: arn(`event-bus/${EventBusName}`) });
      await enforced.put({}, { EventBusName });
    }
    const count = async (ArchiveName: string) => (await events.describeArchive({ ArchiveName })).EventCount;
    expect([await count('orders'), await count('other')]).toEqual([1, 0]);
  });
});
