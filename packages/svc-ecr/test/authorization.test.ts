import { ECR } from '@aws-sdk/client-ecr';
import { createTestEmulator, type TestEmulator, TestIdentities } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';

const ACCOUNT = '123456789012';

let user: ECR;
let emulator: TestEmulator;
beforeAll(async () => {
  const identities = new TestIdentities();
  emulator = await createTestEmulator({
    manifests: [manifest, identities.manifest],
    settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const may = [
    { Effect: 'Allow', Action: '*', Resource: '*' },
    { Effect: 'Deny', Action: 'ecr:TagResource', Resource: '*' },
  ];
  user = new ECR(emulator.clientConfig(identities.user(emulator, 'jane', { may })));
});
afterAll(() => emulator.close());

test('ecr:TagResource is needed by CreateRepository with tags, and not without', async () => {
  await expect(
    user.createRepository({ repositoryName: 'app', tags: [{ Key: 'env', Value: 'dev' }] }),
  ).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: `User: arn:aws:iam::${ACCOUNT}:user/jane is not authorized to perform: ecr:TagResource on resource: arn:aws:ecr:us-east-1:${ACCOUNT}:repository/app with an explicit deny in an identity-based policy`,
  });
  await user.createRepository({ repositoryName: 'app' });
});
