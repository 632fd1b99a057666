import { enforceQuota } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { failureOf, receiveBodies, startSqs } from './support.ts';

test('limits in-flight messages of a standard queue to the applied quota, if enforced', async () => {
  await using t = await startSqs();
  const QueueUrl = await t.queue('q');
  for (const MessageBody of ['a', 'b', 'c', 'd']) await t.sqs.sendMessage({ QueueUrl, MessageBody });
  const receive = () => t.sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
  await enforceQuota(t.emulator, 'sqs/L-C491D5A4', 3);
  expect((await receive()).Messages).toHaveLength(3);
  expect(await failureOf(receive())).toMatchObject({ code: 'OverLimit', status: 403 });
  await t.emulator.kernel.quotas.setEnforcement({ overrides: [] });
  expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['d']);
});

test('applies the quota per queue', async () => {
  await using t = await startSqs();
  await enforceQuota(t.emulator, 'sqs/L-C491D5A4', 1);
  for (const name of ['one', 'two']) {
    const QueueUrl = await t.queue(name);
    await t.sqs.sendMessage({ QueueUrl, MessageBody: name });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([name]);
  }
});
