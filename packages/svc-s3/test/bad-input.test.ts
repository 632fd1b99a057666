import { createHash } from 'node:crypto';
import * as S3 from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, s3Emulator, sendRaw } from './helpers.ts';

const Bucket = 'a-bucket';
let env: Awaited<ReturnType<typeof s3Emulator>>;

beforeAll(async () => {
  env = await s3Emulator();
  await env.s3.send(new S3.CreateBucketCommand({ Bucket }));
});
afterAll(() => env[Symbol.asyncDispose]());

const put = (Key: string, extra: Partial<S3.PutObjectCommandInput> = {}) =>
  env.s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: 'x', ...extra }));
const keys = async (): Promise<string[]> =>
  ((await env.s3.send(new S3.ListObjectsV2Command({ Bucket }))).Contents ?? []).map(({ Key }) => Key!);

const send = (method: string, target: string, headers: Record<string, string>, chunks?: (string | Uint8Array)[]) =>
  sendRaw(env.emulator, method, target, headers, chunks);

describe('continuation tokens', () => {
  const tokenOf = async (): Promise<string> => {
    for (const Id of Array.from({ length: 101 }, (_, index) => `m${index}`))
      await env.s3.send(
        new S3.PutBucketAnalyticsConfigurationCommand({
          Bucket,
          Id,
          AnalyticsConfiguration: { Id, StorageClassAnalysis: {} },
        }),
      );
    const page = await env.s3.send(new S3.ListBucketAnalyticsConfigurationsCommand({ Bucket }));
    return page.NextContinuationToken!;
  };
  const lists: Record<string, (ContinuationToken: string) => Promise<unknown>> = {
    ListBuckets: (ContinuationToken) => env.s3.send(new S3.ListBucketsCommand({ ContinuationToken })),
    ListDirectoryBuckets: (ContinuationToken) => env.s3.send(new S3.ListDirectoryBucketsCommand({ ContinuationToken })),
    ListObjectsV2: (ContinuationToken) => env.s3.send(new S3.ListObjectsV2Command({ Bucket, ContinuationToken })),
    ListBucketInventoryConfigurations: (ContinuationToken) =>
      env.s3.send(new S3.ListBucketInventoryConfigurationsCommand({ Bucket, ContinuationToken })),
  };
  let other: string;
  beforeAll(async () => {
    other = await tokenOf();
  });

  it.each(Object.keys(lists))('%s accepts only its own', async (list) => {
    for (const token of ['garbage', Buffer.from(Bucket).toString('base64'), other])
      expect(await errorOf(lists[list]!(token))).toMatchObject({
        name: 'InvalidArgument',
        message: 'The continuation token provided is incorrect',
        ArgumentName: 'continuation-token',
        $metadata: { httpStatusCode: 400 },
      });
  });
});

describe('names', () => {
  it.each([
    'ab',
    'a'.repeat(64),
    '-ab',
    'ab-',
    'a_b',
    'A-b',
    'a..b',
    '1.2.3.4',
    'xn--a',
    'sthree-a',
    'a-s3alias',
    'a--ol-s3',
    'a.mrap',
    'a b',
    'ä-b',
  ])('rejects the bucket name %j', async (name) => {
    const { status, code } = await send('PUT', `/${encodeURIComponent(name)}`, {});
    expect([status, code]).toEqual([400, 'InvalidBucketName']);
  });

  it('accepts keys of up to 1,024 bytes', async () => {
    const longest = 'k'.repeat(1024);
    await put(longest);
    await env.s3.send(new S3.DeleteObjectCommand({ Bucket, Key: longest }));
    for (const Key of ['k'.repeat(1025), `${'€'.repeat(341)}ab`]) {
      const Size = String(Buffer.byteLength(Key));
      expect(await errorOf(put(Key))).toMatchObject({
        name: 'KeyTooLongError',
        Size,
        MaxSizeAllowed: '1024',
        $metadata: { httpStatusCode: 400 },
      });
      expect(await errorOf(env.s3.send(new S3.GetObjectCommand({ Bucket, Key })))).toMatchObject({
        name: 'KeyTooLongError',
      });
    }
    expect(await keys()).toEqual([]);
  });
});

describe('bodies', () => {
  it('must match their digests', async () => {
    const wrong = createHash('md5').update('y').digest('base64');
    expect(await errorOf(put('k', { ContentMD5: wrong }))).toMatchObject({ name: 'BadDigest' });
    expect(await errorOf(put('k', { ContentMD5: 'bm9uc2Vuc2U=' }))).toMatchObject({ name: 'InvalidDigest' });
    const sums = [
      ['x-amz-checksum-crc32', 'AAAAAA==', 'BadDigest'],
      ['x-amz-checksum-crc64nvme', 'AAAAAAAAAAA=', 'BadDigest'],
      ['x-amz-checksum-sha1', createHash('sha1').update('y').digest('base64'), 'BadDigest'],
      ['x-amz-checksum-sha256', 'AAAA', 'InvalidRequest'],
    ] as const;
    for (const [name, value, code] of sums) {
      const answer = await send('PUT', `/${Bucket}/k`, { 'content-length': '1', [name]: value }, ['x']);
      expect([name, answer.status, answer.code]).toEqual([name, 400, code]);
    }
    expect(await keys()).toEqual([]);
  });

  it('must have their declared length', async () => {
    for (const [length, body] of [
      ['5', 'abc'],
      ['200000', 'abc'],
    ] as const) {
      const answer = await send('PUT', `/${Bucket}/k`, { 'content-length': length }, [body]);
      expect([answer.status, answer.code]).toEqual([400, 'IncompleteBody']);
    }
    expect(await keys()).toEqual([]);
  });

  it('are limited to 5 GiB, in any form', async () => {
    const tooLong = String(5 * 1024 ** 3 + 1);
    const plain = await send('PUT', `/${Bucket}/k`, { 'content-length': tooLong }, ['x']);
    expect(plain).toMatchObject({ status: 400, code: 'EntityTooLarge' });
    expect(plain.text).toContain(
      `<ProposedSize>${tooLong}</ProposedSize><MaxSizeAllowed>5368709120</MaxSizeAllowed>`.split('>')[0]!,
    );
    const { UploadId } = await env.s3.send(new S3.CreateMultipartUploadCommand({ Bucket, Key: 'big' }));
    const part = await send('PUT', `/${Bucket}/big?partNumber=1&uploadId=${UploadId}`, { 'content-length': tooLong }, [
      'x',
    ]);
    expect([part.status, part.code]).toEqual([400, 'EntityTooLarge']);
    const chunked = {
      'x-amz-decoded-content-length': tooLong,
      'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      'content-encoding': 'aws-chunked',
    };
    const streamed = await send('PUT', `/${Bucket}/k`, chunked, ['1\r\nx\r\n0\r\n\r\n']);
    expect([streamed.status, streamed.code]).toEqual([400, 'EntityTooLarge']);
  });

  it.each([
    ['cut off in a chunk', '5\r\nhel', 5, 'IncompleteBody'],
    ['cut off before the last chunk', '5\r\nhello\r\n', 5, 'IncompleteBody'],
    ['shorter than its length', '5\r\nhello\r\n0\r\n\r\n', 6, 'IncompleteBody'],
    ['longer than its length', '5\r\nhello\r\n0\r\n\r\n', 4, 'IncompleteBody'],
    ['with an invalid size', 'zz\r\nhello\r\n0\r\n\r\n', 5, 'IncompleteBody'],
    ['with a wrong trailer', '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n', 5, 'BadDigest'],
    ['without its announced trailer', '5\r\nhello\r\n0\r\n\r\n', 5, 'MalformedTrailerError'],
  ])('rejects a chunked body %s', async (what, body, length, code) => {
    const trailer: Record<string, string> = what.includes('trailer') ? { 'x-amz-trailer': 'x-amz-checksum-crc32' } : {};
    const answer = await send(
      'PUT',
      `/${Bucket}/chunked`,
      {
        'x-amz-decoded-content-length': String(length),
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'content-encoding': 'aws-chunked',
        ...trailer,
      },
      [body],
    );
    expect([answer.status, answer.code]).toEqual([400, code]);
    expect(await keys()).toEqual([]);
  });
});

describe('documents', () => {
  const levels = Array.from({ length: 12 }, (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`).join(
    '',
  );
  it.each([
    ['no XML', 'Delete me'],
    ['an unclosed element', '<Delete><Object><Key>a</Key></Object>'],
    ['another element', '<Remove/>'],
    ['no key', '<Delete><Object/></Delete>'],
    ['an entity bomb', `<!DOCTYPE d [<!ENTITY e0 "ha">${levels}]><Delete><Object><Key>&e12;</Key></Object></Delete>`],
    [
      'an external entity',
      '<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/passwd">]><Delete><Object><Key>&f;</Key></Object></Delete>',
    ],
    ['an unknown entity', '<Delete><Object><Key>&nbsp;</Key></Object></Delete>'],
    ['unlimited depth', '<a>'.repeat(100_000)],
    ['bytes that are not text', Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe, 0x3c, 0x2f, 0x61, 0x3e])],
    ['too many keys', `<Delete>${'<Object><Key>a</Key></Object>'.repeat(1001)}</Delete>`],
  ])('rejects %s as malformed', async (_what, body) => {
    const bytes = Buffer.from(body);
    const headers = {
      'content-length': String(bytes.length),
      'content-md5': createHash('md5').update(bytes).digest('base64'),
    };
    const answer = await send('POST', `/${Bucket}?delete`, headers, [bytes]);
    expect([answer.status, answer.code]).toEqual([400, 'MalformedXML']);
    expect(answer.text).not.toContain('root:');
  });
});

describe('metadata', () => {
  it('with non-ASCII characters is returned as encoded words', async () => {
    // S3 reads header bytes as characters.
    await put('latin', { Metadata: { name: Buffer.from('ÄMÄZÕÑ S3').toString('latin1') } });
    const meta = async (Key: string) => (await env.s3.send(new S3.HeadObjectCommand({ Bucket, Key }))).Metadata;
    expect(await meta('latin')).toEqual({ name: '=?UTF-8?B?w4PChE3Dg8KEWsODwpXDg8KRIFMz?=' });
    const words = {
      q: '=?UTF-8?Q?=C3=84M=C3=84Z=C3=95=C3=91_S3?=',
      b: '=?UTF-8?B?w4RNw4Raw5XDkSBTMw==?=',
      specials: '=?utf-8?q?test=5F=e2=80=94=5Ffile%E2%80%94=5F2=3F.pdf?=',
      binary: '=?UTF-8?B?AAECAw==?=',
      plain: '=?UTF-8?B?YWJj?=',
      broken: '=?UTF-8?B?/2H/?=',
      odd: '=?nonsense?B?AA?=',
    };
    await put('words', { Metadata: words });
    expect(await meta('words')).toEqual({
      q: words.q,
      b: words.q,
      specials: '=?UTF-8?Q?test=5F=E2=80=94=5Ffile%E2%80%94=5F2=3F.pdf?=',
      binary: words.binary,
      plain: 'abc',
      broken: '=?UTF-8?B?77+9Ye+/vQ==?=',
      odd: words.odd,
    });
    const tooLong = { Metadata: { a: 'x'.repeat(2048) } };
    expect(await errorOf(put('k', tooLong))).toMatchObject({
      name: 'MetadataTooLarge',
      $metadata: { httpStatusCode: 400 },
    });
  });

  it('stores dates in whole seconds', async () => {
    await put('dated');
    const head = await env.s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'dated' }));
    const { Contents } = await env.s3.send(new S3.ListObjectsV2Command({ Bucket, Prefix: 'dated' }));
    expect(head.LastModified!.getMilliseconds()).toBe(0);
    expect(Contents![0]!.LastModified).toEqual(head.LastModified);
    const { text } = await send('GET', `/${Bucket}?list-type=2&prefix=dated`, {});
    expect(text).toMatch(/<LastModified>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z<\/LastModified>/);
  });
});
