import {
  AssumeRoleCommand,
  GetCallerIdentityCommand,
  GetFederationTokenCommand,
  GetSessionTokenCommand,
  GetWebIdentityTokenCommand,
  STSClient,
} from '@aws-sdk/client-sts';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { credentialsIn } from './emulator.ts';
import { iamWithFederation } from './iam.ts';

/** Returns the signing key of the account's web identity tokens. */
async function signingKey(sts: STSClient): Promise<string> {
  const command = new GetWebIdentityTokenCommand({ Audience: ['a'], SigningAlgorithm: 'ES384' });
  const [header] = (await sts.send(command)).WebIdentityToken!.split('.');
  return (JSON.parse(Buffer.from(header!, 'base64url').toString()) as { kid: string }).kid;
}

async function act(config: TestClientConfig) {
  const sts = new STSClient(config);
  const { Account } = await sts.send(new GetCallerIdentityCommand({}));
  const issued = [
    await sts.send(new AssumeRoleCommand({ RoleArn: `arn:aws:iam::${Account}:role/x`, RoleSessionName: 'se' })),
    await sts.send(new GetFederationTokenCommand({ Name: 'bob' })),
    await sts.send(new GetSessionTokenCommand({})),
  ];
  return { sessions: issued.map(credentialsIn), key: await signingKey(sts) };
}

/** Returns the principals of the sessions, and whether the key is unchanged. */
async function observe(config: TestClientConfig, { sessions, key }: Awaited<ReturnType<typeof act>>) {
  const identities = [];
  for (const credentials of sessions) {
    const { Arn, UserId } = await new STSClient({ ...config, credentials }).send(new GetCallerIdentityCommand({}));
    identities.push({ Arn, UserId });
  }
  return { identities, sameKey: (await signingKey(new STSClient(config))) === key };
}

describeServiceContract({
  manifest,
  others: [iamWithFederation(['000000000001', '000000000002'])],
  scope: 'session',
  act,
  observe,
});
