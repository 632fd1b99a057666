import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import * as S3 from '@aws-sdk/client-s3';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { expect, it } from 'vitest';
import { errorOf, s3Emulator } from '../../../packages/svc-s3/test/helpers.ts';

const Bucket = 'a-bucket';

it('the encryption of an object changes in its place', async () => {
  await using env = await s3Emulator({ others: [kms] });
  const { s3, emulator } = env;
  const { KeyMetadata } = await new KMSClient(emulator.clientConfig()).send(new CreateKeyCommand({}));
  const KMSKeyArn = KeyMetadata!.Arn!;
  await s3.send(new S3.CreateBucketCommand({ Bucket }));
  const { ETag } = await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
  const before = await s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'k' }));
  const update = (Key: string, arn = KMSKeyArn) =>
    s3.send(
      new S3.UpdateObjectEncryptionCommand({
        Bucket,
        Key,
        ObjectEncryption: { SSEKMS: { KMSKeyArn: arn, BucketKeyEnabled: true } },
      }),
    );
  await update('k');
  expect(await s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'k' }))).toMatchObject({
    ETag,
    LastModified: before.LastModified,
    ServerSideEncryption: 'aws:kms',
    SSEKMSKeyId: KMSKeyArn,
    BucketKeyEnabled: true,
  });
  expect(await errorOf(update('k', 'alias/a-name-and-no-arn-of-a-key'))).toMatchObject({ name: 'InvalidRequest' });
  expect(await errorOf(update('k', `${KMSKeyArn.slice(0, -1)}x`))).toMatchObject({ name: 'KMS.NotFoundException' });
  expect(await errorOf(update('nothing'))).toMatchObject({ name: 'NoSuchKey' });
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'double', Body: 'x', ServerSideEncryption: 'aws:kms:dsse' }));
  expect(await errorOf(update('double'))).toMatchObject({ name: 'InvalidRequest' });
});

it('torrents are no more', async () => {
  await using env = await s3Emulator();
  const { s3 } = env;
  await s3.send(new S3.CreateBucketCommand({ Bucket }));
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
  const torrent = (Key: string) => errorOf(s3.send(new S3.GetObjectTorrentCommand({ Bucket, Key })));
  expect(await torrent('k')).toMatchObject({ name: 'MethodNotAllowed', $metadata: { httpStatusCode: 405 } });
  expect(await torrent('nothing')).toMatchObject({ name: 'NoSuchKey' });
});
