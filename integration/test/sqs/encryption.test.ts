import { KMS } from '@aws-sdk/client-kms';
import { manifest as kmsManifest } from '@emu/svc-kms/manifest';
import { expect, test } from 'vitest';
import { failureOf, receiveBodies, type SqsTest, startSqs } from '../../../packages/svc-sqs/test/support.ts';

const start = async () => {
  const t = await startSqs([kmsManifest]);
  const kms = new KMS(t.emulator.clientConfig());
  const KeyId = (await kms.createKey({})).KeyMetadata!.KeyId!;
  return { t, kms, KeyId };
};

/** Returns the uses of KMS, oldest first. */
const uses = async (t: SqsTest) => {
  const { json } = await t.emulator.control('GET', '/_emulator/kms/usage');
  const { usage } = json as { usage: { operation: string; encryptionContext?: Record<string, string> }[] };
  return usage.map(({ operation }) => operation);
};

test('a data key is generated and decrypted once per reuse period', async () => {
  const { t, KeyId } = await start();
  await using _emulator = t;
  const QueueUrl = await t.queue('q', { KmsMasterKeyId: KeyId, KmsDataKeyReusePeriodSeconds: '60' });
  expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
  expect(await uses(t)).toEqual([]);
  await t.sqs.sendMessage({ QueueUrl, MessageBody: '1' });
  await t.sqs.sendMessageBatch({ QueueUrl, Entries: [{ Id: '2', MessageBody: '2' }] });
  expect(await uses(t)).toEqual(['GenerateDataKey', 'Decrypt']);
  expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['1', '2']);
  expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
  expect(await uses(t)).toEqual(['GenerateDataKey', 'Decrypt', 'Decrypt']);
  await t.advance(60);
  expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['1', '2']);
  await t.sqs.sendMessage({ QueueUrl, MessageBody: '3' });
  expect((await uses(t)).slice(3)).toEqual(['Decrypt', 'GenerateDataKey', 'Decrypt']);
});

test('an unusable key fails sends and receives', async () => {
  const { t, kms, KeyId } = await start();
  await using _emulator = t;
  const QueueUrl = await t.queue('q', { KmsMasterKeyId: KeyId, KmsDataKeyReusePeriodSeconds: '60' });
  await t.sqs.sendMessage({ QueueUrl, MessageBody: '1' });
  await kms.disableKey({ KeyId });
  await t.sqs.sendMessage({ QueueUrl, MessageBody: 'with the data key it has' });
  const disabled = { code: 'KMS.DisabledException', status: 400, message: expect.stringContaining('is disabled.') };
  expect(await failureOf(t.sqs.receiveMessage({ QueueUrl }))).toEqual(disabled);
  await t.advance(60);
  expect(await failureOf(t.sqs.sendMessage({ QueueUrl, MessageBody: '2' }))).toEqual(disabled);
  const Entries = [{ Id: '1', MessageBody: '2' }];
  expect(await failureOf(t.sqs.sendMessageBatch({ QueueUrl, Entries }))).toEqual(disabled);
  await kms.enableKey({ KeyId });
  expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['1', 'with the data key it has']);
  await kms.scheduleKeyDeletion({ KeyId });
  await t.advance(60);
  expect(await failureOf(t.sqs.receiveMessage({ QueueUrl }))).toMatchObject({ code: 'KMS.InvalidStateException' });
});

test('an unknown key fails the first message', async () => {
  const { t } = await start();
  await using _emulator = t;
  const QueueUrl = await t.queue('q', { KmsMasterKeyId: 'alias/nothing' });
  expect(await failureOf(t.sqs.sendMessage({ QueueUrl, MessageBody: '1' }))).toMatchObject({
    code: 'KMS.NotFoundException',
    status: 400,
  });
  await t.sqs.setQueueAttributes({ QueueUrl, Attributes: { KmsMasterKeyId: 'alias/aws/sqs' } });
  await t.sqs.sendMessage({ QueueUrl, MessageBody: '1' });
  expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['1']);
  expect(await uses(t)).toEqual([]);
});

test('queues of other accounts use their own keys', async () => {
  const { t } = await start();
  await using _emulator = t;
  const owner = { accessKeyId: '000000000007' };
  const kms = new KMS(t.emulator.clientConfig(owner));
  const KeyId = (await kms.createKey({})).KeyMetadata!.KeyId!;
  const { QueueUrl } = await t.client(owner).createQueue({ QueueName: 'q', Attributes: { KmsMasterKeyId: KeyId } });
  await t.sqs.sendMessage({ QueueUrl, MessageBody: '1' });
  expect(await receiveBodies(t.sqs, QueueUrl!)).toEqual(['1']);
  expect(await uses(t)).toEqual(['GenerateDataKey', 'Decrypt', 'Decrypt']);
});
