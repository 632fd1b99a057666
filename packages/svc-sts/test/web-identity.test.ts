import { AssumeRoleWithWebIdentityCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentialsIn, type Emulator, secondsLeft, startEmulator } from './emulator.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: object, header: object = { alg: 'RS256', typ: 'JWT' }) =>
  `${encoded(header)}.${encoded(claims)}.c2lnbmF0dXJl`;
const now = () => Math.floor(Date.now() / 1000);
const claims = (changes: object = {}) => ({
  iss: 'https://token.actions.githubusercontent.com',
  sub: 'repo:octo/cat:ref:refs/heads/main',
  aud: 'sts.amazonaws.com',
  iat: now(),
  exp: now() + 300,
  ...changes,
});

const RoleArn = 'arn:aws:iam::123456789012:role/github';
const assume = (WebIdentityToken: string, input: object = {}) =>
  emulator
    .sts()
    .send(new AssumeRoleWithWebIdentityCommand({ RoleArn, RoleSessionName: 'ci', WebIdentityToken, ...input }));

test('the token identifies the principal of the session', async () => {
  const out = await assume(jwt(claims()));
  expect(out).toMatchObject({
    SubjectFromWebIdentityToken: 'repo:octo/cat:ref:refs/heads/main',
    Provider: 'https://token.actions.githubusercontent.com',
    Audience: 'sts.amazonaws.com',
    AssumedRoleUser: { Arn: 'arn:aws:sts::123456789012:assumed-role/github/ci' },
  });
  expect(secondsLeft(out)).toBeCloseTo(3600, -2);
  const me = await emulator.sts(credentialsIn(out)).send(new GetCallerIdentityCommand({}));
  expect(me.UserId).toBe(out.AssumedRoleUser?.AssumedRoleId);
});

test('uses the authorized party of several audiences, otherwise the first audience', async () => {
  expect((await assume(jwt(claims({ aud: ['one', 'two'] })))).Audience).toBe('one');
  expect((await assume(jwt(claims({ aud: ['one', 'two'], azp: 'two' })))).Audience).toBe('two');
});

test('tags and source identity come from the token', async () => {
  const out = await assume(
    jwt(
      claims({
        'https://aws.amazon.com/tags': {
          principal_tags: { Team: ['blue'], Cost: ['1'] },
          transitive_tag_keys: ['Team'],
        },
        'https://aws.amazon.com/source_identity': 'octocat',
      }),
    ),
  );
  expect(out.SourceIdentity).toBe('octocat');
  expect(out.PackedPolicySize).toBeGreaterThan(0);
  expect(emulator.session(out)).toMatchObject({
    tags: { Team: 'blue', Cost: '1' },
    transitiveTagKeys: ['Team'],
    sourceIdentity: 'octocat',
  });
});

test.each([
  'nonsense',
  'aa.b',
  'a.b.c',
  `${encoded([])}.${encoded({})}.x`,
  `${encoded({ alg: 'RS256' })}.${encoded({})}.`,
])('rejects %s as a token', async (token) => {
  await expect(assume(token)).rejects.toMatchObject({
    name: 'InvalidIdentityTokenException',
    message: 'The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)',
  });
});

test.each(['iss', 'sub', 'aud', 'exp'])('the claim %s is required', async (claim) => {
  await expect(assume(jwt(claims({ [claim]: undefined })))).rejects.toMatchObject({
    name: 'InvalidIdentityTokenException',
    message: `Missing a required claim: ${claim}`,
  });
});

test('rejects an expired token with its own error', async () => {
  const exp = now() - 10;
  await expect(assume(jwt(claims({ exp })))).rejects.toMatchObject({
    name: 'ExpiredTokenException',
    message: expect.stringMatching(
      new RegExp(`^Token expired: current date/time \\d+ must be before the expiration date/time ${exp}$`),
    ),
  });
});

test.each([
  [claims({ exp: now() + 0.5 }), undefined],
  [claims({ exp: 'tomorrow' }), undefined],
  [claims(), { alg: 'none' }],
  [claims(), { alg: 'HS256' }],
  [claims({ 'https://aws.amazon.com/source_identity': 'a b' }), undefined],
  [claims({ 'https://aws.amazon.com/tags': { principal_tags: { Team: [1] } } }), undefined],
  [claims({ 'https://aws.amazon.com/tags': { principal_tags: { 'Te*m': ['1'] } } }), undefined],
  [claims({ 'https://aws.amazon.com/tags': 'x' }), undefined],
])('rejects %j', async (body, header) => {
  await expect(assume(jwt(body, header))).rejects.toMatchObject({ name: 'InvalidIdentityTokenException' });
});

test('rejects access tokens', async () => {
  await expect(assume('Atza|token', { ProviderId: 'www.amazon.com' })).rejects.toMatchObject({
    name: 'IDPCommunicationErrorException',
  });
  await expect(assume('Atza|token', { ProviderId: 'example.com' })).rejects.toMatchObject({ name: 'ValidationError' });
});

test('requires a role', async () => {
  await expect(assume(jwt(claims()), { RoleArn: 'arn:aws:iam::123456789012:user/jane' })).rejects.toMatchObject({
    name: 'AccessDenied',
    message: 'Not authorized to perform sts:AssumeRoleWithWebIdentity',
  });
});
