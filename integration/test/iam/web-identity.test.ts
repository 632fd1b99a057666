import { AssumeRoleWithWebIdentityCommand, GetWebIdentityTokenCommand, STSClient } from '@aws-sdk/client-sts';
import { createLogger } from '@emu/core';
import { sendRaw } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSignature } from '../../../packages/svc-sts/src/tokens/token-signature.ts';
import { ACCOUNT, failureOf, type IamTest, startIam, trust } from './support.ts';

const RoleArn = `arn:aws:iam::${ACCOUNT}:role/web`;
const warnings: string[] = [];
let t: IamTest;
beforeAll(async () => {
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => void warnings.push(line) });
  t = await startIam({ log });
  await t.iam.createRole({ RoleName: 'web', AssumeRolePolicyDocument: trust() });
});
afterAll(() => t.emulator.close());

const assume = (WebIdentityToken: string, on = t) =>
  new STSClient(on.emulator.clientConfig()).send(
    new AssumeRoleWithWebIdentityCommand({ RoleArn, RoleSessionName: 'ci', WebIdentityToken }),
  );

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const strange = (iss: string, now = Math.floor(Date.now() / 1000)) =>
  `${encoded({ alg: 'RS256' })}.${encoded({ iss, sub: 'jane', aud: 'app', exp: now + 300 })}.c2lnbmF0dXJl`;

const NO_PROVIDER =
  'InvalidIdentityToken: No OpenIDConnect provider found in your account for https://idp.example.com/realm';

test('if policies are enforced, the provider must exist', async () => {
  await using enforcing = await startIam({ settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } } });
  expect(await failureOf(assume(strange('https://idp.example.com/realm'), enforcing))).toBe(NO_PROVIDER);
});

test('otherwise a warning reports its absence', async () => {
  warnings.length = 0;
  await assume(strange('https://idp.example.com/realm'));
  expect(warnings).toEqual([expect.stringContaining('AWS would refuse this: InvalidIdentityToken')]);
  expect(warnings[0]).toContain('No OpenIDConnect provider found in your account for https://idp.example.com/realm');
});

test('the audience must belong to the provider, and the issuer must have signed the token', async () => {
  const issuerAccount = { accessKeyId: '000000000007' };
  const { IssuerIdentifier: Url } = await t.client(issuerAccount).enableOutboundWebIdentityFederation({});
  const { WebIdentityToken: token } = await new STSClient(t.emulator.clientConfig(issuerAccount)).send(
    new GetWebIdentityTokenCommand({ Audience: ['app'], SigningAlgorithm: 'ES384' }),
  );
  const { OpenIDConnectProviderArn } = await t.iam.createOpenIDConnectProvider({ Url, ClientIDList: ['other'] });
  expect(await failureOf(assume(token!))).toBe('InvalidIdentityToken: Incorrect token audience');
  await t.iam.addClientIDToOpenIDConnectProvider({ OpenIDConnectProviderArn, ClientID: 'app' });
  warnings.length = 0;
  expect((await assume(token!)).Audience).toBe('app');
  expect(warnings).toEqual([]);
  const [header, body, signature] = token!.split('.') as [string, string, string];
  const forged = { ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object), sub: 'root' };
  expect(await failureOf(assume(`${header}.${encoded(forged)}.${signature}`))).toBe(
    'InvalidIdentityToken: The web identity token that was passed could not be validated by AWS. Get a new identity token from the identity provider and then retry the request.',
  );
});

test('an issuer with unavailable keys causes a warning', async () => {
  await t.iam.createOpenIDConnectProvider({ Url: 'https://127.0.0.1', ClientIDList: ['app'] });
  warnings.length = 0;
  await assume(strange('https://127.0.0.1'));
  expect(warnings).toEqual([
    expect.stringContaining(
      "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements",
    ),
  ]);
});

test("an account's tokens are verified by the documents that emu serves", async () => {
  const account = { accessKeyId: '000000000008' };
  const { IssuerIdentifier } = await t.client(account).enableOutboundWebIdentityFederation({});
  const { host } = new URL(IssuerIdentifier!);
  const documentOf = async (target: string, headers: Record<string, string> = {}) => {
    const { status, text } = await sendRaw(t.emulator, { method: 'GET', target, headers });
    expect(status).toBe(200);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const local = `/_aws/sts/issuers/${host.split('.')[0]}`;
  expect(await documentOf(`${local}/.well-known/openid-configuration`)).toMatchObject({
    issuer: IssuerIdentifier,
    jwks_uri: `http://localhost:4566${local}/.well-known/jwks.json`,
  });
  expect(await documentOf('/.well-known/openid-configuration', { host })).toMatchObject({
    jwks_uri: `${IssuerIdentifier}/.well-known/jwks.json`,
  });
  const keys = await documentOf(`${local}/.well-known/jwks.json`);
  expect(await documentOf('/.well-known/jwks.json', { host })).toEqual(keys);
  for (const SigningAlgorithm of ['RS256', 'ES384']) {
    const { WebIdentityToken } = await new STSClient(t.emulator.clientConfig(account)).send(
      new GetWebIdentityTokenCommand({ Audience: ['app'], SigningAlgorithm }),
    );
    expect(await checkSignature(WebIdentityToken!, keys as never)).toBe('valid');
  }
  const { status } = await sendRaw(t.emulator, {
    method: 'GET',
    target: '/_aws/sts/issuers/none/.well-known/openid-configuration',
  });
  expect(status).toBe(404);
});
