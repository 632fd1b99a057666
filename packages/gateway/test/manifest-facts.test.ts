import type { AuthFailure, OtherSignature, ResourceHosts, ServiceManifest, SignatureRules } from '@emu/core/service';
import { awsError, type HeaderValues, headerOf, queryParameter, type WireRequest } from '@emu/wire';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostParser } from '../src/identify/hosts.ts';
import { Identifier } from '../src/identify/identify.ts';
import { ServiceIndex } from '../src/identify/services.ts';
import { createTestEmulator, type TestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { request, textOf } from './requests.ts';

const ACCOUNT = '000000000007';

const hosts: ResourceHosts = {
  label: 'notes',
  aliases: /^notes-(fast|slow)$/,
  dashed: ['notes'],
  marked: /^([a-z]+--note)\./,
  names: /^[a-z]{3,20}$/,
  resourceOf: (_request, host, name) => (host?.label === 'notes' ? host.prefix : name),
};

/** Reads a signature that is the reversed secret key, from `?key=…&proof=…&until=<milliseconds>`. */
function otherSignature(query: string): OtherSignature | AuthFailure | undefined {
  const [accessKeyId, signature, until] = ['key', 'proof', 'until'].map((name) => queryParameter(query, name));
  if (accessKeyId === undefined) return undefined;
  if (signature === undefined || until === undefined) return { kind: 'incomplete-other' };
  return {
    accessKeyId,
    signature,
    sessionToken: undefined,
    expiresAt: Number(until),
    stringToSign: ({ path }) => path,
    verifies: (_text, secretAccessKey) => signature === [...secretAccessKey].reverse().join(''),
  };
}

const signatures: SignatureRules = {
  anonymous: true,
  otherAccessKey: (headers, query) => headerOf(headers, 'x-note-key') ?? queryParameter(query, 'key'),
  presignedHeaders: (headers): HeaderValues => headers,
  load: async () => ({ error: ({ kind }) => awsError('NotAllowed', kind, { status: 401 }), otherSignature }),
};

const manifest: ServiceManifest = {
  name: 'notes',
  signingNames: ['notes'],
  hostNames: ['notes'],
  targetPrefixes: ['Notes_20200202'],
  hosts,
  signatures,
  catchAll: true,
  controlPaths: ['/_emulator/notes/', '/_notes'],
  localstackName: 'the-notes',
  resetWith: 'paper',
  load: async () => notesPlugin,
};

describe('hosts of a service with resources in host names', () => {
  const parser = new HostParser(new Set(['notes', 'queue']), [hosts], 'emu.test');

  it.each([
    ['diary.notes.eu-west-1.amazonaws.com', 'eu-west-1', 'diary'],
    ['diary.notes-eu-west-1.amazonaws.com', 'eu-west-1', 'diary'],
    ['diary.notes-fast.amazonaws.com', 'us-east-1', 'diary'],
    ['eu-west-1.notes.amazonaws.com', 'us-east-1', 'eu-west-1'],
    ['diary--note.example.com', undefined, 'diary--note'],
  ])('%s', (host, region, prefix) => {
    expect(parser.endpointOf(host)).toEqual({ label: 'notes', region, prefix });
  });

  it("name a resource in front of emu's address, unless AWS has a service of that name", () => {
    for (const host of ['diary.localhost:4566', 'diary.emu.test', 'diary.127.0.0.1:4566'])
      expect(parser.bareResource(host), host).toEqual({ label: 'notes', region: undefined, prefix: 'diary' });
    for (const host of ['localhost', 'd.localhost', 'diary.eu-west-1.localhost', 'diary.amazonaws.com'])
      expect(parser.bareResource(host), host).toBeUndefined();
  });

  it('receive requests without a service, with the resource of the host', () => {
    const identifier = new Identifier(new ServiceIndex([manifest]), 'emu.test');
    const identify = (host: string) => {
      const wire: WireRequest = { method: 'GET', path: '/a', query: '', headers: { host }, body: new Uint8Array() };
      const { manifest: found, resource } = identifier.identify(wire);
      return [found?.name, resource];
    };
    expect(identify('localhost:4566')).toEqual(['notes', undefined]);
    expect(identify('diary.localhost:4566')).toEqual(['notes', 'diary']);
    expect(identify('d.localhost:4566')).toEqual(['notes', undefined]);
  });
});

describe('a service with its own rules for signatures', () => {
  let emulator: TestEmulator;
  beforeEach(async () => {
    emulator = await createTestEmulator({ manifests: [manifest] });
  });
  afterEach(() => emulator.close());

  async function whoAmI(headers: Record<string, string> = {}, query = ''): Promise<Record<string, unknown>> {
    const json = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'Notes_20200202.WhoAmI' };
    const sent = request({ target: `/${query}`, headers: { ...json, ...headers }, body: '{}' });
    return JSON.parse(await textOf(await emulator.gateway.handle(sent)));
  }

  it('has an anonymous caller for unsigned requests', async () => {
    expect(await whoAmI()).toMatchObject({ Arn: '*' });
  });

  it('finds the account of a key in another scheme', async () => {
    expect(await whoAmI({ 'x-note-key': ACCOUNT })).toMatchObject({ Account: ACCOUNT, Key: ACCOUNT });
  });

  it('refuses expired URLs with the error of the service', async () => {
    const until = emulator.kernel.clock.now();
    const url = (end: number) => `?key=${ACCOUNT}&proof=x&until=${end}`;
    expect(await whoAmI({}, url(until + 60_000))).toMatchObject({ Account: ACCOUNT });
    expect(await whoAmI({}, url(until - 60_000))).toMatchObject({ message: 'expired-url' });
  });

  it('verifies signatures of another scheme', async () => {
    await emulator.close();
    emulator = await createTestEmulator({ manifests: [manifest], verifySigv4: true });
    const { json } = await emulator.control('POST', '/_emulator/iam/create-admin', {
      accountId: ACCOUNT,
      userName: 'jane',
    });
    const { accessKeyId, secretAccessKey } = json as { accessKeyId: string; secretAccessKey: string };
    const until = emulator.kernel.clock.now() + 60_000;
    const url = (proof: string) => `?key=${accessKeyId}&proof=${encodeURIComponent(proof)}&until=${until}`;
    expect(await whoAmI({}, url([...secretAccessKey].reverse().join('')))).toMatchObject({ Account: ACCOUNT });
    expect(await whoAmI({}, url('wrong'))).toMatchObject({ message: 'mismatch' });
    expect(await whoAmI({}, `?key=${accessKeyId}`)).toMatchObject({ message: 'incomplete-other' });
    expect(await whoAmI()).toMatchObject({ Arn: '*' });
  });
});

describe('a service with declared control paths and names', () => {
  let emulator: TestEmulator;
  beforeEach(async () => {
    emulator = await createTestEmulator({ manifests: [manifest] });
  });
  afterEach(() => emulator.close());

  it('owns its paths outside of /_emulator/, and no others', async () => {
    const { gateway } = emulator;
    const planeOf = (target: string) => gateway.planeOf(gateway.visit(request({ method: 'GET', target })));
    expect(['/_notes', '/_notes?a=b', '/_emulator/notes/a'].map(planeOf)).toEqual(['control', 'control', 'control']);
    expect(['/_notes/a', '/_notesx', '/notes'].map(planeOf)).toEqual([undefined, undefined, undefined]);
  });

  it("has its LocalStack name in LocalStack's health route", async () => {
    const { json } = await emulator.control('GET', '/_localstack/health');
    expect(json).toMatchObject({ services: { 'the-notes': expect.any(String) } });
  });

  it('is reset by its own name and by that of its family', async () => {
    const text = async () => (await emulator.control('GET', '/_emulator/notes/a/text')).json;
    for (const name of ['notes', 'paper']) {
      await emulator.kernel.callJson('notes', 'PutNote', { Name: 'a', Text: 'x' });
      expect(await text()).toMatchObject({ text: 'x' });
      expect((await emulator.control('POST', `/_emulator/reset/${name}`)).status).toBe(200);
      expect(await text()).not.toHaveProperty('text');
    }
    expect((await emulator.control('POST', '/_emulator/reset/stone')).status).toBe(501);
  });
});
