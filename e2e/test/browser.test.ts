/// <reference lib="dom" />
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Lambda } from '@aws-sdk/client-lambda';
import { GetObjectCommand, PutObjectCommand, S3 } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zipOf } from '../../packages/gateway/src/testing/zip.ts';
import { noBrowser, type Site, startBrowser, startSite } from '../src/browser.ts';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';

const region = 'us-east-1';
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const client = (endpoint: string) => ({ endpoint, region, credentials });

/** Origins of pages: a foreign site, and a development server of this machine. */
const EVIL = 'evil.com';
const DEV = 'localhost';
/** Names that a foreign name server resolves to this machine, and names of a Compose project. */
const NAMES = [EVIL, 'x.localhost.evil.com', 'frontend', 'emu'];

/** A function that creates a file. */
const codeThatWrites = (file: string): string =>
  Buffer.from(
    zipOf({ 'index.js': `exports.handler = async () => require('fs').writeFileSync(${JSON.stringify(file)}, 'x');` }),
  ).toString('base64');

/** Result of a request for the script of a page. */
interface Told {
  status?: number;
  text?: string;
  headers?: Record<string, string>;
  error?: string;
}

/** Request of a page's script. */
interface Sent {
  method?: string;
  mode?: 'no-cors';
  headers?: Record<string, string>;
  body?: string;
  /** Form fields instead of a body. */
  form?: Record<string, string>;
}

/** Sends a request from a page's script and returns the result for the script. */
function fetchFrom(page: Page, url: string, init: Sent = {}): Promise<Told> {
  return page.evaluate(
    async ([target, { form, ...options }]) => {
      try {
        const body = form && new FormData();
        for (const [name, value] of Object.entries(form ?? {})) body!.append(name, value);
        const response = await fetch(target, body ? { ...options, body } : options);
        const headers = Object.fromEntries(response.headers);
        return { status: response.status, text: await response.text(), headers };
      } catch (error) {
        return { error: String(error) };
      }
    },
    [url, init] as const,
  );
}

/** Returns the response that the browser receives for an action of a page, visible to the page or not. */
async function answerTo(page: Page, url: string, act: () => Promise<unknown>): Promise<Response> {
  const [response] = await Promise.all([page.waitForResponse((answer) => answer.url().startsWith(url)), act()]);
  return response;
}

/** Shows an image on a page without referrer. Resolves to its width; 0 if it could not be shown. */
const show = (page: Page, src: string): Promise<number> =>
  page.evaluate(
    (url) =>
      new Promise<number>((resolve) => {
        const image = new Image();
        image.referrerPolicy = 'no-referrer';
        image.onload = image.onerror = () => resolve(image.naturalWidth);
        image.src = url;
        document.body.append(image);
      }),
    src,
  );

describe.skipIf(noBrowser)(`web pages in a browser${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let emu: Emu;
  let browser: Browser;
  let site: Site;
  let s3: S3;
  beforeAll(async () => {
    [emu, browser, site] = await Promise.all([startEmu(), startBrowser(NAMES), startSite()]);
    s3 = new S3(client(emu.url));
  });
  afterAll(async () => {
    s3?.destroy();
    await browser?.close();
    await site?.[Symbol.asyncDispose]();
    await emu?.kill();
  });

  /** Creates and invokes a function with two requests that browsers send without a preflight. */
  async function attack(page: Page, url: string, file: string): Promise<void> {
    const create = {
      FunctionName: 'stranger',
      Role: 'arn:aws:iam::123456789012:role/any',
      Runtime: 'nodejs20.x',
      Handler: 'index.handler',
      Code: { ZipFile: codeThatWrites(file) },
    };
    const post = (path: string, body: string) =>
      fetchFrom(page, `${url}/2015-03-31/functions${path}`, { method: 'POST', mode: 'no-cors', body });
    await post('', JSON.stringify(create));
    await post('/stranger/invocations', '{}');
  }

  test('from foreign sites run no code with two simple requests', async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, 'written');
    const page = await site.open(browser, EVIL);
    await attack(page, emu.url, file);
    const lambda = new Lambda(client(emu.url));
    expect((await lambda.listFunctions({})).Functions).toEqual([]);
    expect(existsSync(file)).toBe(false);
    lambda.destroy();
    // With access for everybody the same requests succeed, so the rule blocks them.
    await using open = await startEmu({ args: ['--allow-origin', '*'], env: { EMULATOR_LAMBDA_BACKEND: 'process' } });
    await attack(page, open.url, file);
    expect(existsSync(file)).toBe(true);
    await page.close();
  });

  test('from servers of this machine use emu and read its responses; those from foreign sites do not', async () => {
    const dev = await site.open(browser, DEV);
    const told = await fetchFrom(dev, `${emu.url}/_emulator/health`);
    expect(told.status).toBe(200);
    expect(JSON.parse(told.text!)).toMatchObject({ status: 'ok' });
    // With a preflight, as SDKs in pages send their requests.
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ListQueues' };
    const call = { method: 'POST', headers, body: '{}' };
    expect(await fetchFrom(dev, emu.url, call)).toMatchObject({ status: 200, text: '{}' });
    const stranger = await site.open(browser, EVIL);
    for (const init of [{}, call]) {
      const told = await fetchFrom(stranger, `${emu.url}/_emulator/health`, init);
      expect(told.error).toContain('Failed to fetch');
    }
    await Promise.all([dev.close(), stranger.close()]);
  });

  test('show objects in images without referrer, and delete nothing', async () => {
    const sqs = new SQS(client(emu.url));
    const { QueueUrl } = await sqs.createQueue({ QueueName: 'jobs' });
    const Bucket = 'pictures';
    await s3.createBucket({ Bucket });
    const Body = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    await s3.putObject({ Bucket, Key: 'dot.gif', Body, ContentType: 'image/gif' });
    // For the browser, 127.0.0.1 is another site than localhost.
    for (const host of [DEV, EVIL]) {
      const page = await site.open(browser, host);
      expect(await show(page, await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'dot.gif' })))).toBe(1);
      const deletion = `${emu.url}/?Action=DeleteQueue&Version=2012-11-05&QueueUrl=${encodeURIComponent(QueueUrl!)}`;
      const answer = await answerTo(page, deletion, () => show(page, deletion));
      expect(answer.status()).toBe(403);
      await page.close();
    }
    expect((await sqs.listQueues({})).QueueUrls).toEqual([QueueUrl]);
    sqs.destroy();
  });

  test('without an origin do not use emu', async () => {
    await s3.createBucket({ Bucket: 'kept' });
    const page = await site.open(browser, DEV);
    await page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe');
          frame.setAttribute('sandbox', 'allow-scripts');
          const send = `fetch('${url}', { method: 'POST', mode: 'no-cors' }).then(() => parent.postMessage('sent', '*'))`;
          frame.srcdoc = `<script>${send}</script>`;
          window.onmessage = resolve;
          document.body.append(frame);
        }),
      `${emu.url}/_reset`,
    );
    expect(emu.output()).toContain('--allow-origin null');
    expect((await s3.listBuckets({})).Buckets?.map(({ Name }) => Name)).toContain('kept');
    await page.close();
  });

  test.each([EVIL, 'x.localhost.evil.com'])('do not reach emu by %s, which resolves to this machine', async (name) => {
    const page = await browser.newPage();
    const base = `http://${name}:${emu.port}`;
    expect((await page.goto(`${base}/_emulator/health`))!.status()).toBe(403);
    // The page now has emu's origin in the browser.
    const told = await fetchFrom(page, `${base}/_reset`, { method: 'POST' });
    expect(told.status).toBe(403);
    expect(told.text).toContain(`--allow-host ${name}`);
    await page.close();
  });

  test('from other containers use emu if it runs in a container image', async () => {
    await using contained = await startEmu({ env: { EMULATOR_ALLOW_CONTAINER_ORIGINS: 'true' } });
    const page = await site.open(browser, 'frontend');
    const health = (port: number) => fetchFrom(page, `http://emu:${port}/_emulator/health`);
    expect((await health(emu.port)).error).toContain('Failed to fetch');
    expect((await health(contained.port)).status).toBe(200);
    // A page with emu's own host name is not foreign.
    const same = await site.open(browser, 'emu');
    expect((await fetchFrom(same, `http://emu:${emu.port}/_emulator/health`)).status).toBe(200);
    await Promise.all([page.close(), same.close()]);
  });

  describe('upload with presigned', () => {
    const Bucket = 'uploads';
    const allow = (...AllowedOrigins: string[]) =>
      s3.putBucketCors({
        Bucket,
        CORSConfiguration: {
          CORSRules: [
            { AllowedMethods: ['PUT', 'POST'], AllowedOrigins, AllowedHeaders: ['*'], ExposeHeaders: ['etag'] },
          ],
        },
      });
    const keys = async () => ((await s3.listObjectsV2({ Bucket })).Contents ?? []).map(({ Key }) => Key);
    const put = async (page: Page, Key: string) => {
      const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key, ContentType: 'text/plain' }));
      return fetchFrom(page, url, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'by URL' });
    };
    const post = async (page: Page, Key: string) => {
      const { url, fields } = await createPresignedPost(s3, { Bucket, Key });
      return fetchFrom(page, url, { method: 'POST', form: { ...fields, file: 'by form' } });
    };
    beforeAll(() => s3.createBucket({ Bucket }));

    test('URLs and forms from a development server', async () => {
      await allow(`http://localhost:${site.port}`);
      const page = await site.open(browser, DEV);
      expect(await put(page, 'url')).toMatchObject({ status: 200, headers: { etag: expect.any(String) } });
      expect(await post(page, 'form')).toMatchObject({ status: 204, headers: { etag: expect.any(String) } });
      expect(await keys()).toEqual(['form', 'url']);
      await page.close();
    });

    test('HTML forms, which browsers send without a preflight', async () => {
      await s3.deleteBucketCors({ Bucket });
      /** Submits a form of a page, as a user does, and returns the status of the shown response. */
      const submit = async (host: string, Key: string, referrer?: string): Promise<number> => {
        const page = await site.open(browser, host);
        const { url, fields } = await createPresignedPost(s3, { Bucket, Key });
        const answer = await answerTo(page, url, () =>
          page.evaluate(
            ([action, hidden, policy]) => {
              if (policy !== undefined)
                document.head.append(
                  Object.assign(document.createElement('meta'), { name: 'referrer', content: policy }),
                );
              const form = document.createElement('form');
              Object.assign(form, { action, method: 'post', enctype: 'multipart/form-data' });
              const input = (name: string, type: string) =>
                form.appendChild(Object.assign(document.createElement('input'), { name, type }));
              for (const [name, value] of Object.entries(hidden)) input(name, 'hidden').value = value;
              const files = new DataTransfer();
              files.items.add(new File(['by hand'], 'file'));
              input('file', 'file').files = files.files;
              document.body.append(form);
              form.submit();
            },
            [url, fields, referrer] as const,
          ),
        );
        await page.close();
        return answer.status();
      };
      expect(await submit(DEV, 'sent')).toBe(204);
      expect(await submit(EVIL, 'foreign')).toBe(403);
      // Its origin is sent as `null`, as for a sandboxed frame of any page.
      expect(await submit(DEV, 'nameless', 'no-referrer')).toBe(403);
      const found = await keys();
      expect(found).toContain('sent');
      expect(found).not.toContain('foreign');
      expect(found).not.toContain('nameless');
    });

    test("URLs and forms from another site only if the bucket's CORS rules name it in full", async () => {
      const page = await site.open(browser, EVIL);
      await allow('*');
      for (const told of [await put(page, 'stranger-1'), await post(page, 'stranger-2')])
        expect(told.error).toContain('Failed to fetch');
      expect(await keys()).not.toContain('stranger-1');
      expect(await keys()).not.toContain('stranger-2');
      await allow(`http://${EVIL}:${site.port}`);
      expect((await put(page, 'named-1')).status).toBe(200);
      expect((await post(page, 'named-2')).status).toBe(204);
      expect((await fetchFrom(page, `${emu.url}/${Bucket}?list-type=2`)).error).toContain('Failed to fetch');
      await page.close();
    });
  });

  test('from foreign sites open no WebSocket', async () => {
    /** Result of the handshake in the browser. */
    const handshake = async (host: string): Promise<string> => {
      const page = await site.open(browser, host);
      const said = new Promise<string>((resolve) => {
        page.on('websocket', (socket) => socket.on('socketerror', resolve));
      });
      await page.evaluate((url) => void new WebSocket(url), `ws://127.0.0.1:${emu.port}/_emulator/health`);
      const error = await said;
      await page.close();
      return error;
    };
    expect(await handshake(EVIL)).toContain('Unexpected response code: 403');
    // emu has no WebSocket at this path; only the origin check matters.
    expect(await handshake(DEV)).toContain('Unexpected response code: 200');
  });
});
