import * as S3 from '@aws-sdk/client-s3';
import { createTestEmulator, TestIdentities } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { errorOf, s3Emulator, sendRaw } from './helpers.ts';

const Bucket = 'fast--use1-az4--x-s3';

type Env = Awaited<ReturnType<typeof s3Emulator>>;

const configuration = (Name = 'use1-az4'): S3.CreateBucketConfiguration => ({
  Location: { Type: 'AvailabilityZone', Name },
  Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
});

async function withBucket(options: Parameters<typeof s3Emulator>[0] = {}): Promise<Env> {
  // The SDK prepends the bucket to the host, and creates sessions.
  const env = await s3Emulator(options);
  await control(env).send(new S3.CreateBucketCommand({ Bucket, CreateBucketConfiguration: configuration() }));
  return env;
}

/** Client of general purpose buckets. */
const general = ({ emulator }: Env): S3.S3Client => new S3.S3Client(emulator.clientConfig());
/** Client of the control endpoint. With a custom endpoint, the SDK creates sessions for everything else. */
const control = ({ emulator }: Env, extra: S3.S3ClientConfig = {}): S3.S3Client =>
  new S3.S3Client({ ...emulator.clientConfig(), disableS3ExpressSessionAuth: true, ...extra });

const put = ({ s3 }: Env, Key: string, extra: Partial<S3.PutObjectCommandInput> = {}) =>
  s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: 'hello', ...extra }));
const read = async ({ s3 }: Env, Key: string): Promise<string> =>
  (await s3.send(new S3.GetObjectCommand({ Bucket, Key }))).Body!.transformToString();

describe('directory buckets', () => {
  it('are created in a zone, and listed separately', async () => {
    await using env = await s3Emulator();
    const s3 = control(env);
    const made = await s3.send(new S3.CreateBucketCommand({ Bucket, CreateBucketConfiguration: configuration() }));
    const BucketArn = `arn:aws:s3express:us-east-1:123456789012:bucket/${Bucket}`;
    expect(made).toMatchObject({
      Location: `https://${Bucket}.s3express-use1-az4.us-east-1.amazonaws.com/`,
      BucketArn,
    });
    await general(env).send(new S3.CreateBucketCommand({ Bucket: 'a-bucket' }));
    const list = await s3.send(new S3.ListDirectoryBucketsCommand({}));
    expect(list.Buckets).toMatchObject([{ Name: Bucket, BucketArn, BucketRegion: 'us-east-1' }]);
    expect((await s3.send(new S3.ListBucketsCommand({}))).Buckets?.map(({ Name }) => Name)).toEqual(['a-bucket']);
    expect(await s3.send(new S3.HeadBucketCommand({ Bucket }))).toMatchObject({
      BucketLocationType: 'AvailabilityZone',
      BucketLocationName: 'use1-az4',
    });
    const refused = async (name: string, CreateBucketConfiguration?: S3.CreateBucketConfiguration) =>
      (await errorOf(s3.send(new S3.CreateBucketCommand({ Bucket: name, CreateBucketConfiguration })))).name;
    expect(await refused('other--use1-az4--x-s3', configuration('use1-az5'))).toBe('InvalidBucketName');
    expect(await refused('other--use1-az4--x-s3')).toBe('InvalidRequest');
    await s3.send(new S3.DeleteBucketCommand({ Bucket }));
    expect((await s3.send(new S3.ListDirectoryBucketsCommand({}))).Buckets ?? []).toEqual([]);
  });

  it('store objects, accessed through sessions and zonal hosts', async () => {
    await using env = await withBucket();
    const made = await put(env, 'dir/a');
    expect(made.VersionId).toBeUndefined();
    expect(await read(env, 'dir/a')).toBe('hello');
    const head = await env.s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'dir/a' }));
    expect(head).toMatchObject({ StorageClass: 'EXPRESS_ONEZONE', ServerSideEncryption: 'AES256' });
    const host = `${Bucket}.s3express-use1-az4.us-east-1.amazonaws.com`;
    const response = await sendRaw(env.emulator, 'GET', '/dir/a', { host });
    expect(response.status).toBe(200);
  });

  it('verify session signatures, by bucket and mode', async () => {
    await using env = await s3Emulator({ settings: { values: { EMULATOR_VERIFY_SIGV4: true } } });
    const { emulator } = env;
    const admin = (
      await emulator.control('POST', '/_emulator/iam/create-admin', { accountId: '123456789012', userName: 'jane' })
    ).json as { accessKeyId: string; secretAccessKey: string };
    const client = (extra: S3.S3ClientConfig) => new S3.S3Client({ ...emulator.clientConfig(), ...extra });
    const s3 = client({ credentials: admin });
    const made = control(env, { credentials: admin });
    await made.send(new S3.CreateBucketCommand({ Bucket, CreateBucketConfiguration: configuration() }));
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
    const { Credentials } = await s3.send(new S3.CreateSessionCommand({ Bucket, SessionMode: 'ReadOnly' }));
    expect(Credentials!.Expiration!.getTime() - Date.now()).toBeLessThan(301_000);
    const reader = client({
      disableS3ExpressSessionAuth: true,
      credentials: {
        accessKeyId: Credentials!.AccessKeyId!,
        secretAccessKey: Credentials!.SecretAccessKey!,
        sessionToken: Credentials!.SessionToken!,
      },
    });
    await reader.send(new S3.GetObjectCommand({ Bucket, Key: 'k' }));
    expect(await errorOf(reader.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'y' })))).toMatchObject({
      name: 'AccessDenied',
    });
    const other = 'other--use1-az4--x-s3';
    await made.send(new S3.CreateBucketCommand({ Bucket: other, CreateBucketConfiguration: configuration() }));
    expect(await errorOf(reader.send(new S3.ListObjectsV2Command({ Bucket: other })))).toMatchObject({
      name: 'AccessDenied',
    });
  });

  it('have no versions, ACLs, tags or locks, and list by directories', async () => {
    await using env = await withBucket();
    const { s3 } = env;
    const VersioningConfiguration = { Status: 'Enabled' as const };
    expect(
      await errorOf(s3.send(new S3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))),
    ).toMatchObject({
      name: 'MethodNotAllowed',
      $metadata: { httpStatusCode: 405 },
    });
    for (const extra of [
      { ACL: 'public-read' as const },
      { Tagging: 'a=1' },
      { ObjectLockLegalHoldStatus: 'ON' as const },
    ])
      expect(await errorOf(put(env, 'k', extra))).toMatchObject({ name: 'NotImplemented' });
    expect(await errorOf(put(env, 'k', { StorageClass: 'STANDARD_IA' }))).toMatchObject({
      name: 'InvalidStorageClass',
    });
    for (const key of ['a', 'dir/b', 'dir/c']) await put(env, key);
    const list = (extra: Partial<S3.ListObjectsV2CommandInput>) =>
      s3.send(new S3.ListObjectsV2Command({ Bucket, ...extra }));
    const page = await list({ Delimiter: '/' });
    expect([page.Contents?.map(({ Key }) => Key), page.CommonPrefixes]).toEqual([['a'], [{ Prefix: 'dir/' }]]);
    expect((await list({ Prefix: 'dir/' })).KeyCount).toBe(2);
    for (const wrong of [{ Delimiter: '-' }, { Prefix: 'di' }])
      expect(await errorOf(list(wrong))).toMatchObject({ name: 'InvalidArgument' });
    expect(await errorOf(list({ StartAfter: 'a' }))).toMatchObject({ name: 'InvalidRequest' });
  });

  it('can append to objects', async () => {
    await using env = await withBucket();
    const first = await put(env, 'log', { WriteOffsetBytes: 0, Metadata: { colour: 'blue' } });
    const grown = await put(env, 'log', { WriteOffsetBytes: 5, Body: ' you' });
    expect(grown.Size).toBe(9);
    expect(grown.ETag).not.toBe(first.ETag);
    expect(await read(env, 'log')).toBe('hello you');
    const whole = await put(env, 'whole', { Body: 'hello you' });
    expect(grown.ChecksumCRC32).toBe(whole.ChecksumCRC32);
    const { Metadata } = await env.s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'log' }));
    expect(Metadata).toEqual({ colour: 'blue' });
    expect(await errorOf(put(env, 'log', { WriteOffsetBytes: 3 }))).toMatchObject({
      name: 'InvalidWriteOffset',
      $metadata: { httpStatusCode: 400 },
    });
    await general(env).send(new S3.CreateBucketCommand({ Bucket: 'a-bucket' }));
    const append = new S3.PutObjectCommand({ Bucket: 'a-bucket', Key: 'k', Body: 'x', WriteOffsetBytes: 0 });
    expect(await errorOf(general(env).send(append))).toMatchObject({ name: 'NotImplemented' });
  });

  it('require permission to create sessions with policies enforced', async () => {
    const identities = new TestIdentities();
    await using emulator = await createTestEmulator({
      manifests: [manifest, identities.manifest],
      settings: { values: { EMULATOR_ENFORCE_IAM: true } },
    });
    const as = (name: string, Action: string[]) => {
      const may = [{ Effect: 'Allow' as const, Action, Resource: '*' }];
      return new S3.S3Client({
        ...emulator.clientConfig(identities.user(emulator, name, { may })),
        disableS3ExpressSessionAuth: true,
      });
    };
    const create = (s3: S3.S3Client) =>
      s3.send(new S3.CreateBucketCommand({ Bucket, CreateBucketConfiguration: configuration() }));
    const write = (s3: S3.S3Client) => s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
    const general = as('general', ['s3:*']);
    const denied = await errorOf(create(general));
    expect(denied).toMatchObject({ name: 'AccessDenied' });
    expect(denied.message).toContain(
      `s3express:CreateBucket on resource: "arn:aws:s3express:us-east-1:123456789012:bucket/${Bucket}"`,
    );
    await create(as('maker', ['s3express:CreateBucket']));
    expect(await errorOf(write(general))).toMatchObject({ name: 'AccessDenied' });
    await write(as('writer', ['s3express:CreateSession']));
  });

  // https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3express.html
  it.each<[string, string, string, string, (s3: S3.S3Client) => Promise<unknown>]>([
    [
      'LocationName',
      'use1-az4',
      'use1-az5',
      'CreateBucket',
      (s3) => s3.send(new S3.CreateBucketCommand({ Bucket, CreateBucketConfiguration: configuration() })),
    ],
    [
      'SessionMode',
      'ReadOnly',
      'ReadWrite',
      'CreateSession',
      (s3) => s3.send(new S3.CreateSessionCommand({ Bucket, SessionMode: 'ReadOnly' })),
    ],
    ['authType', 'REST-HEADER', 'POST', 'DeleteBucket', (s3) => s3.send(new S3.DeleteBucketCommand({ Bucket }))],
    [
      'ResourceAccount',
      '123456789012',
      '000000000002',
      'DeleteBucket',
      (s3) => s3.send(new S3.DeleteBucketCommand({ Bucket })),
    ],
  ])('support the condition key s3express:%s', async (key, value, other, action, request) => {
    const identities = new TestIdentities();
    await using emulator = await createTestEmulator({
      manifests: [manifest, identities.manifest],
      settings: { values: { EMULATOR_ENFORCE_IAM: true } },
    });
    if (action !== 'CreateBucket')
      await new S3.S3Client({ ...emulator.clientConfig(), disableS3ExpressSessionAuth: true }).send(
        new S3.CreateBucketCommand({ Bucket, CreateBucketConfiguration: configuration() }),
      );
    const as = (name: string, wanted: string) => {
      const Condition = { StringEquals: { [`s3express:${key}`]: wanted } };
      const may = [{ Effect: 'Allow' as const, Action: `s3express:${action}`, Resource: '*', Condition }];
      const user = identities.user(emulator, name, { may });
      return new S3.S3Client({ ...emulator.clientConfig(user), disableS3ExpressSessionAuth: true });
    };
    expect(await errorOf(request(as('wrong', other)))).toMatchObject({ name: 'AccessDenied' });
    await request(as('right', value));
  });

  it('rename objects, once per token', async () => {
    await using env = await withBucket();
    const rename = (Key: string, RenameSource: string, extra: Partial<S3.RenameObjectCommandInput> = {}) =>
      env.s3.send(new S3.RenameObjectCommand({ Bucket, Key, RenameSource, ...extra }));
    const { ETag } = await put(env, 'a b');
    await put(env, 'there', { Body: 'other' });
    expect(await errorOf(rename('there', 'a%20b', { DestinationIfNoneMatch: '*' }))).toMatchObject({
      name: 'PreconditionFailed',
    });
    expect(await errorOf(rename('new', 'a%20b', { SourceIfMatch: '"x"' }))).toMatchObject({
      name: 'PreconditionFailed',
    });
    await rename('new', 'a%20b', { SourceIfMatch: ETag, ClientToken: 'once' });
    await rename('new', 'a%20b', { SourceIfMatch: ETag, ClientToken: 'once' });
    expect(await errorOf(rename('new2', 'new', { ClientToken: 'once' }))).toMatchObject({
      name: 'IdempotencyParameterMismatch',
    });
    expect(await read(env, 'new')).toBe('hello');
    expect(await errorOf(read(env, 'a b'))).toMatchObject({ name: 'NoSuchKey' });
    expect(await errorOf(rename('x', 'nothing'))).toMatchObject({ name: 'NoSuchKey' });
    await rename('there', `/${Bucket}/new`);
    expect(await read(env, 'there')).toBe('hello');
  });
});
