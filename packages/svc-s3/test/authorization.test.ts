import { once } from 'node:events';
import { connect } from 'node:net';
import * as S3 from '@aws-sdk/client-s3';
import {
  createTestEmulator,
  type PolicyStatement,
  policyText,
  sendRaw,
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

test("identity policies permit operations by S3's action names", async () => {
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

test('bucket policies grant access to other accounts, together with their own policies, and deny access', async () => {
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

test('DeleteObjects deletes what is allowed and reports the rest', async () => {
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

test('DeleteObjects reports the key that a bucket policy denies, with 200, and deletes the others', async () => {
  const kept = `arn:aws:s3:::${Bucket}/kept`;
  await setPolicy({ Effect: 'Deny', Principal: '*', Action: 's3:DeleteObject', Resource: kept });
  for (const Key of ['a', 'kept', 'z']) await put(root, Key);
  const Objects = ['a', 'kept', 'z'].map((Key) => ({ Key }));
  const jane = as('jane', [allow('s3:DeleteObject')]);
  const { $metadata, Deleted, Errors } = await jane.send(new S3.DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect($metadata.httpStatusCode).toBe(200);
  expect(Deleted).toEqual([{ Key: 'a' }, { Key: 'z' }]);
  expect(Errors).toEqual([{ Key: 'kept', Code: 'AccessDenied', Message: expect.stringContaining(`"${kept}"`) }]);
  const { Contents } = await root.send(new S3.ListObjectsV2Command({ Bucket }));
  expect(Contents?.map(({ Key }) => Key)).toEqual(['k', 'kept']);
});

test('ACLs grant access if the bucket has them enabled', async () => {
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

test('only callers that may list a bucket see that an object is missing', async () => {
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

  // A key whose newest version is a delete marker counts as missing.
  const Status = 'Enabled' as const;
  await root.send(new S3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
  await root.send(new S3.DeleteObjectCommand({ Bucket, Key: 'k' }));
  expect(await errorOf(get(reader))).toMatchObject({ name: 'AccessDenied' });
  expect(await errorOf(get(lister))).toMatchObject({ name: 'NoSuchKey' });
});

test('rejects policies that name missing users and roles of the account', async () => {
  const naming = (AWS: string) =>
    setPolicy({ Effect: 'Allow', Principal: { AWS }, Action: 's3:GetObject', Resource: objects });
  expect(await errorOf(naming(`arn:aws:iam::${ACCOUNT}:role/nobody`))).toMatchObject({
    name: 'MalformedPolicy',
    message: 'Invalid principal in policy',
  });
  await naming(`arn:aws:iam::${OTHER}:role/somebody`);
  await naming(identities.role('app'));
});

test('permissions are decided before 100 Continue is sent', async () => {
  const listener = await emulator.gateway.listen();
  const accessKeyOf = (name: string, may: PolicyStatement[] = []) =>
    identities.user(emulator, name, { may }).accessKeyId;
  const first = async (accessKeyId: string, method: string, target: string, more = ''): Promise<string> => {
    const socket = connect(listener.port, '127.0.0.1');
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0`;
    const head = { host: 'localhost', expect: '100-continue', 'content-length': '1', authorization };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}${more}\r\n`);
    const [chunk] = await once(socket, 'data');
    socket.destroy();
    return String(chunk).split('\r\n', 1)[0]!;
  };
  const { UploadId } = await root.send(new S3.CreateMultipartUploadCommand({ Bucket, Key: 'k' }));
  const [jane, writer] = [accessKeyOf('jane'), accessKeyOf('writer', [allow('s3:PutObject')])];
  const part = `/${Bucket}/k?partNumber=1&uploadId=${UploadId}`;
  for (const [target, more] of [
    [`/${Bucket}/k`],
    [part],
    [`/${Bucket}/k`, 'x-amz-acl: public-read\r\n'],
    [`/${Bucket}/k`, 'content-encoding: aws-chunked\r\nx-amz-decoded-content-length: 1\r\n'],
  ] as const)
    expect(await first(jane!, 'PUT', target, more)).toBe('HTTP/1.1 403 Forbidden');
  for (const target of [`/${Bucket}/k`, part])
    expect(await first(writer!, 'PUT', target)).toBe('HTTP/1.1 100 Continue');
  // The permission to set the ACL is another one.
  expect(await first(writer!, 'PUT', `/${Bucket}/k`, 'x-amz-acl: public-read\r\n')).toBe('HTTP/1.1 403 Forbidden');
  await listener.close();
});

test('replication requires permission to pass the role to S3', async () => {
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
  const pausing = (value: string) => {
    const Condition = { Bool: { 's3:isReplicationPauseRequest': value } };
    return as(`pauser-${value}`, [allow('s3:*', '*', { Condition })]);
  };
  expect((await replicate(pausing('true'))).message).toContain('to perform: s3:PutReplicationConfiguration');
  expect((await replicate(pausing('false'))).message).toContain('to perform: iam:PassRole');
});

test('bucket tags grant permissions once ABAC is enabled', async () => {
  await root.send(new S3.PutBucketTaggingCommand({ Bucket, Tagging: { TagSet: [{ Key: 'Team', Value: 'blue' }] } }));
  const may = (key: string) => [allow('s3:GetObject', objects, { Condition: { StringEquals: { [key]: 'blue' } } })];
  const readers = [as('one', may('aws:ResourceTag/Team')), as('two', may('s3:BucketTag/Team'))];
  for (const reader of readers) expect(await errorOf(get(reader))).toMatchObject({ name: 'AccessDenied' });
  await root.send(new S3.PutBucketAbacCommand({ Bucket, AbacStatus: { Status: 'Enabled' } }));
  for (const reader of readers) await get(reader);
  expect(await errorOf(root.send(new S3.DeleteBucketTaggingCommand({ Bucket })))).toMatchObject({
    name: 'InvalidRequest',
  });
});

const DAY = 86_400_000;
const inTenDays = () => new Date(Date.now() + 10 * DAY + DAY / 2);
const upload = (input: Partial<S3.PutObjectCommandInput>) => (s3: S3.S3Client) => put(s3, 'k', input);
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const onBucket = `arn:aws:s3:::${Bucket}`;
const presigned = async (s3: S3.S3Client): Promise<void> => {
  const { accessKeyId } = await s3.config.credentials();
  const now = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const query = new URLSearchParams({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${now.slice(0, 8)}/us-east-1/s3/aws4_request`,
    'X-Amz-Date': now,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': '0'.repeat(64),
  });
  const headers = { host: 's3.us-east-1.amazonaws.com' };
  const { status, text } = await sendRaw(emulator, { method: 'GET', target: `/${Bucket}/k?${query}`, headers });
  if (status !== 200) throw Object.assign(new Error(text), { name: /<Code>(\w+)/.exec(text)?.[1] });
};

// A key, a value that the request has and one that it has not, and the request.
test.each<[string, string, string, string, (s3: S3.S3Client) => Promise<unknown>, string?]>([
  ['authType', 'REST-HEADER', 'REST-QUERY-STRING', 's3:PutObject', upload({})],
  ['authType', 'REST-QUERY-STRING', 'POST', 's3:GetObject', presigned],
  ['signatureversion', 'AWS4-HMAC-SHA256', 'AWS', 's3:PutObject', upload({})],
  ['signatureversion', 'AWS4-HMAC-SHA256', 'AWS', 's3:GetObject', presigned],
  ['signatureAge', '60000', '-1', 's3:GetObject', presigned, 'NumericLessThan'],
  ['x-amz-content-sha256', EMPTY_SHA256, 'UNSIGNED-PAYLOAD', 's3:GetObject', (s3) => get(s3)],
  [
    'x-amz-server-side-encryption-customer-algorithm',
    'AES256',
    'DES',
    's3:PutObject',
    upload({ SSECustomerAlgorithm: 'AES256', SSECustomerKey: 'k'.repeat(32) }),
  ],
  ['x-amz-grant-read', 'id="a"', 'id="b"', 's3:PutObject*', upload({ GrantRead: 'id="a"' })],
  ['x-amz-website-redirect-location', '/a', '/b', 's3:PutObject', upload({ WebsiteRedirectLocation: '/a' })],
  ['if-none-match', '*', 'x', 's3:PutObject', (s3) => put(s3, `new-${performance.now()}`, { IfNoneMatch: '*' })],
  ['ObjectCreationOperation', 'true', 'false', 's3:PutObject', upload({})],
  [
    'ObjectCreationOperation',
    'false',
    'true',
    's3:PutObject',
    (s3) => s3.send(new S3.CreateMultipartUploadCommand({ Bucket, Key: 'k' })),
  ],
  [
    'x-amz-metadata-directive',
    'REPLACE',
    'COPY',
    's3:PutObject',
    (s3) =>
      s3.send(new S3.CopyObjectCommand({ Bucket, Key: 'k', CopySource: `${Bucket}/k`, MetadataDirective: 'REPLACE' })),
  ],
  [
    'RequestObjectTag/a',
    'b',
    'c',
    's3:PutObjectTagging',
    (s3) =>
      s3.send(new S3.PutObjectTaggingCommand({ Bucket, Key: 'k', Tagging: { TagSet: [{ Key: 'a', Value: 'b' }] } })),
  ],
  [
    'x-amz-object-ownership',
    'ObjectWriter',
    'BucketOwnerEnforced',
    's3:PutBucketOwnershipControls',
    (s3) =>
      s3.send(
        new S3.PutBucketOwnershipControlsCommand({
          Bucket,
          OwnershipControls: { Rules: [{ ObjectOwnership: 'ObjectWriter' }] },
        }),
      ),
  ],
])('supports the condition key s3:%s: %s', async (key, value, other, action, request, operator = 'StringEquals') => {
  await root.send(
    new S3.PutBucketOwnershipControlsCommand({
      Bucket,
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerPreferred' }] },
    }),
  );
  const may = (wanted: string) => [
    // A copy also reads its source.
    ...(action === 's3:PutObject' ? [allow('s3:GetObject')] : []),
    allow(action, [objects, onBucket], { Condition: { [operator]: { [`s3:${key}`]: wanted } } }),
  ];
  await request(as('right', may(value))).catch((error: Error) => expect(error.name).not.toBe('AccessDenied'));
  expect(await errorOf(request(as('wrong', may(other))))).toMatchObject({ name: 'AccessDenied' });
});

test('supports conditions on the remaining retention', async () => {
  const lock = (s3: S3.S3Client, until = inTenDays()) =>
    put(s3, 'k', { ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: until });
  const within = { NumericLessThanEquals: { 's3:object-lock-remaining-retention-days': '10' } };
  const locker = as('locker', [allow(['s3:PutObject', 's3:PutObjectRetention'], objects, { Condition: within })]);
  // The bucket has no lock, an error for callers with the permission.
  expect(await errorOf(lock(locker))).toMatchObject({ name: 'InvalidRequest' });
  const longer = new Date(inTenDays().getTime() + DAY);
  expect(await errorOf(lock(locker, longer))).toMatchObject({ name: 'AccessDenied' });
});
