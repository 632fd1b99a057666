import { type DataPlaneRequest, definePlugin, type ServiceManifest } from '@emu/core/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Listener } from '../src/http/listener.ts';
import { listenLinkLocal } from '../src/metadata/link-local.ts';
import { createTestEmulator, sendToPort, type TestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';

const TOKEN = 'x-emulator-token';

/** A service with pages: at host names of AWS's form, at a resource's own name, and at a path. */
const pages = definePlugin({
  ...(notesPlugin as object as Parameters<typeof definePlugin>[0]),
  operations: [notesPlugin.operations],
  name: 'pages',
  ownsHost: (name) => name === 'www.shop.test',
  serve: ({ path, query, method }: DataPlaneRequest) => {
    const [type, policy] = new URLSearchParams(query).get('type')?.split('|') ?? ['text/html'];
    return {
      status: 200,
      headers: {
        ...(type && { 'Content-Type': type }),
        ...(policy && { 'Content-Security-Policy': policy }),
      },
      body: `${method} ${path}`,
      ...(path.endsWith('/own') && { ownPage: true as const }),
    };
  },
});
const manifest: ServiceManifest = {
  name: 'pages',
  signingNames: ['pages'],
  hostNames: ['pages'],
  dataHostNames: ['sites'],
  controlPaths: ['/_emulator/pages/', '/_aws/pages'],
  claims: (_method, path, host) => host.includes('.sites.') || path.startsWith('/pages/'),
  load: async () => pages,
};

let emulator: TestEmulator;
let listener: Listener;
let other: Listener;
beforeAll(async () => {
  emulator = await createTestEmulator({ plugins: [notesPlugin], manifests: [manifest] });
  await emulator.kernel.service('pages');
  listener = await emulator.gateway.listen({});
  other = await emulator.gateway.listen({});
});
afterAll(async () => {
  await listener?.close();
  await other?.close();
  await emulator?.close();
});

/** Sends a request as a browser does. */
const send = (method: string, target: string, headers: Record<string, string | undefined> = {}, port = listener.port) =>
  sendToPort(port, { method, target, headers: headers as Record<string, string> });

/** Returns the headers of requests by pages at emu's own address. */
const sentByOwnPages = (): [what: string, headers: Record<string, string>][] => {
  const [own, site] = [`http://localhost:${listener.port}`, `site.sites.us-east-1.localhost:${listener.port}`];
  return [
    ['a script at the same host', { origin: own }],
    ['a script at another name of this machine', { origin: `http://127.0.0.1:${listener.port}` }],
    ['a script at an address of version 6', { origin: `http://[::1]:${listener.port}` }],
    ['a script at a host of a data plane', { origin: `http://${site}` }],
    ['a script at a bucket before emu', { origin: `http://bucket.localhost:${listener.port}` }],
    ['a script at a name of a resource', { origin: `http://www.shop.test:${listener.port}` }],
    ['a script by another port of emu', { origin: `http://localhost:${other.port}` }],
    ['a link or image', { referer: `${own}/bucket/page.html` }],
    ['a link at a host of a data plane', { referer: `http://${site}/page.html` }],
    ['a page that hides its address', { 'sec-fetch-site': 'same-origin' }],
    ['a page that claims to be the console', { referer: `${own}/_emulator/console`, 'sec-fetch-site': 'same-origin' }],
    ['a wrong token', { origin: own, [TOKEN]: 'x'.repeat(43) }],
    ['an empty token', { origin: own, [TOKEN]: '' }],
  ];
};

describe('control routes refuse pages that emu serves', () => {
  it.each(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])('for %s', async (method) => {
    for (const [what, headers] of sentByOwnPages()) {
      const preflight = method === 'OPTIONS' ? { 'access-control-request-method': 'POST' } : {};
      for (const target of [
        '/_emulator/clock',
        '/_reset',
        '/_localstack/health',
        '/latest/meta-data/',
        '/_aws/pages',
      ]) {
        const answer = await send(method, target, { ...headers, ...preflight });
        expect(answer.status, `${what}: ${method} ${target}`).toBe(403);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
        if (method !== 'HEAD') expect(answer.text).toContain('Only the console may');
      }
    }
  });

  it('and for WebSockets', async () => {
    for (const [what, headers] of sentByOwnPages()) {
      const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
      const answer = await send('GET', '/_emulator/apigatewayv2/ws/x', { ...headers, ...upgrade });
      expect(answer.status, what).toBe(403);
    }
  });

  it('at the link-local addresses, too', async () => {
    const free = { host: '127.0.0.1', port: 0 };
    const listeners = await listenLinkLocal(emulator.gateway, { metadata: free, credentials: free });
    try {
      for (const [index, target] of ['/latest/meta-data/', '/creds'].entries()) {
        const { port } = listeners[index]!;
        const origin = `http://site.sites.us-east-1.localhost:${listener.port}`;
        expect((await send('GET', target, { origin }, port)).status).toBe(403);
        expect((await send('GET', target, {}, port)).status).toBe(200);
      }
    } finally {
      for (const one of listeners) await one.close(50);
    }
  });

  it('and respond to the console, other pages and other clients', async () => {
    const own = `http://localhost:${listener.port}`;
    const token = { [TOKEN]: emulator.gateway.access.token };
    for (const headers of [
      {},
      { 'sec-fetch-mode': 'cors' },
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
      { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
      { origin: 'http://app.localhost' },
      { origin: 'http://app.test' },
      { referer: 'http://localhost:3000/', 'sec-fetch-site': 'same-site' },
      { ...token, origin: own, referer: `${own}/_emulator/console`, 'sec-fetch-site': 'same-origin' },
      { ...token, referer: `${own}/_emulator/console` },
      { ...token },
    ])
      expect((await send('GET', '/_emulator/clock', headers)).status, JSON.stringify(headers)).toBe(200);
    // The token does not admit others.
    expect((await send('GET', '/_emulator/clock', { ...token, origin: 'http://evil.com' })).status).toBe(403);
  });

  it('until an option admits their origin', async () => {
    const values = { EMULATOR_ALLOW_ORIGINS: ['http://localhost:*'] };
    await using open = await createTestEmulator({ settings: { values } });
    const { port, close } = await open.gateway.listen({});
    for (const headers of [{ origin: `http://localhost:${port}` }, { 'sec-fetch-site': 'same-origin' }])
      expect((await send('GET', '/_emulator/clock', headers, port)).status).toBe(200);
    const origin = `http://site.sites.us-east-1.localhost:${port}`;
    expect((await send('GET', '/_emulator/clock', { origin }, port)).status).toBe(403);
    await close();
  });

  it('behind a port mapping and a proxy', async () => {
    const externalUrl = 'https://aws.example.com/base';
    await using mapped = await createTestEmulator({ settings: { externalUrl } });
    const { port, close } = await mapped.gateway.listen({});
    const ask = (host: string, origin: string) => send('GET', '/_emulator/clock', { host, origin }, port);
    expect((await ask('localhost:8080', 'http://127.0.0.1:8080')).status).toBe(403);
    expect((await ask('localhost:8080', 'http://localhost:3000')).status).toBe(200);
    expect((await ask('emu.test', 'http://emu.test')).status).toBe(403);
    expect((await ask('emu.test', 'http://app.test')).status).toBe(200);
    expect((await ask('localhost', 'https://aws.example.com')).status).toBe(403);
    await close();
  });
});

describe('the console', () => {
  it("has a token of this process in its page, which only a browser's tab gets", async () => {
    const { token } = emulator.gateway.access;
    expect(token).toMatch(/^[\w-]{43}$/);
    const own = `http://localhost:${listener.port}`;
    for (const headers of [
      {},
      { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document', referer: 'http://evil.com/' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document', referer: `${own}/bucket/page.html` },
    ]) {
      const page = await send('GET', '/_emulator/console', headers);
      expect([page.status, page.text.includes(`content="${token}"`)], JSON.stringify(headers)).toEqual([200, true]);
      expect(page.headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      });
    }
    for (const headers of [
      { origin: own },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe', referer: `${own}/bucket/page.html` },
    ]) {
      const refused = await send('GET', '/_emulator/console', headers);
      expect([refused.status, refused.text.includes(token)], JSON.stringify(headers)).toEqual([403, false]);
    }
    // Browsers send an origin with modules.
    for (const asset of ['app.js', 'app.css'])
      for (const from of [{ origin: own }, {}]) {
        const headers = { ...from, 'sec-fetch-site': 'same-origin', referer: `${own}/_emulator/console` };
        expect((await send('GET', `/_emulator/console/${asset}`, headers)).status).toBe(200);
      }
    await using another = await createTestEmulator({ seed: 'same' });
    await using seeded = await createTestEmulator({ seed: 'same' });
    expect(another.gateway.access.token).not.toBe(seeded.gateway.access.token);
  });
});

describe('a host name of a data plane', () => {
  it.each([
    '/_emulator/health',
    '/_emulator/clock',
    '/_reset',
    '/_localstack/health',
    '/latest/meta-data/',
    '/_aws/pages',
  ])('leads to no control route: %s', async (target) => {
    for (const name of ['site.sites.us-east-1.localhost', 'www.shop.test'])
      for (const method of ['GET', 'POST']) {
        const answer = await send(method, target, { host: `${name}:${listener.port}` });
        expect(answer.text, name).toBe(`${method} ${target}`);
      }
  });
});

describe('documents of a data plane', () => {
  const policyOf = async (type: string, headers: Record<string, string> = {}, path = '/pages/x') =>
    (await send('GET', `${path}?${new URLSearchParams({ type })}`, headers)).headers['content-security-policy'];

  it.each([
    'text/html',
    'Text/HTML; charset=utf-8',
    'application/xhtml+xml',
    'image/svg+xml',
    'text/xml',
    'application/xml;charset=utf-8',
    'text/xsl',
    'application/atom+xml',
    'multipart/x-mixed-replace;boundary=x',
    'message/rfc822',
    '',
    'html',
    'text/plain, text/html',
    'unknown/unknown',
    'application/unknown',
    '*/*',
  ])('are sandboxed at hosts with control routes: %s', async (type) => {
    const policy = await policyOf(type);
    expect(policy).toMatch(/^sandbox( |$)/);
    expect(policy).not.toContain('allow-same-origin');
    expect(policy).not.toContain('escape-sandbox');
  });

  it('keep their own policy', async () => {
    expect(await policyOf("text/html|default-src 'self'")).toMatch(/^default-src 'self', sandbox /);
  });

  it.each(['text/plain', 'image/png', 'application/json', 'text/css', 'application/octet-stream'])(
    'are not sandboxed without scripts: %s',
    async (type) => expect(await policyOf(type)).toBeUndefined(),
  );

  it('are not sandboxed at their own host name, or if the service has written them', async () => {
    const host = `site.sites.us-east-1.localhost:${listener.port}`;
    expect(await policyOf('text/html', { host }, '/')).toBeUndefined();
    expect(await policyOf('text/html', { host: `www.shop.test:${listener.port}` }, '/')).toBeUndefined();
    expect(await policyOf('text/html', {}, '/pages/own')).toBeUndefined();
  });
});
