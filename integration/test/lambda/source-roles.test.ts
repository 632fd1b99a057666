import { Lambda } from '@aws-sdk/client-lambda';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, type TestEmulator, TestIdentities } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-lambda/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BASE } from '../../../packages/svc-lambda/test/support.ts';

const ACCOUNT = '123456789012';
const EventSourceArn = `arn:aws:sqs:us-east-1:${ACCOUNT}:jobs`;
const READS = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

let identities: TestIdentities;
let emulator: TestEmulator;
let lambda: Lambda;
let QueueUrl: string;
let sqs: SQS;

const give = (...Action: string[]): string =>
  identities.role('worker', { may: Action.length ? [{ Effect: 'Allow', Action, Resource: EventSourceArn }] : [] });
const map = () => lambda.createEventSourceMapping({ FunctionName: 'fn', EventSourceArn });

beforeEach(async () => {
  identities = new TestIdentities();
  emulator = await createTestEmulator({
    manifests: [manifest, sqsManifest, identities.manifest],
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  lambda = new Lambda(emulator.clientConfig());
  sqs = new SQS(emulator.clientConfig());
  QueueUrl = (await sqs.createQueue({ QueueName: 'jobs' })).QueueUrl!;
  await lambda.createFunction({ ...BASE, FunctionName: 'fn', Role: give() });
});
afterEach(() => emulator.close());

test('a mapping requires a role that may read its queue', async () => {
  const refused = (operation: string) => ({
    name: 'InvalidParameterValueException',
    message: `The provided execution role does not have permissions to call ${operation} on SQS`,
  });
  await expect(map()).rejects.toMatchObject(refused('ReceiveMessage'));
  give('sqs:ReceiveMessage');
  await expect(map()).rejects.toMatchObject(refused('DeleteMessage'));
  give('sqs:ReceiveMessage', 'sqs:DeleteMessage');
  await expect(map()).rejects.toMatchObject(refused('GetQueueAttributes'));
  expect((await lambda.listEventSourceMappings({})).EventSourceMappings).toEqual([]);
  give(...READS);
  const { UUID } = await map();
  expect((await lambda.getEventSourceMapping({ UUID })).State).toBe('Enabled');
});

test('checking permissions receives no messages', async () => {
  await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
  await expect(map()).rejects.toMatchObject({ name: 'InvalidParameterValueException' });
  const received = await sqs.receiveMessage({ QueueUrl, MessageSystemAttributeNames: ['ApproximateReceiveCount'] });
  expect(received.Messages?.[0]?.Attributes).toEqual({ ApproximateReceiveCount: '1' });
});

test('a queue is no longer read once the role loses its permission', async () => {
  give(...READS);
  const { UUID } = await lambda.createEventSourceMapping({ FunctionName: 'fn', EventSourceArn, Enabled: false });
  give();
  await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
  await lambda.updateEventSourceMapping({ UUID, Enabled: true });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
  expect(Attributes).toMatchObject({
    ApproximateNumberOfMessages: '1',
    ApproximateNumberOfMessagesNotVisible: '0',
  });
});
