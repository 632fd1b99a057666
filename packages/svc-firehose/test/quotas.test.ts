import { enforceQuota } from '@emu/gateway/testing';
import { expect, it } from 'vitest';
import { failureOf, startFirehose } from './support.ts';

it('enforces quotas of delivery streams and operation rates', async () => {
  await using t = await startFirehose();
  await enforceQuota(t.emulator, 'firehose/L-14BB0BE7', 1);
  await t.stream('one');
  expect(await failureOf(t.stream('two'))).toBe(
    'LimitExceededException: The account has reached its limit of 1 delivery streams.',
  );
  await t.firehose.deleteDeliveryStream({ DeliveryStreamName: 'one' });
  await t.stream('two');
  await enforceQuota(t.emulator, 'firehose/L-FDED3C5B', 2);
  const list = () => t.firehose.listDeliveryStreams({});
  await list();
  expect((await list()).DeliveryStreamNames).toEqual(['two']);
  expect(await failureOf(list())).toBe('ThrottlingException: Rate exceeded');
  await t.advance(1);
  await list();
});
