import { testProvider } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { startSqs } from './support.ts';

test('creates, reads, updates and deletes a queue', async () => {
  await using emu = await startSqs();
  const { provider, ctx } = await testProvider(emu.emulator, 'AWS::SQS::Queue', { logicalId: 'Work' });
  const first = { FifoQueue: true, DelaySeconds: 5, VisibilityTimeout: 60, Tags: [{ Key: 'a', Value: '1' }] };
  const { identifier } = await provider.create(first, ctx);
  expect(identifier).toMatch(/^http:\/\/[^/]+\/000000000000\/stack-Work-aBcDeFgHiJkL\.fifo$/);
  expect(await provider.read(identifier, ctx)).toMatchObject({
    properties: first,
    attributes: { Arn: emu.arnOf('stack-Work-aBcDeFgHiJkL.fifo') },
  });
  await emu.sqs.setQueueAttributes({ QueueUrl: identifier, Attributes: { MaximumMessageSize: '2048' } });
  await provider.update!(
    identifier,
    first,
    {
      FifoQueue: true,
      VisibilityTimeout: 90,
      RedriveAllowPolicy: { redrivePermission: 'denyAll' },
      Tags: [{ Key: 'b', Value: '2' }],
    },
    ctx,
  );
  expect((await provider.read(identifier, ctx))!.properties).toMatchObject({
    DelaySeconds: 0,
    VisibilityTimeout: 90,
    MaximumMessageSize: 2048,
    RedriveAllowPolicy: { redrivePermission: 'denyAll' },
    Tags: [{ Key: 'b', Value: '2' }],
  });
  expect(await provider.list!(ctx)).toEqual([identifier]);
  await provider.delete(identifier, {}, ctx);
  await provider.delete(identifier, {}, ctx);
  expect(await provider.read(identifier, ctx)).toBeUndefined();
});
