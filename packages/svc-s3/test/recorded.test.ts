import { createHash } from 'node:crypto';
import { S3 } from '@aws-sdk/client-s3';
import { sendRaw as sendUnsigned } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf, refusalOf, s3Emulator, sendRaw } from './helpers.ts';

// Recorded responses of AWS that differ from its documentation.
const Bucket = 'a-bucket';
let env: Awaited<ReturnType<typeof s3Emulator>>;
let s3: S3;
beforeAll(async () => {
  env = await s3Emulator();
  s3 = new S3(env.emulator.clientConfig());
  await s3.createBucket({ Bucket });
});
afterAll(() => env[Symbol.asyncDispose]());

const TagSet = [{ Key: 'a', Value: 'b' }];

test('HEAD returns the number of tags like GET', async () => {
  await s3.putObject({ Bucket, Key: 'tagged', Tagging: 'a=1&&b' });
  expect((await s3.getObjectTagging({ Bucket, Key: 'tagged' })).TagSet).toEqual([
    { Key: 'a', Value: '1' },
    { Key: 'b', Value: '' },
  ]);
  expect((await s3.headObject({ Bucket, Key: 'tagged' })).TagCount).toBe(2);
  await s3.deleteObjectTagging({ Bucket, Key: 'tagged' });
  expect((await s3.headObject({ Bucket, Key: 'tagged' })).TagCount).toBeUndefined();
});

test('an invalid version id is an invalid argument rather than a missing version', async () => {
  await s3.putObject({ Bucket, Key: 'k' });
  const error = await errorOf(s3.getObject({ Bucket, Key: 'k', VersionId: 'HPniJFCxqTsMuIH9KX8K8wEjNUgmABCD' }));
  expect(error).toMatchObject({ name: 'InvalidArgument', message: 'Invalid version id specified' });
  expect(error.$metadata.httpStatusCode).toBe(400);
  expect((await s3.getObject({ Bucket, Key: 'k', VersionId: 'null' })).ETag).toBeDefined();
});

test('setting operations respond without content', async () => {
  const status = async (put: Promise<{ $metadata: { httpStatusCode?: number | undefined } }>) =>
    (await put).$metadata.httpStatusCode;
  expect(await status(s3.putBucketTagging({ Bucket, Tagging: { TagSet } }))).toBe(204);
  const AnalyticsConfiguration = { Id: 'm', StorageClassAnalysis: {} };
  expect(await status(s3.putBucketAnalyticsConfiguration({ Bucket, Id: 'm', AnalyticsConfiguration }))).toBe(204);
  const Principal = { AWS: '123456789012' };
  const statement = { Effect: 'Allow', Principal, Action: 's3:GetObject', Resource: `arn:aws:s3:::${Bucket}/*` };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  expect(await status(s3.putBucketPolicy({ Bucket, Policy }))).toBe(204);
  expect((await s3.getBucketPolicy({ Bucket })).Policy).toBe(Policy);
});

test('a document without tags clears them; a missing document is rejected', async () => {
  await s3.putBucketTagging({ Bucket, Tagging: { TagSet } });
  const empty = ['<Tagging xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>'];
  const digest = { 'content-md5': createHash('md5').update(empty[0]!).digest('base64') };
  expect((await sendRaw(env.emulator, 'PUT', `/${Bucket}?tagging`, digest, empty)).status).toBe(204);
  expect(await refusalOf(s3.getBucketTagging({ Bucket }))).toBe('NoSuchTagSet: The TagSet does not exist');
  await s3.putObject({ Bucket, Key: 'k', Tagging: 'a=b' });
  await s3.putObjectTagging({ Bucket, Key: 'k', Tagging: {} as never });
  expect((await s3.getObjectTagging({ Bucket, Key: 'k' })).TagSet ?? []).toEqual([]);
  expect(await refusalOf(s3.putBucketTagging({ Bucket, Tagging: undefined as never }))).toBe(
    'MissingRequestBodyError: Request Body is empty',
  );
  expect(await refusalOf(s3.putBucketPolicy({ Bucket, Policy: '' }))).toBe(
    "MalformedPolicy: Policies must be valid JSON and the first byte must be '{'",
  );
});

test('a repeated creation in us-east-1 succeeds unless it has tags', async () => {
  expect((await s3.createBucket({ Bucket })).Location).toBe(`/${Bucket}`);
  expect(await refusalOf(s3.createBucket({ Bucket, CreateBucketConfiguration: { Tags: TagSet } }))).toMatch(
    /^BucketAlreadyOwnedByYou: /,
  );
});

test('regions reject locations of others; eu-west-1 accepts EU', async () => {
  const ireland = new S3(env.emulator.clientConfig({ region: 'eu-west-1' }));
  const made = (client: S3, name: string, location: string) =>
    client.createBucket({ Bucket: name, CreateBucketConfiguration: { LocationConstraint: location as never } });
  for (const location of ['us-east-1', 'bar', 'aws-global'])
    expect(await refusalOf(made(ireland, 'elsewhere', location))).toBe(
      `IllegalLocationConstraintException: The ${location} location constraint is incompatible for the region specific endpoint this request was sent to.`,
    );
  expect(await refusalOf(made(s3, 'elsewhere', 'us-east-1'))).toMatch(/^InvalidLocationConstraint: /);
  await made(ireland, 'irish', 'EU');
  expect((await ireland.getBucketLocation({ Bucket: 'irish' })).LocationConstraint).toBe('EU');
  expect((await ireland.headBucket({ Bucket: 'irish' })).BucketRegion).toBe('eu-west-1');
});

test('a range over the whole object returns its checksum', async () => {
  await s3.putObject({ Bucket, Key: 'r', Body: '0123456789', ChecksumAlgorithm: 'CRC32' });
  const part = (Range: string) => s3.getObject({ Bucket, Key: 'r', Range, ChecksumMode: 'ENABLED' });
  for (const range of ['bytes=0-100', 'bytes=-15', 'bytes=0-9'])
    expect(await part(range), range).toMatchObject({ ChecksumCRC32: 'poTHxg==', ContentRange: 'bytes 0-9/10' });
  expect((await part('bytes=0-8')).ChecksumCRC32).toBeUndefined();
});

test('rules without required members are malformed documents', async () => {
  const rule = { ID: 'x', Status: 'Enabled' as const, Expiration: { Days: 7 } };
  expect(
    await refusalOf(s3.putBucketLifecycleConfiguration({ Bucket, LifecycleConfiguration: { Rules: [rule] } })),
  ).toMatch(/^MalformedXML: /);
  for (const filter of [{}, { Name: 'prefix' as const }, { Value: 'x' }]) {
    const QueueArn = 'arn:aws:sqs:us-east-1:123456789012:q';
    const queue = { QueueArn, Events: ['s3:ObjectCreated:*' as const], Filter: { Key: { FilterRules: [filter] } } };
    const NotificationConfiguration = { QueueConfigurations: [queue] };
    expect(await refusalOf(s3.putBucketNotificationConfiguration({ Bucket, NotificationConfiguration }))).toMatch(
      /^MalformedXML: /,
    );
  }
});

test('reports past dates in Pacific time', async () => {
  await s3.createBucket({ Bucket: 'locked', ObjectLockEnabledForBucket: true });
  await s3.putObject({ Bucket: 'locked', Key: 'k' });
  const past = (RetainUntilDate: Date) =>
    errorOf(s3.putObjectRetention({ Bucket: 'locked', Key: 'k', Retention: { Mode: 'GOVERNANCE', RetainUntilDate } }));
  expect(await past(new Date('2020-01-01T00:00:00Z'))).toMatchObject({
    name: 'InvalidArgument',
    ArgumentValue: 'Tue Dec 31 16:00:00 PST 2019',
  });
  expect(await past(new Date('2020-07-01T07:00:05Z'))).toMatchObject({ ArgumentValue: 'Wed Jul 01 00:00:05 PDT 2020' });
});

test('rejects another checksum type in a completion before it checks parts', async () => {
  const { UploadId } = await s3.createMultipartUpload({ Bucket, Key: 'm', ChecksumAlgorithm: 'CRC32' });
  const { ETag } = await s3.uploadPart({ Bucket, Key: 'm', UploadId, PartNumber: 1, Body: 'x' });
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  expect(
    await refusalOf(
      s3.completeMultipartUpload({ Bucket, Key: 'm', UploadId, ChecksumType: 'FULL_OBJECT', MultipartUpload }),
    ),
  ).toBe(
    'InvalidRequest: The upload was created using the COMPOSITE checksum mode. The complete request must use the same checksum mode.',
  );
});

test('forms and preflights have request ids; rejects forms of another type', async () => {
  const headers = { host: 's3.us-east-1.amazonaws.com', 'content-type': 'text/html' };
  const post = await sendUnsigned(env.emulator, { method: 'POST', target: `/${Bucket}`, headers, chunks: ['key=k'] });
  expect(post).toMatchObject({ status: 412, text: expect.stringContaining('<Code>PreconditionFailed</Code>') });
  expect(post.text).toContain('<Condition>Bucket POST must be of the enclosure-type multipart/form-data</Condition>');
  expect((await sendRaw(env.emulator, 'POST', `/${Bucket}?delete`, { 'content-type': 'text/xml' }, ['<x>'])).code).toBe(
    'MalformedXML',
  );
  const CORSRules = [{ AllowedMethods: ['GET'], AllowedOrigins: ['*'] }];
  await s3.putBucketCors({ Bucket, CORSConfiguration: { CORSRules } });
  const response = await env.emulator.gateway.handle({
    method: 'OPTIONS',
    target: `/${Bucket}/k`,
    headers: {
      host: 's3.us-east-1.amazonaws.com',
      origin: 'http://localhost:3000',
      'access-control-request-method': 'GET',
    },
    body: { bytes: async () => new Uint8Array(), stream: async function* () {} },
    remoteAddress: '127.0.0.1',
    localPort: 4566,
    secure: false,
    signal: () => new AbortController().signal,
  });
  expect(response).toMatchObject({ status: 200, headers: { 'x-amz-id-2': expect.stringMatching(/.{40}/) } });
});

test('reports a missing key with its bucket in tag operations', async () => {
  const input = { Bucket, Key: 'fake-key' };
  const missing = { name: 'NoSuchKey', message: 'The specified key does not exist.' };
  expect(await errorOf(s3.getObjectTagging(input))).toMatchObject({ ...missing, Key: `${Bucket}/fake-key` });
  for (const other of [s3.deleteObjectTagging(input), s3.putObjectTagging({ ...input, Tagging: { TagSet } })])
    expect(await errorOf(other)).toMatchObject({ ...missing, Key: 'fake-key' });
});

test('rejects an unknown ACL without message, in a separate element', async () => {
  const refused = await sendRaw(env.emulator, 'PUT', `/${Bucket}?acl`, { 'x-amz-acl': 'fake-acl' }, []);
  expect(refused).toMatchObject({ status: 400, code: 'InvalidArgument' });
  expect(refused.text).toMatch(/<Code>InvalidArgument<\/Code><Message(\/>|><\/Message>)<ArgumentName>x-amz-acl</);
});

test('accepts only existing regions for buckets', async () => {
  const error = await errorOf(s3.listBuckets({ BucketRegion: 'eu-east-1' }));
  expect(error).toMatchObject({
    name: 'InvalidArgument',
    message: 'Argument value eu-east-1 is not a valid AWS Region',
    ArgumentName: 'bucket-region',
  });
  expect(error).not.toHaveProperty('ArgumentValue');
  expect((await s3.listBuckets({ BucketRegion: 'eu-west-2' })).Buckets ?? []).toEqual([]);
});

test('log grants may have any permission', async () => {
  const TargetGrants = (['READ_ACP', 'WRITE'] as const).map((Permission) => ({
    Grantee: { Type: 'Group' as const, URI: 'http://acs.amazonaws.com/groups/s3/LogDelivery' },
    Permission: Permission as 'WRITE',
  }));
  const LoggingEnabled = { TargetBucket: Bucket, TargetPrefix: 'log', TargetGrants };
  await s3.putBucketLogging({ Bucket, BucketLoggingStatus: { LoggingEnabled } });
  expect((await s3.getBucketLogging({ Bucket })).LoggingEnabled).toEqual(LoggingEnabled);
});

test("the slash after a copy source's bucket may be encoded", async () => {
  await s3.putObject({ Bucket, Key: 'dir/a b', Body: 'x' });
  for (const path of ['dir%2Fa+b', 'dir/a%20b']) {
    await s3.copyObject({ Bucket, Key: path, CopySource: `${Bucket}%2F${path}` });
    expect(await (await s3.getObject({ Bucket, Key: path })).Body?.transformToString()).toBe('x');
  }
});
