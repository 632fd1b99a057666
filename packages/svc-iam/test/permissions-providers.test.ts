import { IAM } from '@aws-sdk/client-iam';
import { createTestEmulator } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { ACCOUNT, failureOf, policy } from './support.ts';

const TAGS = [{ Key: 'team', Value: 'web' }];

test('conditions evaluate tags of providers and devices', async () => {
  await using emulator = await createTestEmulator({
    manifests: [manifest],
    settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } },
    verifySigv4: true,
  });
  const created = { accountId: ACCOUNT, userName: 'admin' };
  const { json } = await emulator.control('POST', '/_emulator/iam/create-admin', created);
  const admin = new IAM(emulator.clientConfig(json as { accessKeyId: string; secretAccessKey: string }));
  await admin.createUser({ UserName: 'jane' });
  await admin.putUserPolicy({
    UserName: 'jane',
    PolicyName: 'web',
    PolicyDocument: policy({ Condition: { StringEquals: { 'aws:ResourceTag/team': 'web' } } }),
  });
  const { AccessKey } = await admin.createAccessKey({ UserName: 'jane' });
  const keys = { accessKeyId: AccessKey!.AccessKeyId!, secretAccessKey: AccessKey!.SecretAccessKey! };
  const jane = new IAM(emulator.clientConfig(keys));
  const own = await admin.createOpenIDConnectProvider({ Url: 'https://own.example', Tags: TAGS });
  const other = await admin.createOpenIDConnectProvider({ Url: 'https://other.example' });
  const get = ({ OpenIDConnectProviderArn }: { OpenIDConnectProviderArn?: string | undefined }) =>
    jane.getOpenIDConnectProvider({ OpenIDConnectProviderArn });
  expect((await get(own)).Url).toBe('own.example');
  expect(await failureOf(get(other))).toBe(
    `AccessDenied: User: arn:aws:iam::${ACCOUNT}:user/jane is not authorized to perform: iam:GetOpenIDConnectProvider on resource: arn:aws:iam::${ACCOUNT}:oidc-provider/other.example because no identity-based policy allows the iam:GetOpenIDConnectProvider action`,
  );
  for (const [VirtualMFADeviceName, Tags] of [
    ['own', TAGS],
    ['other', []],
  ] as const)
    await admin.createVirtualMFADevice({ VirtualMFADeviceName, Tags: [...Tags] });
  await jane.listMFADeviceTags({ SerialNumber: `arn:aws:iam::${ACCOUNT}:mfa/own` });
  expect(await failureOf(jane.listMFADeviceTags({ SerialNumber: `arn:aws:iam::${ACCOUNT}:mfa/other` }))).toContain(
    'AccessDenied: ',
  );
});
