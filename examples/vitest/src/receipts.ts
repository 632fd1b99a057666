import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

/** Client of the application, which takes endpoint, region and credentials from the environment. */
const s3 = new S3Client({});

/** Stores the receipt of an order. */
export async function keepReceipt(id: string, text: string): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: 'receipts', Key: `${id}.txt`, Body: text }));
}

/** Returns the receipt of an order. */
export async function receiptOf(id: string): Promise<string> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'receipts', Key: `${id}.txt` }));
  return Body!.transformToString();
}
