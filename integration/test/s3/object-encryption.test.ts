import { CreateKeyCommand, DisableKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import * as S3 from '@aws-sdk/client-s3';

import { TestIdentities } from '@emu/gateway/testing';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { expect, it } from 'vitest';
import { errorOf, s3Emulator } from '../../../packages/svc-s3/test/helpers.ts';

const Bucket = 'a-bucket';

it('the encryption of an object changes in place', async () => {
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

it('torrents are no longer supported', async () => {
  await using env = await s3Emulator();
  const { s3 } = env;
  await s3.send(new S3.CreateBucketCommand({ Bucket }));
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
  const torrent = (Key: string) => errorOf(s3.send(new S3.GetObjectTorrentCommand({ Bucket, Key })));
  expect(await torrent('k')).toMatchObject({ name: 'MethodNotAllowed', $metadata: { httpStatusCode: 405 } });
  expect(await torrent('nothing')).toMatchObject({ name: 'NoSuchKey' });
});

it('data keys are generated as the caller', async () => {
  const identities = new TestIdentities();
  await using env = await s3Emulator({
    others: [kms, identities.manifest],
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const { s3: root, emulator } = env;
  const keys = new KMSClient(emulator.clientConfig());
  const KeyId = (await keys.send(new CreateKeyCommand({}))).KeyMetadata!.Arn!;
  await root.send(new S3.CreateBucketCommand({ Bucket }));
  await root.send(
    new S3.PutBucketEncryptionCommand({
      Bucket,
      ServerSideEncryptionConfiguration: {
        Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: KeyId } }],
      },
    }),
  );
  const as = (name: string, ...actions: string[]) => {
    const may = [{ Effect: 'Allow' as const, Action: ['s3:*', ...actions], Resource: '*' }];
    return new S3.S3Client(emulator.clientConfig(identities.user(emulator, name, { may })));
  };
  const [jane, writer, reader] = [as('jane'), as('writer', 'kms:GenerateDataKey'), as('reader', 'kms:Decrypt')];
  const put = (s3: S3.S3Client, input: Partial<S3.PutObjectCommandInput> = {}) =>
    s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x', ...input }));
  const get = (s3: S3.S3Client) => s3.send(new S3.GetObjectCommand({ Bucket, Key: 'k' }));
  const copy = (s3: S3.S3Client) =>
    s3.send(new S3.CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/k` }));
  const denied = (action: string, user: string) => ({
    name: 'AccessDenied',
    message: `User: arn:aws:iam::${user} is not authorized to perform: kms:${action} on resource: ${KeyId} because no identity-based policy allows the kms:${action} action`,
    $metadata: { httpStatusCode: 403 },
  });
  const account = /:(\d{12}):/.exec(KeyId)![1]!;
  expect(await errorOf(put(jane))).toMatchObject(denied('GenerateDataKey', `${account}:user/jane`));
  await put(writer);
  await jane.send(new S3.HeadObjectCommand({ Bucket, Key: 'k' }));
  expect(await errorOf(get(writer))).toMatchObject(denied('Decrypt', `${account}:user/writer`));
  expect(await errorOf(copy(writer))).toMatchObject(denied('Decrypt', `${account}:user/writer`));
  expect(await errorOf(copy(reader))).toMatchObject(denied('GenerateDataKey', `${account}:user/reader`));
  expect(await (await get(reader)).Body!.transformToString()).toBe('x');

  const { UploadId } = await writer.send(new S3.CreateMultipartUploadCommand({ Bucket, Key: 'parts' }));
  const part = (s3: S3.S3Client) =>
    s3.send(new S3.UploadPartCommand({ Bucket, Key: 'parts', UploadId, PartNumber: 1, Body: 'x' }));
  expect(await errorOf(part(writer))).toMatchObject(denied('Decrypt', `${account}:user/writer`));
  const { ETag } = await part(reader);
  const complete = (s3: S3.S3Client) =>
    s3.send(
      new S3.CompleteMultipartUploadCommand({
        Bucket,
        Key: 'parts',
        UploadId,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
      }),
    );
  expect(await errorOf(complete(writer))).toMatchObject(denied('Decrypt', `${account}:user/writer`));
  await complete(reader);

  const explicit = { ServerSideEncryption: 'aws:kms' as const, SSEKMSKeyId: KeyId };
  const pairs = Buffer.from('{"team":"blue"}').toString('base64');
  await put(root, { ...explicit, Key: 'context', SSEKMSEncryptionContext: pairs });
  await put(root, { ...explicit, Key: 'bucket-key', BucketKeyEnabled: true });
  expect(await errorOf(put(root, { ...explicit, SSEKMSEncryptionContext: 'WzFd' }))).toMatchObject({
    name: 'InvalidArgument',
  });
  const { json } = await emulator.control('GET', '/_emulator/kms/usage');
  const { usage } = json as { usage: { operation: string; encryptionContext?: object }[] };
  const made = usage.filter(({ operation }) => operation === 'GenerateDataKey');
  expect(made.map(({ encryptionContext }) => encryptionContext)).toEqual([
    { 'aws:s3:arn': `arn:aws:s3:::${Bucket}/k` },
    { 'aws:s3:arn': `arn:aws:s3:::${Bucket}/parts` },
    { 'aws:s3:arn': `arn:aws:s3:::${Bucket}/context`, team: 'blue' },
    { 'aws:s3:arn': `arn:aws:s3:::${Bucket}` },
  ]);
  expect(made[0]).toMatchObject({ principal: `arn:aws:iam::${account}:user/writer`, keyArn: KeyId });

  await keys.send(new DisableKeyCommand({ KeyId }));
  for (const request of [get(root), put(root), copy(root)])
    expect(await errorOf(request)).toMatchObject({ name: 'KMS.DisabledException', message: `${KeyId} is disabled.` });
});
