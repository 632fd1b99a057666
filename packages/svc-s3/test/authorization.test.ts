import * as S3 from '@aws-sdk/client-s3';
import {
  createTestEmulator,
  type PolicyStatement,
  policyText,
  type TestEmulator,
  TestIdentities,
} from '@emu/gateway/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { errorOf } from './helpers.ts';

const ACCOUNT = '123456789012';
const OTHER = '000000000002';
const Bucket = 'a-bucket';
const objects = `arn:aws:s3:::${Bucket}/*`;

let identities: TestIdentities;
let emulator: TestEmulator;
let root: S3.S3Client;

const client = (options: Parameters<TestEmulator['clientConfig']>[0] = {}): S3.S3Client =>
  new S3.S3Client(emulator.clientConfig(options));
const as = (name: string, may: PolicyStatement[] = [], accountId = ACCOUNT): S3.S3Client =>
  client(identities.user(emulator, name, { may, accountId }));
const allow = (
  Action: string | string[],
  Resource: string | string[] = objects,
  rest: PolicyStatement = {},
): PolicyStatement => ({ Effect: 'Allow', Action, Resource, ...rest });
const put = (s3: S3.S3Client, Key = 'k', extra: Partial<S3.PutObjectCommandInput> = {}) =>
  s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: 'x', ...extra }));
const get = (s3: S3.S3Client, Key = 'k') => s3.send(new S3.GetObjectCommand({ Bucket, Key }));
const setPolicy = (...statements: PolicyStatement[]) =>
  root.send(new S3.PutBucketPolicyCommand({ Bucket, Policy: policyText(statements) }));

beforeEach(async () => {
  identities = new TestIdentities();
  emulator = await createTestEmulator({
    manifests: [manifest, identities.manifest],
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  root = client();
  await root.send(new S3.CreateBucketCommand({ Bucket }));
  await put(root);
});
afterEach(() => emulator.close());

test("users may what their policies say, by S3's names of actions", async () => {
  const denied = await errorOf(get(as('jane')));
  expect(denied).toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
  expect(denied.message).toBe(
    `User: arn:aws:iam::${ACCOUNT}:user/jane is not authorized to perform: s3:GetObject on resource: "arn:aws:s3:::${Bucket}/k" because no identity-based policy allows the s3:GetObject action`,
  );
  const reader = as('reader', [allow('s3:GetObject')]);
  await get(reader);
  expect(await errorOf(put(reader))).toMatchObject({ name: 'AccessDenied' });
  expect(await errorOf(reader.send(new S3.ListObjectsV2Command({ Bucket })))).toMatchObject({ name: 'AccessDenied' });
  const lister = as('lister', [
    allow('s3:ListBucket', `arn:aws:s3:::${Bucket}`, { Condition: { StringEquals: { 's3:prefix': 'in/' } } }),
  ]);
  await lister.send(new S3.ListObjectsV2Command({ Bucket, Prefix: 'in/' }));
  expect(await errorOf(lister.send(new S3.ListObjectsV2Command({ Bucket, Prefix: 'out/' })))).toMatchObject({
    name: 'AccessDenied',
  });
  const writer = as('writer', [allow('s3:PutObject')]);
  await put(writer);
  expect(await errorOf(put(writer, 'k', { Tagging: 'a=1' }))).toMatchObject({ name: 'AccessDenied' });
  const copier = as('copier', [allow('s3:PutObject')]);
  const copy = (s3: S3.S3Client): Promise<unknown> =>
    s3.send(new S3.CopyObjectCommand({ Bucket, Key: 'c', CopySource: `${Bucket}/k` }));
  expect(await errorOf(copy(copier))).toMatchObject({ name: 'AccessDenied' });
  await copy(as('copier', [allow(['s3:PutObject', 's3:GetObject'])]));
});

test('bucket policies let other accounts in, with their own policies, and deny', async () => {
  const other = as('bob', [allow('s3:*', '*')], OTHER);
  expect(await errorOf(get(other))).toMatchObject({ name: 'AccessDenied' });
  await setPolicy(allow('s3:GetObject', objects, { Principal: { AWS: `arn:aws:iam::${OTHER}:root` } }));
  await get(other);
  expect(await errorOf(get(as('eve', [], OTHER)))).toMatchObject({ name: 'AccessDenied' });
  await setPolicy({
    Effect: 'Deny',
    Principal: '*',
    Action: 's3:PutObject',
    Resource: objects,
    Condition: { Null: { 's3:x-amz-server-side-encryption': 'true' } },
  });
  const jane = as('jane', [allow('s3:*', '*')]);
  expect(await errorOf(put(jane))).toMatchObject({ name: 'AccessDenied' });
  await put(jane, 'k', { ServerSideEncryption: 'AES256' });
  const { Deleted } = await jane.send(new S3.DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'k' }] } }));
  expect(Deleted).toEqual([{ Key: 'k' }]);
});

test('DeleteObjects does what is allowed and tells of the rest', async () => {
  const some = as('some', [allow('s3:DeleteObject', `arn:aws:s3:::${Bucket}/mine/*`)]);
  await put(root, 'mine/a');
  await put(root, 'theirs/a');
  const Objects = [{ Key: 'mine/a' }, { Key: 'theirs/a' }];
  const { Deleted, Errors } = await some.send(new S3.DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(Deleted).toEqual([{ Key: 'mine/a' }]);
  expect(Errors).toMatchObject([
    { Key: 'theirs/a', Code: 'AccessDenied', Message: expect.stringContaining('s3:DeleteObject on resource') },
  ]);
  await root.send(new S3.HeadObjectCommand({ Bucket, Key: 'theirs/a' }));
});

test('ACLs let others in where the bucket knows them', async () => {
  const name = 'acl-bucket';
  await root.send(new S3.CreateBucketCommand({ Bucket: name, ObjectOwnership: 'ObjectWriter' }));
  await root.send(new S3.DeletePublicAccessBlockCommand({ Bucket: name }));
  await root.send(new S3.PutObjectCommand({ Bucket: name, Key: 'open', Body: 'x', ACL: 'authenticated-read' }));
  await root.send(new S3.PutObjectCommand({ Bucket: name, Key: 'closed', Body: 'x' }));
  const bob = as('bob', [allow('s3:*', '*')], OTHER);
  await bob.send(new S3.GetObjectCommand({ Bucket: name, Key: 'open' }));
  expect(await errorOf(bob.send(new S3.GetObjectCommand({ Bucket: name, Key: 'closed' })))).toMatchObject({
    name: 'AccessDenied',
  });
});

test('only who may list a bucket is told that an object is not there', async () => {
  const reader = as('reader', [allow('s3:GetObject')]);
  const denied = await errorOf(get(reader, 'none'));
  expect(denied).toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
  expect(denied.message).toBe(
    `User: arn:aws:iam::${ACCOUNT}:user/reader is not authorized to perform: s3:ListBucket on resource: "arn:aws:s3:::${Bucket}" because no identity-based policy allows the s3:ListBucket action`,
  );
  const head = (s3: S3.S3Client, Key: string) => s3.send(new S3.HeadObjectCommand({ Bucket, Key }));
  expect(await errorOf(head(reader, 'none'))).toMatchObject({ $metadata: { httpStatusCode: 403 } });
  const copier = as('copier', [allow(['s3:GetObject', 's3:PutObject'])]);
  const copy = copier.send(new S3.CopyObjectCommand({ Bucket, Key: 'c', CopySource: `${Bucket}/none` }));
  expect(await errorOf(copy)).toMatchObject({ name: 'AccessDenied' });

  const lister = as('lister', [allow('s3:GetObject'), allow('s3:ListBucket', `arn:aws:s3:::${Bucket}`)]);
  expect(await errorOf(get(lister, 'none'))).toMatchObject({ name: 'NoSuchKey' });
  expect(await errorOf(head(lister, 'none'))).toMatchObject({ $metadata: { httpStatusCode: 404 } });
  await get(reader);

  // A key whose newest version is a delete marker is not there either.
  const Status = 'Enabled' as const;
  await root.send(new S3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
  await root.send(new S3.DeleteObjectCommand({ Bucket, Key: 'k' }));
  expect(await errorOf(get(reader))).toMatchObject({ name: 'AccessDenied' });
  expect(await errorOf(get(lister))).toMatchObject({ name: 'NoSuchKey' });
});

test('policies name no users and roles that the account does not have', async () => {
  const naming = (AWS: string) =>
    setPolicy({ Effect: 'Allow', Principal: { AWS }, Action: 's3:GetObject', Resource: objects });
  expect(await errorOf(naming(`arn:aws:iam::${ACCOUNT}:role/nobody`))).toMatchObject({
    name: 'MalformedPolicy',
    message: 'Invalid principal in policy',
  });
  await naming(`arn:aws:iam::${OTHER}:role/somebody`);
  await naming(identities.role('app'));
});

test('whoever has a bucket replicated by a role may pass it to S3', async () => {
  const Role = identities.role('replicator');
  const replicate = (s3: S3.S3Client) =>
    errorOf(
      s3.send(
        new S3.PutBucketReplicationCommand({
          Bucket,
          ReplicationConfiguration: {
            Role,
            Rules: [{ Status: 'Enabled', Prefix: '', Destination: { Bucket: 'arn:aws:s3:::other' } }],
          },
        }),
      ),
    );
  expect((await replicate(as('jane', [allow('s3:*', '*')]))).message).toContain(
    `is not authorized to perform: iam:PassRole on resource: "${Role}"`,
  );
  expect((await replicate(as('june', [allow(['s3:*', 'iam:PassRole'], '*')]))).name).not.toBe('AccessDenied');
});
