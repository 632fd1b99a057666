import { createLogger, defaultSettings } from '@emu/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OriginRules } from '../src/access/origin-rules.ts';
import { listenLinkLocal } from '../src/metadata/link-local.ts';
import { createTestEmulator, type TestEmulatorOptions } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call, request, textOf } from './requests.ts';

const allows = (origin: string, name = 'localhost', settings: Parameters<typeof defaultSettings>[0] = {}): boolean =>
  new OriginRules(defaultSettings(settings)).allows(origin, name);
const listing = (...EMULATOR_ALLOW_ORIGINS: string[]) => ({ values: { EMULATOR_ALLOW_ORIGINS } });

describe('an origin', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    'http://localhost',
    'http://localhost:3000',
    'https://localhost:8443',
    'http://app.localhost:5173',
    'http://127.0.0.1:8080',
    'http://127.8.0.1',
    'http://[::1]:3000',
    'https://shop.test',
    'http://api.shop.test:8080',
    'capacitor://localhost',
  ])('%s may use emu', (origin) => {
    expect(allows(origin)).toBe(true);
  });

  it.each([
    'null',
    '',
    'https://evil.com',
    'https://localhost.evil.com',
    'https://evillocalhost',
    'https://127.0.0.1.evil.com',
    'https://127.0.0.1@evil.com',
    'https://evil.com/http://localhost',
    'https://evil.com, http://localhost',
    'https://test',
    'https://eviltest',
    'http://frontend:3000',
    'http://192.168.1.4:3000',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'file://',
  ])('%j may not', (origin) => {
    expect(allows(origin)).toBe(false);
  });

  it('of the host in the request may use it, on any port', () => {
    expect(allows('http://192.168.1.4:3000', '192.168.1.4')).toBe(true);
    expect(allows('http://emu:8080', 'emu')).toBe(true);
    expect(allows('http://[fd00::2]:8080', '[fd00::2]')).toBe(true);
    expect(allows('http://192.168.1.5:3000', '192.168.1.4')).toBe(false);
  });

  it('may use emu by a setting', () => {
    const externalUrl = 'https://aws.example.com/base';
    expect(allows('https://aws.example.com', 'localhost', { externalUrl })).toBe(true);
    expect(allows('http://aws.example.com', 'localhost', { externalUrl })).toBe(false);
    const listed = listing('https://*.example.com', 'http://dev:*', 'null');
    for (const origin of ['https://a.example.com', 'HTTPS://a.b.example.com', 'http://dev:3000', 'null'])
      expect(allows(origin, 'localhost', listed), origin).toBe(true);
    for (const origin of [
      'https://example.com',
      'http://a.example.com',
      'https://a.example.com.evil.com',
      'https://axexample.com',
    ])
      expect(allows(origin, 'localhost', listed), origin).toBe(false);
    expect(allows('https://evil.com', 'localhost', listing('*'))).toBe(true);
    expect(allows('null', 'localhost', listing('*'))).toBe(false);
  });

  it("of another container may use emu if the image's setting trusts names of one label", () => {
    const values = { EMULATOR_ALLOW_CONTAINER_ORIGINS: true };
    expect(allows('http://frontend:3000', 'localhost', { values })).toBe(true);
    expect(allows('http://my_app', 'localhost', { values })).toBe(true);
    expect(allows('http://frontend.evil.com:3000', 'localhost', { values })).toBe(false);
  });

  it('of a forwarded port of this codespace may use emu', () => {
    vi.stubEnv('CODESPACE_NAME', 'fuzzy-disco');
    vi.stubEnv('GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN', 'app.github.dev');
    expect(allows('https://fuzzy-disco-3000.app.github.dev')).toBe(true);
    expect(allows('https://other-3000.app.github.dev')).toBe(false);
  });
});

/** Sends a request as a page does. */
async function send(parts: Parameters<typeof request>[0], options: TestEmulatorOptions = {}) {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', format: 'json', write: (line) => lines.push(line) });
  await using emulator = await createTestEmulator({ plugins: [notesPlugin], log, ...options });
  await emulator.gateway.handle(request(parts));
  const response = await emulator.gateway.handle(request(parts));
  return { ...response, text: await textOf(response), log: lines };
}

describe('pages', () => {
  const body = '{"Name":"a","Text":"b"}';
  /** A request without a preflight in browsers, signed or not. */
  const simple = (headers: Record<string, string>) => ({
    target: '/',
    headers: { 'content-type': 'text/plain', ...headers },
    body,
  });

  it.each<Record<string, string>>([
    { origin: 'https://evil.com' },
    { origin: 'null' },
    { referer: 'https://evil.com/page?x=http://localhost:3000/' },
    { referer: 'no URL' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.com', referer: 'http://localhost:3000/', 'sec-fetch-site': 'same-origin' },
    { referer: 'https://evil.com/', 'sec-fetch-site': 'same-origin' },
  ])('with %j get 403 for everything, and scripts cannot read it', async (from) => {
    const api = simple({ ...call('PutNote'), ...from });
    const attempts: Parameters<typeof request>[0][] = [
      api,
      { method: 'GET', target: '/_emulator/health', headers: { ...from } },
      { method: 'POST', target: '/_reset', headers: { ...from } },
      { method: 'GET', target: '/latest/meta-data/', headers: { ...from } },
      { method: 'GET', target: '/?Action=PutNote&Version=2020-02-02&Name=a&Text=b', headers: { ...from } },
      { method: 'OPTIONS', headers: { ...from, 'access-control-request-method': 'POST' } },
      { method: 'GET', target: '/', headers: { ...from, connection: 'Upgrade', upgrade: 'websocket' } },
    ];
    for (const parts of attempts) {
      const answer = await send(parts);
      expect(answer.status, JSON.stringify(parts)).toBe(403);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(answer.text).toContain('--allow-origin');
      expect(answer.log).toHaveLength(1);
    }
  });

  it.each<Record<string, string>>([
    {},
    { 'sec-fetch-mode': 'cors' },
    { origin: 'http://localhost:3000' },
    { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' },
    { referer: 'http://app.localhost:3000/page', 'sec-fetch-site': 'cross-site' },
    { referer: '' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-site' },
  ])('and clients with %j may use emu', async (from) => {
    const answer = await send({ headers: { ...call('PutNote'), ...from }, body });
    expect(answer.status).toBe(200);
    expect(answer.log).toEqual([]);
  });

  it('get the option that would admit them', async () => {
    const { text } = await send({
      method: 'GET',
      target: '/_emulator/health',
      headers: { origin: 'https://evil.com' },
    });
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'AccessDenied',
        message:
          'Web pages of https://evil.com may not use emu. If they should, start emu with --allow-origin https://evil.com (EMULATOR_ALLOW_ORIGINS).',
      },
    });
    const { text: framed } = await send({ headers: { ...call('WhoAmI'), origin: 'null' }, body: '{}' });
    expect(JSON.parse(framed).message).toContain('--allow-origin null');
  });

  it('do not reach the link-local addresses', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const free = { host: '127.0.0.1', port: 0 };
    const listeners = await listenLinkLocal(emulator.gateway, { metadata: free, credentials: free });
    const [metadata, credentials] = listeners as [(typeof listeners)[0], (typeof listeners)[0]];
    for (const url of [`${metadata.url}/latest/meta-data/`, `${credentials.url}/creds`]) {
      expect((await fetch(url, { headers: { origin: 'https://evil.com' } })).status).toBe(403);
      expect((await fetch(url)).status).toBe(200);
    }
    for (const listener of listeners) await listener.close(50);
  });
});

describe('the response to a page that may use emu', () => {
  const origin = 'http://localhost:3000';

  it('names its origin, also to a preflight', async () => {
    const preflight = await send({
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,x-amz-target',
        'access-control-request-private-network': 'true',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': 'authorization,x-amz-target',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    const answer = await send({ headers: { ...call('WhoAmI'), origin }, body: '{}' });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringMatching(/ETag.*X-Amzn-RequestId/),
      vary: 'Origin',
    });
    const control = await send({ method: 'GET', target: '/_emulator/health', headers: { origin } });
    expect(control.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
  });

  it('names an origin that a wildcard admits', async () => {
    const options = { settings: listing('*') };
    const answer = await send({ headers: { ...call('WhoAmI'), origin: 'https://evil.com' }, body: '{}' }, options);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': 'https://evil.com', vary: 'Origin' });
  });

  it('has no CORS headers without an origin', async () => {
    const answer = await send({ headers: call('WhoAmI'), body: '{}' });
    expect(Object.keys(answer.headers).filter((name) => /^(access-control-|vary)/i.test(name))).toEqual([]);
  });
});
