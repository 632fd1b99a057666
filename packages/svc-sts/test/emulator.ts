import { type AssumeRoleCommandOutput, STSClient } from '@aws-sdk/client-sts';
import { type Credential, newAccessKeyId, type ServiceManifest } from '@emu/core/service';
import {
  createTestEmulator,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

type Issued = Pick<AssumeRoleCommandOutput, 'Credentials'>;

/** Returns the credentials of a response in the form for clients. */
export function credentialsIn({ Credentials }: Issued): Required<Omit<TestClientOptions, 'region'>> {
  return {
    accessKeyId: Credentials!.AccessKeyId!,
    secretAccessKey: Credentials!.SecretAccessKey!,
    sessionToken: Credentials!.SessionToken!,
  };
}

/** Returns the seconds until credentials expire. */
export const secondsLeft = ({ Credentials }: Issued): number =>
  (Credentials!.Expiration!.getTime() - Date.now()) / 1000;

/** An emulator with STS and clients for it. */
export interface Emulator extends TestEmulator {
  sts(client?: TestClientOptions): STSClient;
  /** Registers a user with a long-term key. */
  user(name: string): {
    arn: string;
    userId: string;
    credentials: Required<Pick<TestClientOptions, 'accessKeyId' | 'secretAccessKey'>>;
  };
  /** Returns the stored properties of a session. */
  session(issued: Issued): Credential['session'];
}

/** @param manifests services besides STS */
export async function startEmulator(
  manifests: ServiceManifest[] = [],
  options: TestEmulatorOptions = {},
): Promise<Emulator> {
  const emulator = await createTestEmulator({
    manifests: [manifest, ...manifests],
    settings: { accountId: '000000000000' },
    ...options,
  });
  const { kernel } = emulator;
  return {
    ...emulator,
    sts: (client = {}) => new STSClient(emulator.clientConfig(client)),
    user(name) {
      const principal = {
        type: 'user',
        accountId: '000000000000',
        arn: `arn:aws:iam::000000000000:user/${name}`,
        userId: `AIDA${kernel.ids.chars(17)}`,
      } as const;
      const credentials = {
        accessKeyId: newAccessKeyId('AKIA', principal.accountId, kernel.ids),
        secretAccessKey: kernel.ids.chars(40),
      };
      kernel.credentials.put({ ...credentials, active: true, principal });
      return { ...principal, credentials };
    },
    session: (issued) => kernel.credentials.get(credentialsIn(issued).accessKeyId)?.session,
  };
}
