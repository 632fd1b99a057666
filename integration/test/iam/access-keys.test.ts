import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { describe, expect, test } from 'vitest';
import { ACCOUNT, bodyOf, failureOf, startIam, trust } from './support.ts';

describe('access keys', () => {
  test('a key is created, listed, deactivated, activated and deleted', async () => {
    await using t = await startIam();
    await t.iam.createUser({ UserName: 'jane' });
    const { AccessKey } = await t.iam.createAccessKey({ UserName: 'jane' });
    expect(AccessKey).toEqual({
      UserName: 'jane',
      AccessKeyId: expect.stringMatching(/^AKIA[A-Z2-7]{16}$/),
      SecretAccessKey: expect.stringMatching(/^[\w+/]{40}$/),
      Status: 'Active',
      CreateDate: expect.any(Date),
    });
    const AccessKeyId = AccessKey!.AccessKeyId!;
    const { SecretAccessKey, ...metadata } = AccessKey!;
    expect(bodyOf(await t.iam.listAccessKeys({ UserName: 'jane' }))).toEqual({
      AccessKeyMetadata: [metadata],
      IsTruncated: false,
    });
    await t.iam.updateAccessKey({ UserName: 'jane', AccessKeyId, Status: 'Inactive' });
    expect((await t.iam.listAccessKeys({ UserName: 'jane' })).AccessKeyMetadata![0]!.Status).toBe('Inactive');
    await t.iam.createAccessKey({ UserName: 'jane' });
    expect(await failureOf(t.iam.createAccessKey({ UserName: 'jane' }))).toBe(
      'LimitExceeded: Cannot exceed quota for AccessKeysPerUser: 2',
    );
    await t.iam.deleteAccessKey({ UserName: 'jane', AccessKeyId });
    const gone = `NoSuchEntity: The Access Key with id ${AccessKeyId} cannot be found.`;
    expect(await failureOf(t.iam.deleteAccessKey({ UserName: 'jane', AccessKeyId }))).toBe(gone);
    expect(await failureOf(t.iam.updateAccessKey({ UserName: 'jane', AccessKeyId, Status: 'Active' }))).toBe(gone);
    expect(await failureOf(t.iam.getAccessKeyLastUsed({ AccessKeyId }))).toBe(gone);
    expect(await failureOf(t.iam.listAccessKeys({ UserName: 'x' }))).toContain('NoSuchEntity');
  });

  test('rejects keys of other users', async () => {
    await using t = await startIam();
    const jane = await t.user('jane');
    await t.iam.createUser({ UserName: 'joan' });
    const { accessKeyId: AccessKeyId } = jane.credentials;
    expect(await failureOf(t.iam.deleteAccessKey({ UserName: 'joan', AccessKeyId }))).toContain('NoSuchEntity');
    const other = t.client({ accessKeyId: '000000000001' });
    expect(await failureOf(other.getAccessKeyLastUsed({ AccessKeyId }))).toContain('NoSuchEntity');
  });

  test("without a name they are the caller's", async () => {
    await using t = await startIam();
    const jane = await t.user('jane');
    expect((await jane.iam.listAccessKeys({})).AccessKeyMetadata!.map(({ UserName }) => UserName)).toEqual(['jane']);
    expect((await t.iam.listAccessKeys({})).AccessKeyMetadata).toEqual([]);
    const { AccessKey } = await t.iam.createAccessKey({});
    expect((await t.iam.listAccessKeys({})).AccessKeyMetadata).toHaveLength(1);
    expect((await t.iam.getAccountSummary({})).SummaryMap).toMatchObject({ AccountAccessKeysPresent: 1 });
    const root = t.client({ accessKeyId: AccessKey!.AccessKeyId!, secretAccessKey: AccessKey!.SecretAccessKey! });
    expect((await root.getUser({})).User!.Arn).toBe(`arn:aws:iam::${ACCOUNT}:root`);
  });

  test('the last use of a key is returned, to the second', async () => {
    await using t = await startIam();
    const { clock } = t.emulator.kernel;
    const jane = await t.user('jane');
    const { accessKeyId: AccessKeyId } = jane.credentials;
    const lastUsed = async () => bodyOf(await t.iam.getAccessKeyLastUsed({ AccessKeyId }));
    expect(await lastUsed()).toEqual({
      UserName: 'jane',
      AccessKeyLastUsed: { ServiceName: 'N/A', Region: 'N/A' },
    });
    for (const minutes of [0, 0.5, 10]) {
      await clock.advance(minutes * 60_000);
      const sts = new STSClient(t.emulator.clientConfig({ ...jane.credentials, region: 'eu-west-1' }));
      await sts.send(new GetCallerIdentityCommand({}));
      expect((await lastUsed()).AccessKeyLastUsed).toEqual({
        ServiceName: 'sts',
        Region: 'eu-west-1',
        LastUsedDate: new Date(Math.floor(clock.now() / 1000) * 1000),
      });
    }
  });

  test('signatures are valid until the key is deactivated', async () => {
    await using t = await startIam({ verifySigv4: true });
    const { kernel } = t.emulator;
    const admin = await t.emulator.control('POST', '/_emulator/iam/create-admin', {
      accountId: ACCOUNT,
      userName: 'admin',
    });
    const { accessKeyId, secretAccessKey } = admin.json as { accessKeyId: string; secretAccessKey: string };
    const iam = t.client({ accessKeyId, secretAccessKey });
    expect((await iam.getUser({})).User!.UserName).toBe('admin');
    await iam.createUser({ UserName: 'jane' });
    const { AccessKey } = await iam.createAccessKey({ UserName: 'jane' });
    const credentials = { accessKeyId: AccessKey!.AccessKeyId!, secretAccessKey: AccessKey!.SecretAccessKey! };
    expect((await t.client(credentials).getUser({})).User!.UserName).toBe('jane');
    expect(await failureOf(t.client({ ...credentials, secretAccessKey: 'x' }).getUser({}))).toContain(
      'SignatureDoesNotMatch',
    );
    await iam.updateAccessKey({ UserName: 'jane', AccessKeyId: credentials.accessKeyId, Status: 'Inactive' });
    expect(await failureOf(t.client(credentials).getUser({}))).toContain('InvalidClientTokenId');
    expect(kernel.credentials.get(credentials.accessKeyId)?.active).toBe(false);
  });
});

test('an administrator created by the emulator is a user with every permission', async () => {
  await using t = await startIam();
  const make = async () => {
    const { status, json } = await t.emulator.control('POST', '/_emulator/iam/create-admin', {
      accountId: '000000000007',
      userName: 'admin',
    });
    expect(status).toBe(200);
    return json as { accessKeyId: string; secretAccessKey: string; arn: string };
  };
  const keys = [await make(), await make(), await make()];
  const iam = t.client(keys[0]!);
  const { User } = await iam.getUser({});
  expect(User).toMatchObject({ UserName: 'admin', Arn: 'arn:aws:iam::000000000007:user/admin' });
  expect((await iam.listAttachedUserPolicies({ UserName: 'admin' })).AttachedPolicies).toEqual([
    { PolicyName: 'AdministratorAccess', PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' },
  ]);
  const { AccessKeyMetadata } = await iam.listAccessKeys({});
  expect(new Set(AccessKeyMetadata!.map(({ AccessKeyId }) => AccessKeyId))).toEqual(
    new Set(keys.map(({ accessKeyId }) => accessKeyId)),
  );
});

test("a role session has the role's id, records its use, and lasts as long as the role allows", async () => {
  await using t = await startIam();
  const jane = await t.user('jane');
  const { Role } = await t.iam.createRole({ RoleName: 'app', AssumeRolePolicyDocument: trust({ AWS: ACCOUNT }) });
  const { STS } = await import('@aws-sdk/client-sts');
  const sts = new STS(t.emulator.clientConfig(jane.credentials));
  const request = { RoleArn: Role!.Arn, RoleSessionName: 'ses' };
  expect(await failureOf(sts.assumeRole({ ...request, DurationSeconds: 3601 }))).toBe(
    'ValidationError: The requested DurationSeconds exceeds the MaxSessionDuration set for this role.',
  );
  await t.iam.updateRole({ RoleName: 'app', MaxSessionDuration: 7200 });
  const { Credentials, AssumedRoleUser } = await sts.assumeRole({ ...request, DurationSeconds: 7200 });
  expect(AssumedRoleUser).toEqual({
    Arn: `arn:aws:sts::${ACCOUNT}:assumed-role/app/ses`,
    AssumedRoleId: `${Role!.RoleId}:ses`,
  });
  expect((await t.iam.getRole({ RoleName: 'app' })).Role!.RoleLastUsed).toEqual({});
  const session = t.client({
    accessKeyId: Credentials!.AccessKeyId!,
    secretAccessKey: Credentials!.SecretAccessKey!,
    sessionToken: Credentials!.SessionToken!,
  });
  expect(await failureOf(session.getUser({}))).toBe(
    'ValidationError: Must specify userName when calling with non-User credentials',
  );
  expect((await t.iam.getRole({ RoleName: 'app' })).Role!.RoleLastUsed).toEqual({
    LastUsedDate: expect.any(Date),
    Region: 'eu-central-1',
  });
  // An unknown role can be assumed if policies are not enforced.
  const unknown = await sts.assumeRole({ RoleArn: `arn:aws:iam::${ACCOUNT}:role/unknown`, RoleSessionName: 'ses' });
  expect(unknown.AssumedRoleUser!.Arn).toBe(`arn:aws:sts::${ACCOUNT}:assumed-role/unknown/ses`);
});
