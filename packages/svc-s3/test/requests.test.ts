import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as S3 from '@aws-sdk/client-s3';
import { sendRaw as sendUnsigned } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorOf, refusalOf, SIGNED, s3Emulator, sendRaw } from './helpers.ts';

const Bucket = 'requests';
let env: Awaited<ReturnType<typeof s3Emulator>>;
let s3: S3.S3Client;
beforeAll(async () => {
  env = await s3Emulator();
  s3 = env.s3;
  await s3.send(new S3.CreateBucketCommand({ Bucket }));
});
afterAll(() => env[Symbol.asyncDispose]());

const put = (Key: string, more: Partial<S3.PutObjectCommandInput> = {}) =>
  s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: 'x', ...more }));
const raw = (method: string, target: string, headers: Record<string, string> = {}, body: string[] = []) =>
  sendRaw(env.emulator, method, target, headers, body);

it('requires a body length in advance', async () => {
  for (const coding of ['chunked', 'gzip'])
    expect(await raw('PUT', `/${Bucket}/k`, { 'transfer-encoding': coding }, ['x'])).toMatchObject({
      status: 501,
      code: 'NotImplemented',
    });
  const listener = await env.emulator.gateway.listen();
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(
    `PUT /${Bucket}/k HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: ${SIGNED.authorization}\r\n\r\n`,
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 411 .*<Code>MissingContentLength<\/Code>/s);
  await listener.close();
});

it('sends 100 Continue when a request is authorized', async () => {
  const listener = await env.emulator.gateway.listen();
  const first = async (authorization: string): Promise<string> => {
    const socket = connect(listener.port, '127.0.0.1');
    const head = `PUT /${Bucket}/k HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 1\r\n`;
    socket.write(`${head}${authorization}\r\n`);
    const [chunk] = await once(socket, 'data');
    socket.destroy();
    return String(chunk).split('\r\n', 1)[0]!;
  };
  expect(await first('')).toBe('HTTP/1.1 403 Forbidden');
  expect(await first(`authorization: ${SIGNED.authorization}\r\n`)).toBe('HTTP/1.1 100 Continue');
  await listener.close();
});

it('reports the right region for an invalid one', async () => {
  const signed = (region: string) => ({ authorization: SIGNED.authorization.replace('us-east-1', region) });
  const LocationConstraint = 'eu-west-1';
  await s3.send(new S3.CreateBucketCommand({ Bucket: 'far', CreateBucketConfiguration: { LocationConstraint } }));
  for (const [name, region] of [
    ['far', 'eu-west-1'],
    [Bucket, 'us-east-1'],
    ['none', 'us-east-1'],
  ]) {
    const refused = await raw('GET', `/${name}`, signed('US'));
    expect(refused).toMatchObject({ status: 400, code: 'AuthorizationHeaderMalformed' });
    expect(refused.text).toContain(
      `The authorization header is malformed; the region 'US' is wrong; expecting '${region}'`,
    );
    expect(refused.text).toContain(`<Region>${region}</Region>`);
  }
  expect(await raw('GET', `/${Bucket}`, signed('eu-central-1'))).toMatchObject({ status: 200 });
});

it('rejects encryption headers of writes in reads', async () => {
  await put('k');
  for (const [name, value] of [
    ['x-amz-server-side-encryption', 'AES256'],
    ['x-amz-server-side-encryption-aws-kms-key-id', 'alias/k'],
  ] as const) {
    const refused = await raw('GET', `/${Bucket}/k`, { [name]: value });
    expect(refused).toMatchObject({ status: 400, code: 'InvalidArgument' });
    expect(refused.text).toContain(`<Message>${name} header is not supported for this operation.</Message>`);
    expect(await raw('HEAD', `/${Bucket}/k`, { [name]: value })).toMatchObject({ status: 400, text: '' });
  }
});

it('rejects a customer key in reads of an object without one', async () => {
  await put('k');
  const key = { SSECustomerAlgorithm: 'AES256', SSECustomerKey: 'k'.repeat(32) };
  expect(await refusalOf(s3.send(new S3.GetObjectCommand({ Bucket, Key: 'k', ...key })))).toBe(
    'InvalidRequest: The encryption parameters are not applicable to this object.',
  );
  expect(await errorOf(s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'k', ...key })))).toMatchObject({
    $metadata: { httpStatusCode: 400 },
  });
});

it('overrides response headers in signed requests only', async () => {
  await s3.send(new S3.CreateBucketCommand({ Bucket: 'public' }));
  await s3.send(new S3.DeletePublicAccessBlockCommand({ Bucket: 'public' }));
  const statement = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::public/*' };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: statement });
  await s3.send(new S3.PutBucketPolicyCommand({ Bucket: 'public', Policy }));
  await put('k', { Bucket: 'public' });
  const headers = { host: 's3.us-east-1.amazonaws.com' };
  const get = (target: string) => sendUnsigned(env.emulator, { method: 'GET', target, headers });
  expect(await get('/public/k')).toMatchObject({ status: 200 });
  const replaced = '/public/k?response-content-type=text/html';
  const refused = await get(replaced);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('Request specific response headers cannot be used for anonymous GET requests.');
  expect(await raw('GET', replaced)).toMatchObject({ status: 200 });
});

it('a copy to itself must change something, with or without versions', async () => {
  const name = 'versioned';
  await s3.send(new S3.CreateBucketCommand({ Bucket: name }));
  await s3.send(new S3.PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration: { Status: 'Enabled' } }));
  const { VersionId } = await put('k', { Bucket: name });
  const copy = (CopySource: string) => s3.send(new S3.CopyObjectCommand({ Bucket: name, Key: 'k', CopySource }));
  expect(await refusalOf(copy(`${name}/k`))).toContain('InvalidRequest: This copy request is illegal');
  await put('k', { Bucket: name });
  await copy(`${name}/k?versionId=${VersionId}`);
  await put('same');
  const inPlace = (more: Partial<S3.CopyObjectCommandInput> = {}) =>
    s3.send(new S3.CopyObjectCommand({ Bucket, Key: 'same', CopySource: `${Bucket}/same`, ...more }));
  expect(await refusalOf(inPlace())).toContain('InvalidRequest: This copy request is illegal');
  await inPlace({ MetadataDirective: 'REPLACE' });
});

it('an ETag has two quotes or none', async () => {
  const { ETag } = await put('quoted');
  const [bare, half] = [ETag!.replaceAll('"', ''), ETag!.slice(1)];
  for (const IfMatch of [ETag!, bare]) {
    await put('quoted', { IfMatch });
    const { Body } = await s3.send(new S3.GetObjectCommand({ Bucket, Key: 'quoted', IfMatch }));
    expect(await Body!.transformToString()).toBe('x');
  }
  expect(await errorOf(put('quoted', { IfMatch: half }))).toMatchObject({ name: 'PreconditionFailed' });
  const remove = (IfMatch: string) => s3.send(new S3.DeleteObjectCommand({ Bucket, Key: 'quoted', IfMatch }));
  expect(await errorOf(remove(half))).toMatchObject({ name: 'PreconditionFailed' });
  await remove(bare);
});

it('stores content codings unchanged', async () => {
  const kept = async (ContentEncoding: string) => {
    await put('coded', { ContentEncoding });
    return (await s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'coded' }))).ContentEncoding;
  };
  expect(await kept('deflate, gzip')).toBe('deflate, gzip');
  expect(await kept('gzip,aws-chunked')).toBe('gzip');
});

it('pages return their effective size', async () => {
  for (const Key of ['page/a', 'page/b', 'page/c']) await put(Key);
  const page = { Bucket, Prefix: 'page/', MaxKeys: 5000 };
  expect((await s3.send(new S3.ListObjectsCommand(page))).MaxKeys).toBe(1000);
  expect((await s3.send(new S3.ListObjectVersionsCommand(page))).MaxKeys).toBe(1000);
  const first = await s3.send(new S3.ListObjectsV2Command({ ...page, MaxKeys: 1, StartAfter: 'page/a' }));
  expect(first).toMatchObject({ StartAfter: 'page/a', Contents: [{ Key: 'page/b' }] });
  const ContinuationToken = first.NextContinuationToken;
  const next = await s3.send(new S3.ListObjectsV2Command({ ...page, StartAfter: 'page/z', ContinuationToken }));
  expect(next.Contents).toMatchObject([{ Key: 'page/c' }]);
  expect(next.MaxKeys).toBe(1000);
  expect(next.StartAfter).toBeUndefined();
});

it('requires the body of a lock configuration', async () => {
  expect(await raw('PUT', `/${Bucket}?object-lock`)).toMatchObject({ status: 400, code: 'MissingRequestBodyError' });
});

it('duplicate tags of a new bucket are an internal error, as recorded', async () => {
  const tag = '<Tag><Key>a</Key><Value>b</Value></Tag>';
  const body = `<CreateBucketConfiguration><Tags>${tag}${tag}</Tags></CreateBucketConfiguration>`;
  expect(await raw('PUT', '/twice', {}, [body])).toMatchObject({ status: 500, code: 'InternalError' });
});

it('rejects negative part markers', async () => {
  const { UploadId } = await s3.send(new S3.CreateMultipartUploadCommand({ Bucket, Key: 'parts' }));
  const list = (PartNumberMarker: string) =>
    s3.send(new S3.ListPartsCommand({ Bucket, Key: 'parts', UploadId, PartNumberMarker }));
  expect(await refusalOf(list('-1'))).toBe(
    'InvalidArgument: Argument part-number-marker must be an integer between 0 and 2147483647',
  );
  expect((await list('0')).PartNumberMarker).toBe('0');
});

it('rejects part markers beyond 2,147,483,647', async () => {
  const { UploadId } = await s3.send(new S3.CreateMultipartUploadCommand({ Bucket, Key: 'parts' }));
  const list = (PartNumberMarker: string) =>
    s3.send(new S3.ListPartsCommand({ Bucket, Key: 'parts', UploadId, PartNumberMarker }));
  for (const marker of ['2147483648', 'abc'])
    expect(await errorOf(list(marker))).toMatchObject({
      name: 'InvalidArgument',
      message: 'Provided part-number-marker not an integer or within integer range',
      ArgumentName: 'part-number-marker',
      ArgumentValue: marker,
    });
  expect((await list('2147483647')).PartNumberMarker).toBe('2147483647');
});

it.each([
  ['max-keys', `/${Bucket}?max-keys=2147483648`],
  ['max-parts', `/${Bucket}/k?uploadId=u&max-parts=2147483648`],
  ['max-uploads', `/${Bucket}?uploads&max-uploads=x`],
  ['max-buckets', '/?max-buckets=2147483648'],
])('rejects page sizes that are no integers of 32 bits: %s', async (name, target) => {
  const { status, code, text } = await raw('GET', target);
  expect([status, code]).toEqual([400, 'InvalidArgument']);
  expect(text).toContain(`<Message>Provided ${name} not an integer or within integer range</Message>`);
});

it('names the range of part numbers that are no integers', async () => {
  const { code, text } = await raw('GET', `/${Bucket}/k?partNumber=foo`);
  expect(code).toBe('InvalidArgument');
  expect(text).toContain('<Message>Part number must be an integer between 1 and 10000, inclusive</Message>');
});

it('accepts at most 100 CORS rules', async () => {
  const cors = (count: number) => {
    const CORSRules = Array.from({ length: count }, () => ({ AllowedMethods: ['GET'], AllowedOrigins: ['*'] }));
    return s3.send(new S3.PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
  };
  expect(await refusalOf(cors(101))).toBe(
    'InvalidRequest: The number of CORS rules should not exceed allowed limit of 100 rules.',
  );
  await cors(100);
  expect((await s3.send(new S3.GetBucketCorsCommand({ Bucket }))).CORSRules).toHaveLength(100);
});

it('rejects grantees by e-mail address', async () => {
  const acl = (input: Partial<S3.PutBucketAclCommandInput>) =>
    s3.send(new S3.PutBucketAclCommand({ Bucket, ...input }));
  const refused = { name: 'MethodNotAllowed', $metadata: { httpStatusCode: 405 } };
  expect(await errorOf(acl({ GrantRead: 'emailAddress="a@example.com"' }))).toMatchObject(refused);
  const Grantee = { Type: 'AmazonCustomerByEmail' as const, EmailAddress: 'a@example.com' };
  const Owner = { ID: 'a'.repeat(64) };
  const grants = [{ Grantee, Permission: 'READ' as const }];
  expect(await errorOf(acl({ AccessControlPolicy: { Owner, Grants: grants } }))).toMatchObject(refused);
  expect(await errorOf(put('granted', { GrantRead: 'emailAddress="a@example.com"' }))).toMatchObject(refused);
  const LoggingEnabled = { TargetBucket: Bucket, TargetPrefix: 'logs/', TargetGrants: grants };
  const logging = new S3.PutBucketLoggingCommand({ Bucket, BucketLoggingStatus: { LoggingEnabled } });
  expect(await errorOf(s3.send(logging))).toMatchObject(refused);
});

it("names in an account's namespace end with account and region", async () => {
  const create = (name: string, BucketNamespace?: S3.BucketNamespace) =>
    s3.send(new S3.CreateBucketCommand({ Bucket: name, ...(BucketNamespace && { BucketNamespace }) }));
  const own = 'mine-123456789012-us-east-1-an';
  const refused = { name: 'InvalidBucketName' };
  expect(await errorOf(create('mine', 'account-regional'))).toMatchObject(refused);
  expect(await errorOf(create('mine-000000000002-us-east-1-an', 'account-regional'))).toMatchObject(refused);
  expect(await errorOf(create(own))).toMatchObject(refused);
  await create(own, 'account-regional');
});

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html
it.each([
  ['videos/2014/../../video1.wmv', true],
  ['a/b/../../../c', false],
  ['videos/../../video1.wmv', false],
  ['../k', false],
  ['..', false],
  ['a/..', true],
  ['..a/..b', true],
])('a key with `..` stays in its bucket as a path: %s', async (Key, valid) => {
  if (valid) {
    await put(Key);
    const { Body } = await s3.send(new S3.GetObjectCommand({ Bucket, Key }));
    expect(await Body!.transformToString()).toBe('x');
    return;
  }
  for (const method of ['GET', 'PUT', 'DELETE'])
    expect(await raw(method, `/${Bucket}/${Key}`, SIGNED, method === 'PUT' ? ['x'] : [])).toMatchObject({
      status: 400,
      text: '',
    });
  const upload = s3.send(new S3.CreateMultipartUploadCommand({ Bucket, Key }));
  expect(await errorOf(upload)).toMatchObject({ $metadata: { httpStatusCode: 400 } });
  // Keys of DeleteObjects are no addresses.
  const { Errors } = await s3.send(new S3.DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key }] } }));
  expect(Errors).toBeUndefined();
});

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl
it.each(['bucket-owner-read', 'bucket-owner-full-control'])(
  'creating a bucket ignores the canned ACL %s',
  async (acl) => {
    const ACL = acl as S3.BucketCannedACL;
    await s3.send(new S3.CreateBucketCommand({ Bucket: acl, ACL }));
    const { Grants } = await s3.send(new S3.GetBucketAclCommand({ Bucket: acl }));
    expect(Grants).toMatchObject([{ Permission: 'FULL_CONTROL' }]);
  },
);

it('Select writes compact JSON', async () => {
  await put('records', { Body: '{ "a b": "c  d", "n": { "x": 1.50 , "l": [1, 2] } }\n' });
  const { Payload } = await s3.send(
    new S3.SelectObjectContentCommand({
      Bucket,
      Key: 'records',
      Expression: 'SELECT * FROM S3Object',
      ExpressionType: 'SQL',
      InputSerialization: { JSON: { Type: 'LINES' } },
      OutputSerialization: { JSON: {} },
    }),
  );
  let out = '';
  for await (const { Records } of Payload!) out += Buffer.from(Records?.Payload ?? []).toString();
  expect(out).toBe('{"a b":"c  d","n":{"x":1.50,"l":[1,2]}}\n');
});
