import { expect, test } from 'vitest';
import { createSigningKey, type SigningKey, signToken } from '../src/tokens/identity-token.ts';
import { publicKeySet } from '../src/tokens/token-signature.ts';
import { IssuerKeys } from '../src/web-identity/issuer-keys.ts';
import { getJson, isPublicAddress } from '../src/web-identity/public-json.ts';

const ISSUER = 'https://idp.example.com/realm';

/** Returns an issuer that publishes its keys, with the requests it received. */
function issuerWith(keys: SigningKey[]) {
  const asked: [string, boolean][] = [];
  const get = async (url: string, { anywhere }: { anywhere: boolean }): Promise<unknown> => {
    asked.push([url, anywhere]);
    if (url === `${ISSUER}/.well-known/openid-configuration`) return { jwks_uri: `${ISSUER}/keys` };
    if (url === `${ISSUER}/keys`) return publicKeySet(keys);
    throw new Error('not found');
  };
  return { asked, get };
}

const check = (keys: IssuerKeys, token: string, { now = 0, issuer = ISSUER, failures = [] as unknown[] } = {}) =>
  keys.check(token, issuer, now, (reason) => failures.push(reason));

test("a token is valid if signed by one of the issuer's published keys; keys are cached", async () => {
  const key = await createSigningKey('ES384', 'one');
  const stranger = await createSigningKey('ES384', 'one');
  const later = await createSigningKey('ES384', 'two');
  const { asked, get } = issuerWith([key, await createSigningKey('ES384', 'zero')]);
  const keys = new IssuerKeys([], get);
  expect(await check(keys, signToken(key, { sub: 'a' }))).toBe('valid');
  expect(await check(keys, signToken(stranger, { sub: 'a' }))).toBe('invalid');
  expect(asked).toEqual([
    [`${ISSUER}/.well-known/openid-configuration`, false],
    [`${ISSUER}/keys`, false],
  ]);
  // An unknown key does not fetch keys for every token.
  expect(await check(keys, signToken(later, { sub: 'a' }), { now: 9000 })).toBe('no key');
  expect(asked).toHaveLength(2);
  expect(await check(keys, signToken(later, { sub: 'a' }), { now: 10_000 })).toBe('no key');
  expect(asked).toHaveLength(4);
});

test('a token without key id may be signed by any key', async () => {
  const key = await createSigningKey('ES384', 'one');
  const { get } = issuerWith([await createSigningKey('ES384', 'zero'), key]);
  const token = signToken({ ...key, id: undefined as never }, { sub: 'a' });
  expect(await check(new IssuerKeys([], get), token)).toBe('valid');
  const other = signToken({ ...(await createSigningKey('ES384', 'x')), id: undefined as never }, { sub: 'a' });
  expect(await check(new IssuerKeys([], get), other)).toBe('invalid');
});

test('only issuers named in the settings are fetched from private addresses', async () => {
  const key = await createSigningKey('ES384', 'one');
  const { asked, get } = issuerWith([key]);
  expect(await check(new IssuerKeys([ISSUER], get), signToken(key, {}))).toBe('valid');
  expect(asked.map(([, anywhere]) => anywhere)).toEqual([true, true]);
});

test('accepts no token without keys', async () => {
  const key = await createSigningKey('ES384', 'one');
  const failures: unknown[] = [];
  const keys = new IssuerKeys([], issuerWith([]).get);
  expect(await check(keys, signToken(key, {}), { issuer: 'https://elsewhere.example.com', failures })).toBe('no key');
  expect(failures).toEqual([new Error('not found')]);
});

test.each([
  ['http://idp.example.com/', /is not an https URL/],
  ['https://127.0.0.1:1/', /127\.0\.0\.1 is not a public address/],
  ['https://[::1]:1/', /::1 is not a public address/],
  ['https://localhost:1/', /localhost is at .*, which is not public/],
])('fetches nothing from %s', async (url, reason) => {
  await expect(
    (async () => getJson({ connectionTo: async () => undefined }, url, { anywhere: false }))(),
  ).rejects.toThrow(reason);
});

test('private, loopback and link-local addresses are not public', () => {
  for (const address of ['10.0.0.1', '172.31.0.1', '192.168.1.1', '169.254.169.254', '127.0.0.1', '::1', 'fd00::1'])
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
  expect(isPublicAddress('::ffff:10.0.0.1')).toBe(false);
  expect(isPublicAddress('8.8.8.8')).toBe(true);
  expect(isPublicAddress('2001:4860:4860::8888')).toBe(true);
});
