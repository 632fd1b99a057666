import { createPublicKey, verify } from 'node:crypto';
import { AssumeRoleCommand, GetWebIdentityTokenCommand } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StsState } from '../src/state.ts';
import { credentialsIn, type Emulator, startEmulator } from './emulator.ts';
import { ISSUER, iamWithFederation } from './iam.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator([iamWithFederation(['000000000000', '123456789012'])]);
});
afterAll(() => emulator.close());

const token = (input: object = {}, options: Parameters<Emulator['sts']>[0] = {}) =>
  emulator
    .sts(options)
    .send(
      new GetWebIdentityTokenCommand({ Audience: ['https://api.example.com'], SigningAlgorithm: 'ES384', ...input }),
    );

async function read(jwt: string, account = '000000000000') {
  const [head, body, signature] = jwt.split('.') as [string, string, string];
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: 'ES384' | 'RS256'; kid: string };
  const service = await emulator.kernel.service('sts');
  const key = (service.state(account, '') as StsState).signingKeys.get(header.alg)!;
  expect(header.kid).toBe(key.id);
  const valid = verify(
    header.alg === 'RS256' ? 'sha256' : 'sha384',
    Buffer.from(`${head}.${body}`),
    { key: createPublicKey(key.privateKey), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  expect(valid).toBe(true);
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
}

test.each(['ES384', 'RS256'])('a token signed with %s identifies the caller', async (SigningAlgorithm) => {
  const out = await token({ SigningAlgorithm });
  const claims = await read(out.WebIdentityToken!);
  expect(claims).toMatchObject({
    iss: ISSUER,
    aud: 'https://api.example.com',
    sub: 'arn:aws:iam::000000000000:root',
    'https://sts.amazonaws.com/': { aws_account: '000000000000', source_region: 'us-east-1' },
  });
  expect((claims.exp as number) - (claims.iat as number)).toBe(300);
  expect(out.Expiration!.getTime()).toBe((claims.exp as number) * 1000);
});

test('the subject of a session is its role', async () => {
  const RoleArn = 'arn:aws:iam::123456789012:role/data';
  const Tags = [{ Key: 'Team', Value: 'blue' }];
  const session = await emulator
    .sts()
    .send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'se', DurationSeconds: 900, Tags }));
  const options = credentialsIn(session);
  const out = await token({ Tags: [{ Key: 'job', Value: '1' }], Audience: ['a', 'b'] }, options);
  expect(await read(out.WebIdentityToken!, '123456789012')).toMatchObject({
    sub: RoleArn,
    aud: ['a', 'b'],
    'https://sts.amazonaws.com/': {
      aws_account: '123456789012',
      principal_tags: { Team: 'blue' },
      request_tags: { job: '1' },
      original_session_exp: session.Credentials!.Expiration!.toISOString().replace('.000Z', 'Z'),
    },
  });
  await expect(token({ DurationSeconds: 3600 }, options)).rejects.toMatchObject({
    name: 'SessionDurationEscalationException',
    $metadata: { httpStatusCode: 403 },
  });
});

test('an account keeps its key', async () => {
  const kids = await Promise.all(
    [token(), token(), token()].map(async (out) => {
      const head = (await out).WebIdentityToken!.split('.')[0]!;
      return (JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }).kid;
    }),
  );
  expect(new Set(kids).size).toBe(1);
});

test('rejects the request unless IAM has enabled the feature', async () => {
  const refused = { name: 'OutboundWebIdentityFederationDisabledException', $metadata: { httpStatusCode: 403 } };
  await expect(token({}, { accessKeyId: '999999999999' })).rejects.toMatchObject(refused);
  const without = await startEmulator();
  await expect(
    without.sts().send(new GetWebIdentityTokenCommand({ Audience: ['a'], SigningAlgorithm: 'RS256' })),
  ).rejects.toMatchObject(refused);
  await without.close();
});

test.each([
  [
    { SigningAlgorithm: 'HS256' },
    /'signingAlgorithm' failed to satisfy constraint: Member must satisfy enum value set: \[RS256, ES384\]$/,
  ],
  [
    { DurationSeconds: 59 },
    /'durationSeconds' failed to satisfy constraint: Member must have value greater than or equal to 60$/,
  ],
  [
    { DurationSeconds: 3601 },
    /'durationSeconds' failed to satisfy constraint: Member must have value less than or equal to 3600$/,
  ],
])('rejects %j', async (input, message) => {
  await expect(token(input)).rejects.toMatchObject({
    name: 'ValidationError',
    message: expect.stringMatching(message),
  });
});
