import { AssumeRoleCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentialsIn, type Emulator, startEmulator } from './emulator.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator([], { verifySigv4: true });
});
afterAll(() => emulator.close());

const command = new AssumeRoleCommand({ RoleArn: 'arn:aws:iam::123456789012:role/x', RoleSessionName: 'se' });

test('a session verifies until it expires', async () => {
  const user = emulator.user('jane');
  const session = credentialsIn(await emulator.sts(user.credentials).send(command));
  const whoAmI = new GetCallerIdentityCommand({});
  expect((await emulator.sts(session).send(whoAmI)).Arn).toBe('arn:aws:sts::123456789012:assumed-role/x/se');
  await expect(emulator.sts({ ...session, secretAccessKey: 'other' }).send(whoAmI)).rejects.toMatchObject({
    name: 'SignatureDoesNotMatch',
  });
  await expect(emulator.sts({ ...session, sessionToken: 'other' }).send(whoAmI)).rejects.toMatchObject({
    name: 'InvalidClientTokenId',
  });
  emulator.kernel.credentials.put({
    ...emulator.kernel.credentials.get(session.accessKeyId)!,
    expiresAt: emulator.kernel.clock.now() - 1,
  });
  await expect(emulator.sts(session).send(whoAmI)).rejects.toMatchObject({ name: 'ExpiredToken' });
});

test('an unknown key does not verify', async () => {
  await expect(emulator.sts().send(command)).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
});
