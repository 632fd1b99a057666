import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { keepReceipt, receiptOf } from '../src/receipts.js';

// The preset of jest.config.js has started an emulator, at which the environment points every client.
test('a receipt is kept', async () => {
  await new S3Client({}).send(new CreateBucketCommand({ Bucket: 'receipts' }));
  await keepReceipt('order-1', 'Thank you.');
  expect(await receiptOf('order-1')).toBe('Thank you.');
});
