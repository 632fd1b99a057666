import { IAM } from '@aws-sdk/client-iam';
import {
  createTestEmulator,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

export const ACCOUNT = '123456789012';
export const ADMIN = 'arn:aws:iam::aws:policy/AdministratorAccess';

/** Returns a policy that allows everything by default. */
export const policy = (statement: Record<string, unknown> = {}): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: '*', Resource: '*', ...statement }],
  });

/** Returns a trust policy, by default of a service. */
export const trust = (principal: unknown = { Service: 'lambda.amazonaws.com' }): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: principal, Action: 'sts:AssumeRole' }],
  });

/** An emulator with IAM. Time stands still unless the test advances it. */
export interface IamTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** Client of the default account's root user. */
  readonly iam: IAM;
  client(options?: TestClientOptions): IAM;
  /** Creates a user with an access key, and its client. */
  user(name: string): Promise<{ iam: IAM; credentials: { accessKeyId: string; secretAccessKey: string } }>;
}

export async function startIam(options: TestEmulatorOptions = {}): Promise<IamTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest],
    settings: { accountId: ACCOUNT, region: 'eu-central-1' },
    ...options,
  });
  emulator.kernel.clock.freeze();
  const client = (clientOptions?: TestClientOptions) => new IAM(emulator.clientConfig(clientOptions));
  const iam = client();
  return {
    emulator,
    iam,
    client,
    async user(name) {
      await iam.createUser({ UserName: name });
      const { AccessKey } = await iam.createAccessKey({ UserName: name });
      const credentials = { accessKeyId: AccessKey!.AccessKeyId!, secretAccessKey: AccessKey!.SecretAccessKey! };
      return { iam: client(credentials), credentials };
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Returns `Code: message` of a request that must fail without effect. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  // The SDK names error classes after shapes, that is the code with `Exception`.
  return `${name.replace(/Exception$/, '')}: ${message}`;
}

/** Returns a response without the SDK's metadata. */
export function bodyOf<T extends { $metadata: unknown }>({ $metadata: _, ...body }: T): Omit<T, '$metadata'> {
  return body;
}
