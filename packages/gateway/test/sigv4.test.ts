import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayResponse } from '../src/request/gateway-request.ts';
import { authError } from '../src/sigv4/errors.ts';
import { createTestEmulator, type TestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { request, textOf } from './requests.ts';

let emulator: TestEmulator;
let keys: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

beforeEach(async () => {
  emulator = await createTestEmulator({ plugins: [notesPlugin], verifySigv4: true });
  const admin = { accountId: '000000000001', userName: 'jane' };
  const { json } = await emulator.control('POST', '/_emulator/iam/create-admin', admin);
  keys = json as typeof keys;
});
afterEach(() => emulator.close());

/** node's SHA-256 for the SDK's signer. */
class Sha256 {
  private readonly hash;
  constructor(secret?: string | Uint8Array) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
  }
  update(data: string | Uint8Array): void {
    this.hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }
  reset(): void {}
}

const signer = (credentials = keys): SignatureV4 =>
  new SignatureV4({ credentials, region: 'eu-west-1', service: 'notes', sha256: Sha256 as never });

interface Unsigned {
  method: string;
  protocol: string;
  hostname: string;
  path: string;
  headers: Record<string, string>;
  query?: Record<string, string>;
  body?: string;
}

const json = (operation = 'WhoAmI', body = '{}'): Unsigned => ({
  method: 'POST',
  protocol: 'http:',
  hostname: 'localhost',
  path: '/',
  headers: {
    host: 'localhost',
    'x-amz-target': `Notes_20200202.${operation}`,
    'content-type': 'application/x-amz-json-1.0',
  },
  body,
});

const form = (body = 'Action=WhoAmI&Version=2020-02-02'): Unsigned => ({
  ...json(),
  headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded' },
  body,
});

async function send(
  unsigned: Unsigned,
  changes: Partial<Unsigned> = {},
): Promise<{ status: number; text: string; response: GatewayResponse }> {
  const { method, path, headers, query, body } = { ...unsigned, ...changes };
  const target = query ? `${path}?${new URLSearchParams(query)}` : path;
  const response = await emulator.gateway.handle(request({ method, target, headers, body: body ?? '' }));
  return { status: response.status, text: await textOf(response), response };
}

const sign = async (unsigned: Unsigned, credentials = keys, signingDate?: Date): Promise<Unsigned> =>
  (await signer(credentials).sign(unsigned as never, signingDate && { signingDate })) as unknown as Unsigned;

describe('signed headers', () => {
  it('verify, and identify the caller', async () => {
    const { status, text } = await send(await sign(json()));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      Account: '000000000001',
      Arn: 'arn:aws:iam::000000000001:user/jane',
      Region: 'eu-west-1',
      Key: keys.accessKeyId,
    });
    expect((await send(await sign(form()))).status).toBe(200);
  });

  it('verify with paths and queries that need normalisation and encoding', async () => {
    for (const path of ['/', '/a b/ü', '/a%20b', '/x//y/../z/', "/*~'()!"])
      expect(
        (await send({ ...(await sign({ ...json(), path, query: { 'b c': 'd+e/ü', a: '', 'A*': '~' } })) })).status,
        path,
      ).toBe(200);
  });

  it('do not verify after any change of signed parts', async () => {
    const signed = await sign(json('PutNote', '{"Name":"a"}'));
    const changes: Partial<Unsigned>[] = [
      { body: '{"Name":"b"}' },
      { path: '/other' },
      { query: { a: 'b' } },
      { headers: { ...signed.headers, 'x-amz-target': 'Notes_20200202.WhoAmI' } },
      { headers: { ...signed.headers, host: 'elsewhere' } },
    ];
    for (const change of changes) {
      const { status, text } = await send(signed, change);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toEqual({
        __type: 'com.amazon.coral.service#InvalidSignatureException',
        message: expect.stringMatching(
          /^The request signature we calculated does not match the signature you provided/,
        ),
      });
    }
    const { status, text } = await send(await sign(form()), { body: 'Action=WhoAmI&Version=2020-02-02&x=y' });
    expect(status).toBe(403);
    expect(text).toContain('<Code>SignatureDoesNotMatch</Code>');
  });

  it('are refused with unknown keys', async () => {
    for (const accessKeyId of ['test', '000000000001', 'AKIAIOSFODNN7EXAMPLE']) {
      const { status, text, response } = await send(await sign(json(), { ...keys, accessKeyId }));
      expect(status).toBe(400);
      expect(JSON.parse(text)).toEqual({
        __type: 'com.amazon.coral.service#UnrecognizedClientException',
        message: 'The security token included in the request is invalid.',
      });
      expect(response.headers['x-amzn-query-error']).toBe('InvalidClientTokenId;Sender');
    }
    const query = await send(await sign(form(), { ...keys, accessKeyId: 'test' }));
    expect(query.status).toBe(403);
    expect(query.text).toContain('<Code>InvalidClientTokenId</Code>');
    const registered = emulator.kernel.credentials.get(keys.accessKeyId)!;
    emulator.kernel.credentials.put({ ...registered, active: false });
    expect((await send(await sign(json()))).text).toContain('UnrecognizedClientException');
  });

  it('are refused if unsigned or incomplete, unless the operation needs no signature', async () => {
    const missing = await send(json());
    expect(missing.status).toBe(400);
    expect(JSON.parse(missing.text)).toEqual({
      __type: 'com.amazon.coral.service#MissingAuthenticationTokenException',
      message: 'Request is missing Authentication Token',
    });
    expect((await send(form())).text).toContain('<Code>MissingAuthenticationToken</Code>');
    const signed = await sign(json());
    const authorization = signed.headers.authorization!.replace(/, Signature=.*/, '');
    const incomplete = await send(signed, { headers: { ...signed.headers, authorization } });
    expect(JSON.parse(incomplete.text)).toEqual({
      __type: 'com.amazon.coral.service#IncompleteSignatureException',
      message: `Authorization header requires 'Signature' parameter. Authorization=${authorization}`,
    });
    const open = await send(json('Open'));
    expect(open.status).toBe(200);
    expect(JSON.parse(open.text)).toMatchObject({ Account: '123456789012', Arn: '*' });
  });

  it('may be 15 minutes old and 5 minutes early, by emulated or machine time', async () => {
    const at = (minutes: number) => new Date(emulator.kernel.clock.now() + minutes * 60_000);
    for (const minutes of [-14, 4]) expect((await send(await sign(json(), keys, at(minutes)))).status).toBe(200);
    const old = await send(await sign(json(), keys, at(-16)));
    expect(JSON.parse(old.text).message).toMatch(
      /^Signature expired: \d{8}T\d{6}Z is now earlier than \d{8}T\d{6}Z \(\d{8}T\d{6}Z - 15 min\.\)$/,
    );
    const early = await send(await sign(json(), keys, at(6)));
    expect(JSON.parse(early.text).message).toMatch(
      /^Signature not yet current: \d{8}T\d{6}Z is still later than \d{8}T\d{6}Z \(\d{8}T\d{6}Z \+ 5 min\.\)$/,
    );
    await emulator.kernel.clock.advance(60 * 60_000);
    expect((await send(await sign(json(), keys, new Date()))).status).toBe(200);
    expect((await send(await sign(json(), keys, at(0)))).status).toBe(200);
    expect((await send(await sign(json(), keys, at(-30)))).status).toBe(400);
  });

  it('are valid only for the service and region that receive the request', async () => {
    const own = `Credential=${keys.accessKeyId}/20200202/eu-west-1/notes/aws4_request`;
    const attempt = async (service: string, region: string, change: (authorization: string) => string) => {
      const other = new SignatureV4({ credentials: keys, region, service, sha256: Sha256 as never });
      const signed = (await other.sign(json() as never)) as unknown as Unsigned;
      const authorization = change(signed.headers.authorization!);
      return JSON.parse((await send(signed, { headers: { ...signed.headers, authorization } })).text);
    };
    const refusal = (message: string) => ({ __type: 'com.amazon.coral.service#InvalidSignatureException', message });
    const service = "Credential should be scoped to correct service: 'notes'. ";
    // The service is found by the first credential, or by the target if none is recognised.
    const doubled = (authorization: string) => authorization.replace('Credential=', `${own}, Credential=`);
    expect(await attempt('sts', 'eu-west-1', doubled)).toEqual(refusal(service));
    expect(await attempt('notes', 'us-west-2', doubled)).toEqual(
      refusal("Credential should be scoped to a valid region, not 'us-west-2'. "),
    );
    expect(await attempt('sts', 'us-east-1', (text) => text.replace('Credential=', 'Credential ='))).toEqual(
      refusal(service),
    );
  });

  it('cover the body, even if the request declares another hash', async () => {
    const unsigned = json();
    const signed = await sign({
      ...unsigned,
      headers: { ...unsigned.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
    });
    expect((await send(signed)).text).toContain('InvalidSignatureException');
  });

  it('are described in the message of some services', () => {
    const failure = {
      kind: 'mismatch',
      accessKeyId: 'AKIA',
      stringToSign: 'AWS4-HMAC-SHA256\n…',
      signature: 'f00',
      canonicalRequest: 'POST\n/\n\n…',
    } as const;
    const { message: plain } = authError(failure, 'awsQuery', {});
    expect(authError(failure, 'awsQuery', { describesMismatch: true })).toMatchObject({
      code: 'SignatureDoesNotMatch',
      message: `${plain}\n\nThe Canonical String for this request should have been\n'POST\n/\n\n…'\n\nThe String-to-Sign should have been\n'AWS4-HMAC-SHA256\n…'\n`,
    });
  });

  it('must cover the host', async () => {
    const { host: _, ...headers } = json().headers;
    const signed = await sign({ ...json(), headers });
    const answer = await send(signed, { headers: { ...signed.headers, host: 'localhost' } });
    expect(answer.text).toContain("'Host' or ':authority' must be a 'SignedHeader'");
  });

  it('are verified before the operation is looked up', async () => {
    expect((await send(await sign(json('Nothing')))).text).toContain('UnknownOperationException');
    expect((await send(await sign(json('Nothing')), { body: '{"changed":true}' })).text).toContain(
      'InvalidSignatureException',
    );
  });
});

describe('sessions', () => {
  const vend = async () => {
    const record = (await emulator.control('GET', '/_emulator/credentials')).json as Record<string, string>;
    return { accessKeyId: record.AccessKeyId!, secretAccessKey: record.SecretAccessKey!, sessionToken: record.Token! };
  };

  it('of issued credentials verify', async () => {
    const { status, text } = await send(await sign(json(), await vend()));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ Arn: 'arn:aws:sts::123456789012:assumed-role/emulator/emulator' });
    const base = '/latest/meta-data/iam/security-credentials/emulator';
    const imds = JSON.parse(await textOf(await emulator.gateway.handle(request({ method: 'GET', target: base }))));
    const credentials = {
      accessKeyId: imds.AccessKeyId,
      secretAccessKey: imds.SecretAccessKey,
      sessionToken: imds.Token,
    };
    expect((await send(await sign(json(), credentials))).status).toBe(200);
  });

  it('need their token', async () => {
    const { sessionToken, ...rest } = await vend();
    for (const credentials of [rest, { ...rest, sessionToken: `${sessionToken}x` }])
      expect((await send(await sign(json(), credentials))).text).toContain('UnrecognizedClientException');
  });

  it('end', async () => {
    const credentials = await vend();
    await emulator.kernel.clock.advance(3601_000);
    const date = new Date(emulator.kernel.clock.now());
    const { text, status } = await send(await sign(json(), credentials, date));
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({
      __type: 'com.amazon.coral.service#ExpiredTokenException',
      message: 'The security token included in the request is expired',
    });
    expect((await send(await sign(form(), credentials, date))).text).toContain('<Code>ExpiredToken</Code>');
  });
});

describe('presigned URLs', () => {
  const presign = async (signingDate = new Date()): Promise<Unsigned> => {
    const get = {
      ...form(),
      method: 'GET',
      headers: { host: 'localhost' },
      query: { Action: 'WhoAmI', Version: '2020-02-02' },
    };
    return (await signer().presign({ ...get, body: undefined } as never, {
      expiresIn: 60,
      signingDate,
    })) as unknown as Unsigned;
  };

  it('verify until they expire', async () => {
    const url = await presign();
    expect((await send(url)).status).toBe(200);
    await emulator.kernel.clock.advance(61_000);
    const late = await send(url);
    expect(late.status).toBe(403);
    expect(late.text).toMatch(/<Code>SignatureDoesNotMatch<\/Code>\s*<Message>Signature expired: .* - 60 sec\.\)/);
  });

  it('are valid for their lifetime by emulated or machine time', async () => {
    const { clock } = emulator.kernel;
    await clock.advance(3_600_000);
    // Dates have whole seconds, the first of which began before the change of time.
    const url = await presign(new Date(Date.now() + 1000));
    expect((await send(url)).status).toBe(200);
    const ahead = await presign(new Date(clock.now()));
    expect((await send(ahead)).status).toBe(200);
    await clock.advance(62_000);
    expect((await send(ahead)).text).toMatch(/<Message>Signature expired: .* - 60 sec\.\)/);
  });

  it('do not verify when changed', async () => {
    const url = await presign();
    for (const query of [
      { ...url.query, More: 'x' },
      { ...url.query, 'X-Amz-Expires': '600' },
    ])
      expect((await send(url, { query })).text).toContain('SignatureDoesNotMatch');
    const { 'X-Amz-Date': _, ...incomplete } = url.query!;
    expect((await send(url, { query: incomplete })).text).toContain('IncompleteSignature');
  });
});
