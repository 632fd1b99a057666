import { CognitoIdentity } from '@aws-sdk/client-cognito-identity';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Starts an emulator with identity pools and a stopped clock. */
export async function startIdentity(): Promise<{ emulator: TestEmulator; pools: CognitoIdentity }> {
  const settings = { accountId: '000000000000', region: 'us-east-1' };
  const emulator = await createTestEmulator({ manifests: [manifest], settings });
  emulator.kernel.clock.freeze();
  return { emulator, pools: new CognitoIdentity({ ...emulator.clientConfig(), maxAttempts: 1 }) };
}

/** Returns code and message of a request that must fail, as `Code: message`. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}
