import * as S3 from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { type RawResponse, sendRaw } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { SIGNED, s3Emulator } from './helpers.ts';

const Bucket = 'a-bucket';

type Env = Awaited<ReturnType<typeof s3Emulator>>;

/** Sends a request like a browser. */
const send = (
  { emulator }: Env,
  method: string,
  target: string,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Promise<RawResponse> => sendRaw(emulator, { method, target, headers, chunks: [body] });

async function withBucket() {
  const env = await s3Emulator();
  await env.s3.send(new S3.CreateBucketCommand({ Bucket }));
  return env;
}

describe('CORS', () => {
  it("responds to preflight requests by the bucket's rules", async () => {
    await using env = await withBucket();
    const ask = (headers: Record<string, string>) => send(env, 'OPTIONS', `/${Bucket}/key`, headers);
    const origin = 'https://localhost:4200';
    expect(await ask({})).toMatchObject({
      status: 400,
      text: expect.stringContaining('Insufficient information. Origin request header needed.'),
    });
    const refused = await ask({ origin, 'access-control-request-method': 'PUT' });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('CORSResponse: CORS is not enabled for this bucket.');
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    const CORSRules = [
      {
        AllowedMethods: ['GET', 'PUT'],
        AllowedOrigins: ['https://*:4200'],
        AllowedHeaders: ['x-amz-*'],
        MaxAgeSeconds: 3000,
        ExposeHeaders: ['x-amz-id-2'],
      },
    ];
    await env.s3.send(new S3.PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
    const allowed = await ask({
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'X-Amz-Request-Payer',
    });
    expect(allowed).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, PUT',
        'access-control-allow-headers': 'x-amz-request-payer',
        'access-control-max-age': '3000',
        'access-control-allow-credentials': 'true',
      },
    });
    expect((await ask({ origin, 'access-control-request-method': 'DELETE' })).text).toContain(
      'This CORS request is not allowed.',
    );
    await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'key', Body: 'x' }));
    expect((await send(env, 'GET', `/${Bucket}/key`, { origin })).headers['access-control-expose-headers']).toBe(
      'x-amz-id-2',
    );
    const other = await send(env, 'GET', `/${Bucket}/key`, { origin: 'http://localhost:9', ...SIGNED });
    expect(other).toMatchObject({ status: 200, text: 'x' });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('pages from an untrusted origin', () => {
  const origin = 'https://app.example.com';
  const signed = { origin, ...SIGNED };
  /** A bucket whose rules contain the exact origin for some methods, and a wildcard for others. */
  const shared = async (AllowedMethods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE']) => {
    const env = await withBucket();
    const CORSRules = [{ AllowedMethods, AllowedOrigins: [origin], AllowedHeaders: ['*'], ExposeHeaders: ['etag'] }];
    await env.s3.send(new S3.PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
    await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'key', Body: 'x' }));
    return env;
  };

  it('may read and upload objects of a bucket whose rules contain the exact origin', async () => {
    await using env = await shared();
    const answer = { status: 200, headers: { 'access-control-allow-origin': origin } };
    for (const method of ['GET', 'HEAD', 'PUT'])
      expect(await send(env, method, `/${Bucket}/key`, signed, method === 'PUT' ? 'new' : '')).toMatchObject(answer);
    const ask = (method: string) =>
      send(env, 'OPTIONS', `/${Bucket}/key`, { origin, 'access-control-request-method': method });
    expect(await ask('PUT')).toMatchObject(answer);
    const host = `${Bucket}.s3.localhost:4566`;
    expect(await send(env, 'GET', '/key', { ...signed, host })).toMatchObject({ ...answer, text: 'new' });
    const started = await send(env, 'POST', `/${Bucket}/large?uploads`, signed);
    expect(started).toMatchObject(answer);
    const id = /<UploadId>(.*)<\/UploadId>/.exec(started.text)![1];
    expect(await send(env, 'PUT', `/${Bucket}/large?partNumber=1&uploadId=${id}`, signed, 'part')).toMatchObject(
      answer,
    );
    expect((await send(env, 'DELETE', `/${Bucket}/large?uploadId=${id}`, signed)).status).toBe(204);
    const { fields } = await createPresignedPost(env.s3, { Bucket, Key: 'form', Expires: 60 });
    const data = new FormData();
    for (const [name, value] of Object.entries({ ...fields, file: 'by form' })) data.set(name, value);
    const form = new Response(data);
    const posted = await send(
      env,
      'POST',
      `/${Bucket}`,
      { origin, 'content-type': form.headers.get('content-type')! },
      Buffer.from(await form.arrayBuffer()),
    );
    expect(posted).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'etag' },
    });
  });

  it('may not use anything else of it, or other buckets', async () => {
    await using env = await shared();
    await env.s3.send(new S3.CreateBucketCommand({ Bucket: 'another' }));
    for (const [method, target] of [
      ['GET', `/${Bucket}`],
      ['GET', `/${Bucket}/key?acl`],
      ['GET', `/${Bucket}?cors`],
      ['PUT', `/${Bucket}?policy`],
      ['PUT', `/${Bucket}/key?tagging`],
      ['DELETE', `/${Bucket}/key`],
      ['DELETE', `/${Bucket}`],
      ['POST', `/${Bucket}?delete`],
      ['GET', '/'],
      ['GET', '/another/key'],
      ['PUT', '/another/key'],
      ['OPTIONS', '/another/key'],
      ['GET', '/_emulator/health'],
    ] as const) {
      const refused = await send(env, method, target, {
        ...(method === 'OPTIONS' ? { origin } : signed),
        'access-control-request-method': 'PUT',
      });
      expect(refused.status, `${method} ${target}`).toBe(403);
      expect(refused.headers, target).not.toHaveProperty('access-control-allow-origin');
    }
    expect((await env.s3.send(new S3.ListObjectsV2Command({ Bucket }))).KeyCount).toBe(1);
    // A form's body names another bucket than its path.
    const form = { origin, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send(env, 'POST', `/${Bucket}/key?uploads`, form, 'Action=ListQueues')).status).toBe(403);
  });

  it('are rejected for other methods and by wildcards', async () => {
    await using env = await shared(['GET']);
    expect((await send(env, 'PUT', `/${Bucket}/key`, signed, 'y')).status).toBe(403);
    expect((await send(env, 'GET', `/${Bucket}/key`, signed)).status).toBe(200);
    for (const allowed of ['*', 'https://*.example.com', 'https://app.example.*']) {
      const CORSRules = [{ AllowedMethods: ['GET'], AllowedOrigins: [allowed] }];
      await env.s3.send(new S3.PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
      expect((await send(env, 'GET', `/${Bucket}/key`, signed)).status, allowed).toBe(403);
      expect(
        (await send(env, 'OPTIONS', `/${Bucket}/key`, { origin, 'access-control-request-method': 'GET' })).status,
      ).toBe(403);
    }
  });

  it('may show and link to objects and websites only', async () => {
    await using env = await withBucket();
    await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'index.html', Body: 'x' }));
    const WebsiteConfiguration = { IndexDocument: { Suffix: 'index.html' } };
    await env.s3.send(new S3.PutBucketWebsiteCommand({ Bucket, WebsiteConfiguration }));
    const pages: Record<string, string>[] = [
      { referer: 'https://app.example.com/page' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const from of pages) {
      const get = async (target: string, method = 'GET', headers: Record<string, string> = {}) =>
        (await send(env, method, target, { ...from, ...headers })).status;
      expect(await get(`/${Bucket}/index.html`, 'GET', SIGNED)).toBe(200);
      expect(await get(`/${Bucket}/index.html`, 'HEAD', SIGNED)).toBe(200);
      expect(await get('/', 'GET', { host: `${Bucket}.s3-website-us-east-1.amazonaws.com` })).toBe(200);
      for (const target of [`/${Bucket}`, '/', '/_emulator/health', '/latest/meta-data/', '/?Action=ListQueues'])
        expect(await get(target), target).toBe(403);
      expect(await get(`/${Bucket}`, 'GET', SIGNED)).toBe(403);
      expect(await get(`/${Bucket}/index.html`, 'DELETE', SIGNED)).toBe(403);
    }
  });
});

describe('a website with a custom domain', () => {
  const domain = 'www.example.com';
  const get = (env: Env, host: string, target: string) => send(env, 'GET', target, { host });

  it('is served on its domain, and nothing else is', async () => {
    await using env = await withBucket();
    expect((await get(env, domain, '/')).status).toBe(403);
    await env.s3.send(new S3.CreateBucketCommand({ Bucket: domain }));
    // A bucket alone does not suffice: its objects are not served by name.
    expect((await get(env, domain, '/')).status).toBe(403);
    const WebsiteConfiguration = { IndexDocument: { Suffix: 'index.html' } };
    await env.s3.send(new S3.PutBucketWebsiteCommand({ Bucket: domain, WebsiteConfiguration }));
    await env.s3.send(new S3.PutObjectCommand({ Bucket: domain, Key: 'index.html', Body: 'home' }));
    expect(await get(env, `${domain}:4566`, '/')).toMatchObject({ status: 200, text: 'home' });
    expect(await get(env, domain.toUpperCase(), '/')).toMatchObject({ status: 200, text: 'home' });
    for (const target of ['/_emulator/health', '/latest/meta-data/', `/${Bucket}?list-type=2`, '/?Action=ListQueues'])
      expect((await get(env, domain, target)).text, target).not.toMatch(/"status"|ami-id|ListBucketResult|ListQueues/);
    expect((await get(env, domain, '/_emulator/health')).text).toContain('NoSuchKey');
    expect((await get(env, 'example.com', '/')).status).toBe(403);
    await env.s3.send(new S3.DeleteBucketWebsiteCommand({ Bucket: domain }));
    expect((await get(env, domain, '/')).status).toBe(403);
  });

  it("takes precedence over trusted names, but not over emu's own", async () => {
    await using env = await withBucket();
    const WebsiteConfiguration = { IndexDocument: { Suffix: 'index.html' } };
    for (const name of ['shop.test', 'emu']) {
      await env.s3.send(new S3.CreateBucketCommand({ Bucket: name }));
      await env.s3.send(new S3.PutBucketWebsiteCommand({ Bucket: name, WebsiteConfiguration }));
    }
    expect((await get(env, 'other.test', '/_emulator/health')).status).toBe(200);
    expect((await get(env, 'shop.test', '/_emulator/health')).status).toBe(404);
    expect((await get(env, 'emu', '/_emulator/health')).status).toBe(200);
  });
});

describe('websites', () => {
  const get = (env: Env, path: string, extra: Record<string, string> = {}, method = 'GET') =>
    send(env, method, path, { host: `${Bucket}.s3-website-us-east-1.amazonaws.com`, ...extra });

  it('serve pages, directories, errors and redirects', async () => {
    await using env = await withBucket();
    const put = (Key: string, Body: string, extra: object = {}) =>
      env.s3.send(new S3.PutObjectCommand({ Bucket, Key, Body, ContentType: 'text/html', ...extra }));
    expect((await get(env, '/')).text).toContain('<li>Code: NoSuchWebsiteConfiguration</li>');
    await env.s3.send(
      new S3.PutBucketWebsiteCommand({
        Bucket,
        WebsiteConfiguration: {
          IndexDocument: { Suffix: 'index.html' },
          ErrorDocument: { Key: 'error.html' },
          RoutingRules: [
            {
              Condition: { KeyPrefixEquals: 'old/' },
              Redirect: { ReplaceKeyPrefixWith: 'new/', HttpRedirectCode: '302' },
            },
          ],
        },
      }),
    );
    await put('index.html', 'home');
    await put('dir/index.html', 'dir');
    await put('moved', '', { WebsiteRedirectLocation: '/index.html' });
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/how-to-page-redirect.html
    await expect(put('moved', '', { WebsiteRedirectLocation: 'index.html' })).rejects.toMatchObject({
      name: 'InvalidRedirectLocation',
      message: "The website redirect location must have a prefix of 'http://' or 'https://' or '/'.",
    });
    expect(await get(env, '/')).toMatchObject({ status: 200, text: 'home', headers: { 'content-type': 'text/html' } });
    expect(await get(env, '/dir/')).toMatchObject({ status: 200, text: 'dir' });
    expect(await get(env, '/dir')).toMatchObject({ status: 302, headers: { location: '/dir/' } });
    expect(await get(env, '/moved')).toMatchObject({ status: 301, headers: { location: '/index.html' } });
    expect(await get(env, '/old/page')).toMatchObject({
      status: 302,
      headers: { location: `http://${Bucket}.s3-website-us-east-1.amazonaws.com/new/page` },
    });
    const missing = await get(env, '/nothing');
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('An Error Occurred While Attempting to Retrieve a Custom Error Document');
    await put('error.html', 'sorry');
    expect(await get(env, '/nothing')).toMatchObject({ status: 404, text: 'sorry' });
    expect((await get(env, '/', {}, 'POST')).text).toContain('<li>Method: POST</li>');
    const etag = (await get(env, '/')).headers.etag!;
    expect(await get(env, '/', { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
    const local = await send(env, 'GET', '/', { host: `${Bucket}.s3-website.us-east-1.localhost:4566` });
    expect(local.text).toBe('home');
    const absent = await send(env, 'GET', '/', { host: 'none-such.s3-website.us-east-1.localhost:4566' });
    expect(absent).toMatchObject({ status: 404, text: expect.stringContaining('<li>Code: NoSuchBucket</li>') });
  });
});

describe('browser forms', () => {
  function form(
    fields: Record<string, string>,
    file: string,
    name = 'a.txt',
  ): { headers: Record<string, string>; body: string } {
    const boundary = 'xxBOUNDARYxx';
    const parts = Object.entries(fields).map(
      ([key, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
    );
    const last = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${file}\r\n--${boundary}--\r\n`;
    return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body: parts.join('') + last };
  }
  const post = (env: Env, fields: Record<string, string>, file = 'hello') => {
    const { headers, body } = form(fields, file);
    return send(env, 'POST', `/${Bucket}`, headers, body);
  };

  it('upload a file according to their policy', async () => {
    await using env = await withBucket();
    const { fields } = await createPresignedPost(env.s3, {
      Bucket,
      Key: 'up/$' + '{filename}',
      Conditions: [
        ['content-length-range', 2, 10],
        { success_action_status: '201' },
        ['starts-with', '$x-amz-meta-colour', 'b'],
      ],
      Fields: { success_action_status: '201', 'x-amz-meta-colour': 'blue' },
    });
    const done = await post(env, fields);
    expect(done.text).toContain('<Key>up/a.txt</Key>');
    expect(done.status).toBe(201);
    const head = await env.s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'up/a.txt' }));
    expect(head).toMatchObject({ ContentLength: 5, Metadata: { colour: 'blue' } });
    expect((await post(env, fields, 'x'.repeat(12))).text).toContain('<ProposedSize>12</ProposedSize>');
    expect((await post(env, fields, 'x')).text).toContain('<Code>EntityTooSmall</Code>');
    const wrong = await post(env, { ...fields, 'x-amz-meta-colour': 'red' });
    expect(wrong).toMatchObject({
      status: 403,
      text: expect.stringContaining('Invalid according to Policy: Policy Condition failed:'),
    });
    expect((await post(env, { ...fields, 'x-amz-meta-other': '1' })).text).toContain(
      'Extra input fields: x-amz-meta-other',
    );
    const { 'X-Amz-Signature': _gone, ...unsigned } = fields;
    expect((await post(env, unsigned)).text).toContain("Bucket POST must contain a field named 'X-Amz-Signature'.");
  });

  it("have one file, in the part of that name, and support PutObject's settings", async () => {
    await using env = await s3Emulator();
    await env.s3.send(new S3.CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
    const part = (name: string, value: string, more = '') =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
    const until = new Date(Math.ceil(env.emulator.kernel.clock.now() / 1000) * 1000 + 60_000);
    const Fields = {
      'Content-Language': 'de',
      'x-amz-object-lock-mode': 'GOVERNANCE',
      'x-amz-object-lock-retain-until-date': until.toISOString(),
      'x-amz-object-lock-legal-hold': 'ON',
      'x-amz-meta-note': 'a part with the name of a file',
    };
    const { fields } = await createPresignedPost(env.s3, { Bucket, Key: 'k', Fields });
    const body = Object.entries(fields).map(([name, value]) =>
      part(name, value, name === 'x-amz-meta-note' ? '; filename="note.txt"' : ''),
    );
    const whole = `${body.join('')}${part('file', 'hello', '; filename="a.txt"')}--b--\r\n`;
    const posted = await send(env, 'POST', `/${Bucket}`, { 'content-type': 'multipart/form-data; boundary=b' }, whole);
    expect(posted).toMatchObject({ status: 204 });
    expect(await env.s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'k' }))).toMatchObject({
      ContentLength: 5,
      ContentLanguage: 'de',
      Metadata: { note: 'a part with the name of a file' },
      ObjectLockMode: 'GOVERNANCE',
      ObjectLockRetainUntilDate: until,
      ObjectLockLegalHoldStatus: 'ON',
    });
    const noFile = `${body.join('')}--b--\r\n`;
    expect(
      (await send(env, 'POST', `/${Bucket}`, { 'content-type': 'multipart/form-data; boundary=b' }, noFile)).text,
    ).toContain('POST requires exactly one file upload per request.');
  });

  it.each([
    ['one large field', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n', 'x'.repeat(20_480), 1],
    ['many small fields', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n', 'x', 500],
    [
      'many small fields with file names',
      '--b\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n',
      'x',
      500,
    ],
    ['many parts without a name', '--b\r\nContent-Type: text/plain\r\n\r\n', 'x', 500],
  ])('are rejected with more than 20 KB before the file: %s', async (_, head, value, count) => {
    await using env = await withBucket();
    const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nhello\r\n--b--\r\n';
    const body = `${`${head}${value}\r\n`.repeat(count)}${file}`;
    const answer = await send(env, 'POST', `/${Bucket}`, { 'content-type': 'multipart/form-data; boundary=b' }, body);
    expect(answer).toMatchObject({
      status: 400,
      text: expect.stringMatching(/<Code>MaxPostPreDataLengthExceeded<.*<MaxPostPreDataLengthBytes>20480</),
    });
  });

  it('ignore parts without a name', async () => {
    await using env = await withBucket();
    const part = (disposition: string, value: string) =>
      `--b\r\nContent-Disposition: form-data${disposition}\r\n\r\n${value}\r\n`;
    const body = `${part('', 'x')}${part('; filename="n"', 'y')}${part('; name="key"', 'k')}`;
    const whole = `${body}${part('; name="file"; filename="f"', 'hello')}--b--\r\n`;
    const answer = await send(env, 'POST', `/${Bucket}`, { 'content-type': 'multipart/form-data; boundary=b' }, whole);
    expect(answer.status).toBe(204);
  });

  it('are rejected with an expired policy, an invalid signature, or as other content', async () => {
    await using env = await s3Emulator({ settings: { values: { EMULATOR_VERIFY_SIGV4: true } } });
    const { emulator } = env;
    const admin = (
      await emulator.control('POST', '/_emulator/iam/create-admin', { accountId: '123456789012', userName: 'jane' })
    ).json as { accessKeyId: string; secretAccessKey: string };
    const s3 = new S3.S3Client({ ...emulator.clientConfig(), credentials: admin });
    await s3.send(new S3.CreateBucketCommand({ Bucket }));
    const { fields } = await createPresignedPost(s3, { Bucket, Key: 'k', Expires: 60 });
    expect((await post(env, fields)).status).toBe(204);
    expect((await post(env, { ...fields, 'X-Amz-Signature': '0'.repeat(64) })).text).toMatch(
      /<Code>SignatureDoesNotMatch<.Code>.*<StringToSignBytes>[0-9a-f]{2}( [0-9a-f]{2})*<.StringToSignBytes>/,
    );
    await emulator.control('POST', '/_emulator/clock', { advance: 120_000 });
    expect((await post(env, fields)).text).toContain('Invalid according to Policy: Policy expired.');
  });

  it("require a session's token, until it expires", async () => {
    await using env = await s3Emulator({ settings: { values: { EMULATOR_VERIFY_SIGV4: true } } });
    const { kernel, clientConfig } = env.emulator;
    const session = { accessKeyId: 'ASIASESSION', secretAccessKey: 'secret', sessionToken: 'token' };
    const accountId = '123456789012';
    const principal = { type: 'root', accountId, arn: `arn:aws:iam::${accountId}:root`, userId: accountId } as const;
    const expiresAt = kernel.clock.now() + 60_000;
    kernel.credentials.put({ ...session, active: true, principal, expiresAt });
    const s3 = new S3.S3Client({ ...clientConfig(), credentials: session });
    await s3.send(new S3.CreateBucketCommand({ Bucket }));
    const { fields } = await createPresignedPost(s3, { Bucket, Key: 'k', Expires: 600 });
    expect((await post(env, fields)).status).toBe(204);
    const { 'X-Amz-Security-Token': _token, ...without } = fields;
    const { fields: other } = await createPresignedPost(
      new S3.S3Client({ ...clientConfig(), credentials: { ...session, sessionToken: 'another' } }),
      { Bucket, Key: 'k', Expires: 600 },
    );
    expect((await post(env, other)).text).toContain('<Code>InvalidToken</Code>');
    expect((await post(env, without)).status).not.toBe(204);
    await kernel.clock.advance(120_000);
    expect((await post(env, fields)).text).toContain('<Code>ExpiredToken</Code>');
  });
});
