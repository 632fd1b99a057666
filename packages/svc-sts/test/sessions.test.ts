import {
  AssumeRoleCommand,
  AssumeRootCommand,
  DecodeAuthorizationMessageCommand,
  GetAccessKeyInfoCommand,
  GetCallerIdentityCommand,
  GetDelegatedAccessTokenCommand,
  GetFederationTokenCommand,
  GetSessionTokenCommand,
} from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { credentialsIn, type Emulator, secondsLeft, startEmulator } from './emulator.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

const whoIs = async (out: Parameters<typeof credentialsIn>[0]) => {
  const { Account, Arn, UserId } = await emulator.sts(credentialsIn(out)).send(new GetCallerIdentityCommand({}));
  return { Account, Arn, UserId };
};

describe('GetCallerIdentity', () => {
  test('is the root user of the default account for unknown keys', async () => {
    expect(await emulator.sts().send(new GetCallerIdentityCommand({}))).toMatchObject({
      Account: '000000000000',
      Arn: 'arn:aws:iam::000000000000:root',
      UserId: '000000000000',
    });
  });

  test('is the root user of the account encoded in the key', async () => {
    const client = emulator.sts({ accessKeyId: '000000000007', region: 'us-gov-west-1' });
    expect(await client.send(new GetCallerIdentityCommand({}))).toMatchObject({
      Account: '000000000007',
      Arn: 'arn:aws-us-gov:iam::000000000007:root',
    });
  });

  test('is the user of a registered key', async () => {
    const user = emulator.user('jane');
    expect(await emulator.sts(user.credentials).send(new GetCallerIdentityCommand({}))).toMatchObject({
      Account: '000000000000',
      Arn: 'arn:aws:iam::000000000000:user/jane',
      UserId: user.userId,
    });
  });
});

describe('GetSessionToken', () => {
  test('is the caller itself, for 12 hours', async () => {
    const user = emulator.user('session-user');
    const out = await emulator.sts(user.credentials).send(new GetSessionTokenCommand({}));
    expect(secondsLeft(out)).toBeCloseTo(43_200, -2);
    expect(await whoIs(out)).toEqual({ Account: '000000000000', Arn: user.arn, UserId: user.userId });
  });

  test('of a root user lasts one hour at most', async () => {
    expect(secondsLeft(await emulator.sts().send(new GetSessionTokenCommand({})))).toBeCloseTo(3600, -2);
    const long = await emulator.sts().send(new GetSessionTokenCommand({ DurationSeconds: 129_600 }));
    expect(secondsLeft(long)).toBeCloseTo(3600, -2);
    const short = await emulator.sts().send(new GetSessionTokenCommand({ DurationSeconds: 900 }));
    expect(secondsLeft(short)).toBeCloseTo(900, -2);
  });

  test('rejects session credentials', async () => {
    const session = emulator.sts(credentialsIn(await emulator.sts().send(new GetSessionTokenCommand({}))));
    await expect(session.send(new GetSessionTokenCommand({}))).rejects.toMatchObject({
      name: 'AccessDenied',
      message: 'Cannot call GetSessionToken with session credentials',
    });
    await expect(session.send(new GetFederationTokenCommand({ Name: 'bob' }))).rejects.toMatchObject({
      name: 'AccessDenied',
      message: 'Cannot call GetFederationToken with session credentials',
    });
  });

  test('of a user may assume roles, of a root user may not', async () => {
    const command = new AssumeRoleCommand({ RoleArn: 'arn:aws:iam::123456789012:role/x', RoleSessionName: 'se' });
    const user = emulator.user('role-user');
    const ofUser = await emulator.sts(user.credentials).send(new GetSessionTokenCommand({}));
    expect((await emulator.sts(credentialsIn(ofUser)).send(command)).Credentials).toBeDefined();
    const ofRoot = await emulator.sts().send(new GetSessionTokenCommand({}));
    await expect(emulator.sts(credentialsIn(ofRoot)).send(command)).rejects.toMatchObject({
      name: 'AccessDenied',
      message: 'Roles may not be assumed by root accounts.',
    });
  });

  test('stores the MFA device', async () => {
    const user = emulator.user('mfa-user');
    const client = emulator.sts(user.credentials);
    const SerialNumber = 'arn:aws:iam::000000000000:mfa/mfa-user';
    const out = await client.send(new GetSessionTokenCommand({ SerialNumber, TokenCode: '000000' }));
    expect(emulator.session(out)?.mfaAuthenticated).toBe(true);
    await expect(client.send(new GetSessionTokenCommand({ SerialNumber }))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
    await expect(client.send(new GetSessionTokenCommand({ SerialNumber, TokenCode: '12345' }))).rejects.toMatchObject({
      name: 'ValidationError',
    });
  });
});

describe('GetFederationToken', () => {
  test('is a federated user', async () => {
    const user = emulator.user('proxy');
    const out = await emulator.sts(user.credentials).send(new GetFederationTokenCommand({ Name: 'Bob' }));
    expect(out.FederatedUser).toEqual({
      Arn: 'arn:aws:sts::000000000000:federated-user/Bob',
      FederatedUserId: '000000000000:Bob',
    });
    expect(out.PackedPolicySize).toBe(0);
    expect(secondsLeft(out)).toBeCloseTo(43_200, -2);
    expect(await whoIs(out)).toEqual({
      Account: '000000000000',
      Arn: 'arn:aws:sts::000000000000:federated-user/Bob',
      UserId: '000000000000:Bob',
    });
  });

  test('of a root user lasts one hour', async () => {
    expect(secondsLeft(await emulator.sts().send(new GetFederationTokenCommand({ Name: 'Bob' })))).toBeCloseTo(
      3600,
      -2,
    );
  });

  test('cannot assume roles', async () => {
    const out = await emulator.sts().send(new GetFederationTokenCommand({ Name: 'Bob' }));
    const RoleArn = 'arn:aws:iam::000000000000:role/x';
    await expect(
      emulator.sts(credentialsIn(out)).send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'se' })),
    ).rejects.toMatchObject({
      name: 'AccessDenied',
      message: `User: arn:aws:sts::000000000000:federated-user/Bob is not authorized to perform: sts:AssumeRole on resource: ${RoleArn}`,
    });
  });

  test.each([
    ['B', /at 'name' failed to satisfy constraint: Member must have length greater than or equal to 2$/],
    ['a'.repeat(33), /at 'name' failed to satisfy constraint: Member must have length less than or equal to 32$/],
    [
      'a b',
      /at 'name' failed to satisfy constraint: Member must satisfy regular expression pattern: \[\\w\+=,\.@-\]\*$/,
    ],
  ])('rejects %s as a name', async (Name, message) => {
    await expect(emulator.sts().send(new GetFederationTokenCommand({ Name }))).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringMatching(message),
    });
  });
});

describe('AssumeRoot', () => {
  const TaskPolicyArn = { arn: 'arn:aws:iam::aws:policy/root-task/SQSUnlockQueuePolicy' };

  test.each(['111122223333', 'arn:aws:iam::111122223333:root'])('is the root user of %s', async (TargetPrincipal) => {
    const out = await emulator.sts().send(new AssumeRootCommand({ TargetPrincipal, TaskPolicyArn }));
    expect(secondsLeft(out)).toBeCloseTo(900, -2);
    expect(emulator.session(out)?.policyArns).toEqual([TaskPolicyArn.arn]);
    expect(await whoIs(out)).toEqual({
      Account: '111122223333',
      Arn: 'arn:aws:iam::111122223333:root',
      UserId: '111122223333',
    });
  });

  test.each([
    { TargetPrincipal: '11112222333x', TaskPolicyArn },
    { TargetPrincipal: 'arn:aws:iam::111122223333:user/jane', TaskPolicyArn },
    { TargetPrincipal: 'arn:aws-cn:iam::111122223333:root', TaskPolicyArn },
    { TargetPrincipal: '111122223333', TaskPolicyArn: { arn: 'arn:aws:iam::aws:policy/AdministratorAccess' } },
    { TargetPrincipal: '111122223333', TaskPolicyArn: {} },
    { TargetPrincipal: '111122223333', TaskPolicyArn, DurationSeconds: 901 },
  ])('rejects %j', async (input) => {
    await expect(emulator.sts().send(new AssumeRootCommand(input))).rejects.toMatchObject({ name: 'ValidationError' });
  });
});

describe('GetAccessKeyInfo', () => {
  const info = async (AccessKeyId: string) =>
    (await emulator.sts().send(new GetAccessKeyInfoCommand({ AccessKeyId }))).Account;

  test('returns the account encoded in ids of AWS', async () => {
    expect(await info('ASIAQNZGKIQY56JQ7WML')).toBe('029608264753');
  });

  test('returns the account of a session, registered or not', async () => {
    const RoleArn = 'arn:aws:iam::210987654321:role/x';
    const { Credentials } = await emulator.sts().send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'se' }));
    expect(await info(Credentials!.AccessKeyId!)).toBe('210987654321');
    emulator.kernel.credentials.delete(Credentials!.AccessKeyId!);
    expect(await info(Credentials!.AccessKeyId!)).toBe('210987654321');
  });

  test.each(['not-an-access-key-id', 'AIDAQNZGKIQY56JQ7WML', 'short'])(
    'rejects %s, which belongs to no account',
    async (id) => {
      await expect(info(id)).rejects.toMatchObject({ name: 'ValidationError' });
    },
  );
});

test('rejects a message that emu did not encode', async () => {
  await expect(
    emulator.sts().send(new DecodeAuthorizationMessageCommand({ EncodedMessage: 'abc' })),
  ).rejects.toMatchObject({ name: 'InvalidAuthorizationMessageException', $metadata: { httpStatusCode: 400 } });
});

test('rejects a token that no delegation request sent', async () => {
  await expect(emulator.sts().send(new GetDelegatedAccessTokenCommand({ TradeInToken: 'abc' }))).rejects.toMatchObject({
    name: 'ValidationError',
    message: 'The trade-in token is invalid',
  });
});
