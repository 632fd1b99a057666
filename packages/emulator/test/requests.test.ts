import { S3 } from '@aws-sdk/client-s3';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { STS } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type EmbeddedEmulator } from '../src/index.ts';

let emulator: EmbeddedEmulator;
let clients: { s3: S3; secrets: SecretsManager; sns: SNS; sqs: SQS; sts: STS };
beforeAll(async () => {
  emulator = await createEmulator();
  const config = emulator.clientConfig();
  clients = {
    s3: new S3(config),
    secrets: new SecretsManager(config),
    sns: new SNS(config),
    sqs: new SQS(config),
    sts: new STS(config),
  };
});
afterAll(() => emulator.close());
beforeEach(async () => {
  await emulator.control.reset();
  await emulator.control.requests.clear();
  await emulator.control.requests.record();
});

const requests = () => emulator.control.requests;

describe('recorded requests', () => {
  it('contain the caller, the operation and the response', async () => {
    const { QueueUrl } = await clients.sqs.createQueue({ QueueName: 'orders' });
    await clients.sqs.sendMessage({ QueueUrl, MessageBody: 'first' });
    await clients.sqs.getQueueUrl({ QueueName: 'missing' }).catch(() => {});
    const recorded = await requests().list({ service: 'sqs' });
    expect(recorded).toMatchObject([
      { operation: 'CreateQueue', input: { QueueName: 'orders' }, output: { QueueUrl }, status: 200 },
      { operation: 'SendMessage', input: { MessageBody: 'first' }, output: { MessageId: expect.any(String) } },
      { operation: 'GetQueueUrl', status: 400, errorCode: 'QueueDoesNotExist', output: null },
    ]);
    expect(recorded[2]!.errorMessage).toBe('The specified queue does not exist.');
    expect(recorded[0]).toMatchObject({ accountId: '123456789012', region: 'us-east-1' });
    expect(recorded[0]!.caller).toBe('arn:aws:iam::123456789012:root');
    expect(await requests().list({ errors: true })).toEqual([recorded[2]]);
    expect(await requests().list({ since: recorded[1]!.sequence })).toEqual([recorded[2]]);
    expect(await requests().list({ limit: 1 })).toEqual([recorded[2]]);
    expect(await requests().list({ account_id: '999999999999' })).toEqual([]);
  });

  it('are nested below their cause', async () => {
    const { TopicArn } = await clients.sns.createTopic({ Name: 'objects' });
    await clients.sqs.createQueue({ QueueName: 'objects' });
    const Endpoint = 'arn:aws:sqs:us-east-1:123456789012:objects';
    await clients.sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint });
    await clients.s3.createBucket({ Bucket: 'uploads' });
    await clients.s3.putBucketNotificationConfiguration({
      Bucket: 'uploads',
      NotificationConfiguration: { TopicConfigurations: [{ TopicArn, Events: ['s3:ObjectCreated:*'] }] },
    });
    await clients.s3.putObject({ Bucket: 'uploads', Key: 'a', Body: 'body' });
    const trees = () => requests().tree({ operation: 'PutObject' });
    await expect.poll(trees).toMatchObject([
      {
        service: 's3',
        operation: 'PutObject',
        caused: [
          {
            service: 'sns',
            operation: 'Publish',
            via: 's3',
            caused: [{ service: 'sqs', operation: 'SendMessage', via: 'sns', caused: [] }],
          },
        ],
      },
    ]);
    // A tree is reported if any part of it matches.
    expect(await requests().tree({ service: 'sqs', operation: 'SendMessage' })).toContainEqual((await trees())[0]);
  });

  it('contain no secrets and shorten long values', async () => {
    await clients.secrets.createSecret({ Name: 'token', SecretString: 'swordfish' });
    await clients.secrets.getSecretValue({ SecretId: 'token' });
    const { Credentials } = await clients.sts.getSessionToken({});
    await clients.s3.createBucket({ Bucket: 'long' });
    await clients.s3.putBucketTagging({
      Bucket: 'long',
      Tagging: { TagSet: Array.from({ length: 50 }, (_, i) => ({ Key: `key-${i}`, Value: 'v'.repeat(200) })) },
    });
    const all = await requests().list();
    const text = JSON.stringify(all);
    const recorded = all.filter(({ via }) => via === undefined);
    for (const secret of ['swordfish', Credentials!.SecretAccessKey!, Credentials!.SessionToken!])
      expect(text).not.toContain(secret);
    expect(recorded).toMatchObject([
      { operation: 'CreateSecret', input: { Name: 'token', SecretString: '***' } },
      { operation: 'GetSecretValue', output: { SecretString: '***' } },
      { operation: 'GetSessionToken', output: { Credentials: { SessionToken: '***' } } },
      { operation: 'CreateBucket' },
      { operation: 'PutBucketTagging' },
    ]);
    const tagging = JSON.stringify(recorded[4]!.input);
    expect(tagging.length).toBeLessThan(3000);
    expect(tagging).toMatch(/… \d+ more/);
  });

  it('are recorded only while recording is on, and until they are cleared', async () => {
    await clients.sqs.listQueues();
    await requests().record(false);
    await clients.sqs.listQueues();
    expect(await requests().list()).toHaveLength(1);
    expect(await requests().clear()).toBe(1);
    expect(await requests().list()).toEqual([]);
  });

  it('are streamed as server-sent events until the emulator ends', async () => {
    const other = await createEmulator();
    const { url } = await other.listen();
    await other.control.requests.record();
    const response = await fetch(`${url}/_emulator/requests/events?service=sqs`);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe(': requests\n\n');
    await new STS(other.clientConfig()).getCallerIdentity({});
    await new SQS(other.clientConfig()).createQueue({ QueueName: 'orders' });
    const { value } = await reader.read();
    const [, sequence, data] = /^id: (\d+)\ndata: (.*)\n\n$/.exec(value!)!;
    expect(JSON.parse(data!)).toMatchObject({ sequence: Number(sequence), service: 'sqs', operation: 'CreateQueue' });
    await other.close();
    expect((await reader.read()).done).toBe(true);
  });

  it('are limited in bytes, with the oldest evicted first', async () => {
    const other = await createEmulator({
      settings: { EMULATOR_RECORD_REQUESTS: 'true', EMULATOR_RECORD_BYTES: '12000' },
    });
    const sqs = new SQS(other.clientConfig());
    for (let i = 0; i < 20; i++) await sqs.createQueue({ QueueName: `queue-${i}` });
    const kept = await other.control.requests.list();
    expect(kept.length).toBeGreaterThan(2);
    expect(kept.length).toBeLessThan(8);
    expect(kept.at(-1)).toMatchObject({ sequence: 20, input: { QueueName: 'queue-19' } });
    await other.close();
  });

  it.each([
    ['GET', '/_emulator/requests?errors=yes', 'errors is true or false, not yes.'],
    ['GET', '/_emulator/requests?since=-1', 'since is a whole number up to 9007199254740991, not -1.'],
    ['GET', '/_emulator/requests/tree?limit=100000', 'limit is a whole number up to 10000, not 100000.'],
    ['PUT', '/_emulator/requests', 'The body must be an object.'],
  ])('rejects %s %s', async (method, path, message) => {
    const response = await emulator.fetch(`http://localhost${path}`, { method });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message } });
  });
});
