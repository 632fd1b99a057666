import {
  constants,
  createHash,
  createHmac,
  createPublicKey,
  getDiffieHellman,
  hkdfSync,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { type Benchmark, besideBare, compareLoad, type Prepare, withServers } from './compare.ts';
import { healthWhile } from './health.ts';
import type { Figure } from './measure.ts';
import { call, load, type Server, startEmu, startEmuOnAllCores } from './processes.ts';
import { cognitoIdp } from './requests.ts';

const PASSWORD = 'Passw0rd!';
const FLOWS = ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'];

/** A pool with a client. */
interface Made {
  UserPoolId: string;
  ClientId: string;
}

async function makePool(server: Server): Promise<Made> {
  const { UserPool } = await call(
    server,
    cognitoIdp('CreateUserPool', { PoolName: 'bench', AutoVerifiedAttributes: ['email'] }),
  );
  const { Id: UserPoolId } = UserPool as { Id: string };
  const client = { UserPoolId, ClientName: 'bench', ExplicitAuthFlows: FLOWS };
  const { UserPoolClient } = await call(server, cognitoIdp('CreateUserPoolClient', client));
  return { UserPoolId, ClientId: (UserPoolClient as { ClientId: string }).ClientId };
}

async function makeUser(server: Server, { UserPoolId }: Made, Username: string): Promise<void> {
  await call(server, cognitoIdp('AdminCreateUser', { UserPoolId, Username, MessageAction: 'SUPPRESS' }));
  const password = { UserPoolId, Username, Password: PASSWORD, Permanent: true };
  await call(server, cognitoIdp('AdminSetUserPassword', password));
}

const signIn = ({ ClientId }: Made, USERNAME: string) =>
  cognitoIdp('InitiateAuth', { ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME, PASSWORD } });

const READ = JSON.stringify({
  Username: 'jane',
  UserAttributes: [{ Name: 'sub', Value: '5fea7756-0ea4-451a-a703-a558b933e274' }],
});

/** Sends GetUser with an access token. */
const getUser = (): Prepare => {
  let token: string | undefined;
  return async (server) => {
    if (token === undefined) {
      const made = await makePool(server);
      await makeUser(server, made, 'jane');
      const { AuthenticationResult } = await call(server, signIn(made, 'jane'));
      token = (AuthenticationResult as { AccessToken: string }).AccessToken;
    }
    return [cognitoIdp('GetUser', { AccessToken: token }, true)];
  };
};

/** A figure with a fixed minimum. */
const absolute = (name: string, value: number, target: number, unit: string): Figure => ({
  name,
  value,
  reference: target,
  unit,
  ratio: value / target,
  target: unit === 'ms' ? { atMost: 1 } : { atLeast: 1 },
  rounds: 1,
});

/** Password sign-ins on all cores, and the latency of other requests during them. */
const passwordSignIns: Benchmark = ({ seconds }) =>
  withServers([startEmuOnAllCores()], async (emu) => {
    const made = await makePool(emu!);
    for (let user = 0; user < 16; user++) await makeUser(emu!, made, `user${user}`);
    const requests = Array.from({ length: 16 }, (_, user) => signIn(made, `user${user}`));
    await load(emu!, requests, { seconds: 2 });
    let perSecond = 0;
    const { p99 } = await healthWhile(emu!, 'sign-ins', async () => {
      ({ perSecond } = await load(emu!, requests, { seconds }));
    });
    return [
      absolute('Cognito InitiateAuth with a password beside 300', perSecond, 300, 'req/s'),
      absolute('health meanwhile, 99th percentile, beside 20', p99, 20, 'ms'),
    ];
  });

const PRIME = getDiffieHellman('modp15').getPrime();
const N = BigInt(`0x${PRIME.toString('hex')}`);
const TWO = Buffer.alloc(PRIME.length);
TWO[PRIME.length - 1] = 2;
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const bytesOf = (value: bigint): Buffer => {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
};
/** Encodes a positive number in two's complement. */
const padded = (bytes: Buffer): Buffer => (bytes[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Computes a power modulo the prime, which is RSA without padding. */
function power(base: Buffer, exponent: Buffer): bigint {
  const key = { kty: 'RSA', n: PRIME.toString('base64url'), e: exponent.toString('base64url') };
  const whole = Buffer.concat([Buffer.alloc(PRIME.length - base.length), base]);
  const rsa = { key: createPublicKey({ format: 'jwk', key }), padding: constants.RSA_NO_PADDING };
  return numberOf(publicEncrypt(rsa, whole));
}

/** Signs in once with SRP, as a client with precomputed values. */
async function signInBySrp(server: Server, { ClientId, UserPoolId }: Made, USERNAME: string): Promise<void> {
  const a = randomBytes(32);
  const A = power(TWO, a);
  const begin = { ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME, SRP_A: A.toString(16) } };
  const { ChallengeParameters } = await call(server, cognitoIdp('InitiateAuth', begin));
  const { SALT, SRP_B, SECRET_BLOCK } = ChallengeParameters as Record<string, string>;
  const B = BigInt(`0x${SRP_B}`);
  const group = UserPoolId.slice(UserPoolId.indexOf('_') + 1);
  const salt = bytesOf(BigInt(`0x${SALT}`));
  const x = sha256(padded(salt), sha256(`${group}${USERNAME}:${PASSWORD}`));
  const u = sha256(padded(bytesOf(A)), padded(bytesOf(B)));
  const k = numberOf(sha256(padded(PRIME), Buffer.from([2])));
  const base = (((B - k * power(TWO, x)) % N) + N) % N;
  const secret = power(bytesOf(base), bytesOf(numberOf(a) + numberOf(u) * numberOf(x)));
  const scramble = padded(bytesOf(numberOf(u)));
  const key = Buffer.from(hkdfSync('sha256', padded(bytesOf(secret)), scramble, 'Caldera Derived Key', 16));
  const TIMESTAMP = 'Thu Jan 1 00:00:00 UTC 2026';
  const signature = createHmac('sha256', key)
    .update(`${group}${USERNAME}`)
    .update(Buffer.from(SECRET_BLOCK!, 'base64'))
    .update(TIMESTAMP)
    .digest('base64');
  const proof = {
    USERNAME,
    TIMESTAMP,
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: signature,
  };
  const answer = { ClientId, ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses: proof };
  await call(server, cognitoIdp('RespondToAuthChallenge', answer));
}

/** SRP sign-ins on all cores, which emu shares with the client, whose computation is equally expensive. */
const srpSignIns: Benchmark = ({ seconds }) =>
  withServers([startEmuOnAllCores()], async (emu) => {
    const made = await makePool(emu!);
    for (let user = 0; user < 8; user++) await makeUser(emu!, made, `user${user}`);
    let done = 0;
    const run = async (until: number): Promise<void> => {
      done = 0;
      const client = async (_: unknown, user: number): Promise<void> => {
        while (performance.now() < until) {
          await signInBySrp(emu!, made, `user${user}`);
          done++;
        }
      };
      await Promise.all(Array.from({ length: 8 }, client));
    };
    await run(performance.now() + 2000);
    const { p99 } = await healthWhile(emu!, 'sign-ins', () => run(performance.now() + seconds * 1000));
    return [
      absolute('Cognito sign-ins by SRP beside 100', done / seconds, 100, 'req/s'),
      absolute('health meanwhile, 99th percentile, beside 20', p99, 20, 'ms'),
    ];
  });

/** Imports users from a CSV file. @returns their pool */
async function fill(server: Server, count: number): Promise<Made> {
  const made = await makePool(server);
  const { UserPoolId } = made;
  const { CSVHeader } = await call(server, cognitoIdp('GetCSVHeader', { UserPoolId }));
  const header = CSVHeader as string[];
  const given = (user: number): Record<string, string> => ({
    'cognito:username': `user${user}`,
    'cognito:mfa_enabled': 'FALSE',
    email: `user${user}@example.com`,
    email_verified: 'TRUE',
    phone_number_verified: 'FALSE',
  });
  const rows = Array.from({ length: count }, (_, user) => header.map((name) => given(user)[name] ?? '').join(','));
  const job = { UserPoolId, JobName: 'users', CloudWatchLogsRoleArn: 'arn:aws:iam::123456789012:role/r' };
  const { UserImportJob } = await call(server, cognitoIdp('CreateUserImportJob', job));
  const { JobId, PreSignedUrl } = UserImportJob as { JobId: string; PreSignedUrl: string };
  const uploaded = await fetch(PreSignedUrl, {
    method: 'PUT',
    headers: { 'x-amz-server-side-encryption': 'aws:kms' },
    body: [header.join(','), ...rows].join('\n'),
  });
  if (!uploaded.ok) throw new Error(`the upload was answered ${uploaded.status}`);
  await call(server, cognitoIdp('StartUserImportJob', { UserPoolId, JobId }));
  for (;;) {
    const described = await call(server, cognitoIdp('DescribeUserImportJob', { UserPoolId, JobId }));
    const { Status, ImportedUsers } = described.UserImportJob as { Status: string; ImportedUsers: number };
    if (Status === 'Succeeded' && ImportedUsers === count) return made;
    if (Status !== 'InProgress' && Status !== 'Pending') throw new Error(`the import came to ${Status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Cost of user list pages among 100,000 users, compared with 1,000. */
const users =
  (what: string, input: object): Benchmark =>
  (effort) =>
    withServers([startEmu(), startEmu()], async (many, few) => {
      const page = async (server: Server, count: number): Promise<Prepare> => {
        const { UserPoolId } = await fill(server, count);
        return async () => [cognitoIdp('ListUsers', { UserPoolId, Limit: 10, ...input })];
      };
      const ofMany = await page(many!, 100_000);
      const ofFew = await page(few!, 1000);
      const figures = await compareLoad(effort, [many!, ofMany], [few!, ofFew]);
      return [
        {
          name: `Cognito ListUsers ${what} in 100,000 beside 1,000`,
          unit: 'req/s',
          target: { atLeast: 0.9 },
          ...figures,
        },
      ];
    });

/** Benchmarks of user pools. */
export const cognitoBenchmarks: Readonly<Record<string, Benchmark>> = {
  'cognito-get-user': besideBare('Cognito GetUser', READ, getUser, 0.4),
  'cognito-password': passwordSignIns,
  'cognito-srp': srpSignIns,
  'cognito-list': users('of 10', {}),
  'cognito-filter': users('by e-mail address', { Filter: 'email = "user500@example.com"' }),
  'cognito-prefix': users('by prefix', { Filter: 'email ^= "user50"' }),
};
