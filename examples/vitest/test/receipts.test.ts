import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { keepReceipt, receiptOf } from '../src/receipts.ts';

// The `globalSetup` of vitest.config.ts has started an emulator; the environment variables point clients to it.
test('a receipt is stored', async () => {
  await new S3Client({}).send(new CreateBucketCommand({ Bucket: 'receipts' }));
  await keepReceipt('order-1', 'Thank you.');
  expect(await receiptOf('order-1')).toBe('Thank you.');
});
