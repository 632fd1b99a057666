import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { startForClients } from '@emu/emulator/setup';
import { keepReceipt, receiptOf } from '../src/receipts.ts';

// node:test runs each file in a separate process, so each has an emulator that its clients find through the
// environment.
const emu = await startForClients({ services: ['s3'] });
after(() => emu.close());

test('a receipt is stored', async () => {
  await new S3Client({}).send(new CreateBucketCommand({ Bucket: 'receipts' }));
  await keepReceipt('order-1', 'Thank you.');
  assert.equal(await receiptOf('order-1'), 'Thank you.');
});
