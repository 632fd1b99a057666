import { createHmac } from 'node:crypto';
import {
  CognitoIdentityProvider,
  type CreateUserPoolClientCommandInput,
  type CreateUserPoolCommandInput,
} from '@aws-sdk/client-cognito-identity-provider';
import type { CognitoConfirmationCode } from '@emu/control-client';
import {
  createTestEmulator,
  refusal,
  rejection,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const ACCOUNT = '000000000000';
const REGION = 'us-east-1';
export const PASSWORD = 'Passw0rd!';
/** Start time of tests. */
const START = '2026-01-01T00:00:00Z';

/** A pool with a client. */
export interface Made {
  UserPoolId: string;
  ClientId: string;
}

/** Test environment of user pools. Time stands still unless the test advances it. */
export interface CognitoTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  readonly cognito: CognitoIdentityProvider;
  /** Creates a pool with a client that allows every flow. */
  make(pool?: Partial<CreateUserPoolCommandInput>, client?: Partial<CreateUserPoolClientCommandInput>): Promise<Made>;
  /** Creates a confirmed user with a permanent password. */
  user(made: Made, name?: string, attributes?: Record<string, string>): Promise<void>;
  /** Signs a user in by password. */
  signIn(made: Made, name?: string): Promise<{ AccessToken: string; IdToken: string; RefreshToken: string }>;
  /** Returns the latest code sent to a user. */
  code(made: Made, name: string): Promise<CognitoConfirmationCode>;
  /** Advances the clock by milliseconds. */
  advance(milliseconds: number): Promise<void>;
}

export const attributes = (values: Record<string, string>) =>
  Object.entries(values).map(([Name, Value]) => ({ Name, Value }));

/** Starts an emulator with user pools. */
export async function startCognito(options: TestEmulatorOptions = {}): Promise<CognitoTest> {
  const { manifests = [], ...rest } = options;
  const emulator = await createTestEmulator({
    manifests: [manifest, ...manifests],
    settings: { accountId: ACCOUNT, region: REGION },
    ...rest,
  });
  emulator.kernel.clock.freeze();
  await emulator.kernel.clock.set(Date.parse(START));
  const cognito = new CognitoIdentityProvider({ ...emulator.clientConfig(), maxAttempts: 1 });
  return {
    emulator,
    cognito,
    async make(pool = {}, client = {}) {
      const { UserPool } = await cognito.createUserPool({ PoolName: 'pool', ...pool });
      const { UserPoolClient } = await cognito.createUserPoolClient({
        UserPoolId: UserPool!.Id!,
        ClientName: 'client',
        ExplicitAuthFlows: [
          'ALLOW_USER_PASSWORD_AUTH',
          'ALLOW_ADMIN_USER_PASSWORD_AUTH',
          'ALLOW_USER_SRP_AUTH',
          'ALLOW_CUSTOM_AUTH',
          'ALLOW_REFRESH_TOKEN_AUTH',
          'ALLOW_USER_AUTH',
        ],
        ...client,
      });
      return { UserPoolId: UserPool!.Id!, ClientId: UserPoolClient!.ClientId! };
    },
    async user({ UserPoolId }, Username = 'jane', values = {}) {
      await cognito.adminCreateUser({
        UserPoolId,
        Username,
        UserAttributes: attributes(values),
        MessageAction: 'SUPPRESS',
      });
      await cognito.adminSetUserPassword({ UserPoolId, Username, Password: PASSWORD, Permanent: true });
    },
    async signIn({ ClientId }, USERNAME = 'jane') {
      const { AuthenticationResult } = await cognito.initiateAuth({
        ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME, PASSWORD },
      });
      return AuthenticationResult as { AccessToken: string; IdToken: string; RefreshToken: string };
    },
    async code({ UserPoolId }, name) {
      const path = `/_emulator/cognito/confirmation-codes/${UserPoolId}/${encodeURIComponent(name)}`;
      const { json } = await emulator.control('GET', path);
      return (json as { codes: CognitoConfirmationCode[] }).codes.at(-1)!;
    },
    advance: (milliseconds) => emulator.kernel.clock.advance(milliseconds),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Returns `Code: message` of a request that must fail. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}

/** Returns the claims of a token. */
export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

/** Same as `failureOf`, for failures that are counted, such as wrong passwords and codes. */
export async function countedFailureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await rejection(request);
  return `${name}: ${message}`;
}

/** Returns the current code of a software token, by the test's clock. */
export function totp(secret: string, now: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const hash = createHmac('sha1', key).update(counter).digest();
  const code = hash.readUInt32BE(hash[19]! & 15) & 0x7fffffff;
  return String(code % 1_000_000).padStart(6, '0');
}
