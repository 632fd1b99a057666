import { randomBytes } from 'node:crypto';
import * as S3 from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { errorOf, s3Emulator } from './helpers.ts';

const Bucket = 'a-bucket';

it('rejects a body that differs from the signed one, of any size', async () => {
  await using env = await s3Emulator({ settings: { values: { EMULATOR_VERIFY_SIGV4: true } } });
  const { emulator } = env;
  const admin = (
    await emulator.control('POST', '/_emulator/iam/create-admin', { accountId: '123456789012', userName: 'jane' })
  ).json as { accessKeyId: string; secretAccessKey: string };
  const config = { ...emulator.clientConfig(), credentials: admin };
  const s3 = new S3.S3Client({ ...config, requestChecksumCalculation: 'WHEN_REQUIRED' });
  let forged: { body?: Uint8Array; hash?: string } | undefined;
  s3.middlewareStack.add(
    (next) => async (args) => {
      const request = args.request as { body: unknown; headers: Record<string, string> };
      if (forged?.body) request.body = forged.body;
      if (forged?.hash) request.headers['x-amz-content-sha256'] = forged.hash;
      return next(args);
    },
    // After signing.
    { step: 'finalizeRequest', priority: 'low' },
  );
  await s3.send(new S3.CreateBucketCommand({ Bucket }));
  const put = (Body: Uint8Array) => s3.send(new S3.PutObjectCommand({ Bucket, Key: 'key', Body }));
  const stored = async () =>
    (await s3.send(new S3.GetObjectCommand({ Bucket, Key: 'key' }))).Body!.transformToByteArray();
  const mismatch = {
    name: 'XAmzContentSHA256Mismatch',
    message: "The provided 'x-amz-content-sha256' header does not match what was computed.",
    $metadata: { httpStatusCode: 400 },
  };
  for (const size of [3, 70_000, 2_000_000]) {
    const body = randomBytes(size);
    await put(body);
    forged = { body: randomBytes(size) };
    expect(await errorOf(put(body)), `${size} bytes`).toMatchObject(mismatch);
    forged = undefined;
    expect(Buffer.from(await stored()).equals(body), `${size} bytes`).toBe(true);
  }
  // An invalid hash is rejected before the body is read.
  forged = { hash: 'nonsense' };
  expect(await errorOf(put(randomBytes(3)))).toMatchObject({
    name: 'InvalidArgument',
    message:
      'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER, STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD, STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER or a valid sha256 value.',
    $metadata: { httpStatusCode: 400 },
  });
  s3.destroy();
});
