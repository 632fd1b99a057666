// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policies spell their variables so.
import { IAM } from '@aws-sdk/client-iam';
import { STS } from '@aws-sdk/client-sts';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-iam/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT, policy, trust } from './support.ts';

/** Requests are verified and require permissions here, as in AWS. */
let emulator: TestEmulator;
let admin: IAM;

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

beforeEach(async () => {
  emulator = await createTestEmulator({
    manifests: [manifest, sts],
    settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } },
    verifySigv4: true,
  });
  const created = { accountId: ACCOUNT, userName: 'admin' };
  const { json } = await emulator.control('POST', '/_emulator/iam/create-admin', created);
  admin = new IAM(emulator.clientConfig(json as Keys));
});
afterEach(() => emulator.close());

const iam = (keys: Keys) => new IAM(emulator.clientConfig(keys));
const callSts = (keys: Keys) => new STS(emulator.clientConfig(keys));
const JANE = `arn:aws:iam::${ACCOUNT}:user/jane`;

async function user(UserName: string): Promise<Keys> {
  await admin.createUser({ UserName });
  const { AccessKey } = await admin.createAccessKey({ UserName });
  return { accessKeyId: AccessKey!.AccessKeyId!, secretAccessKey: AccessKey!.SecretAccessKey! };
}
const refused = (
  action: string,
  resource: string,
  why = `because no identity-based policy allows the ${action} action`,
) => ({
  name: 'AccessDenied',
  message: `User: ${JANE} is not authorized to perform: ${action} on resource: ${resource} ${why}`,
  $metadata: expect.objectContaining({ httpStatusCode: 403 }),
});

describe('administrators', () => {
  test('are users of IAM with every permission', async () => {
    const { User } = await admin.getUser({});
    expect(User).toMatchObject({ UserName: 'admin', Arn: `arn:aws:iam::${ACCOUNT}:user/admin` });
    const { AttachedPolicies } = await admin.listAttachedUserPolicies({ UserName: 'admin' });
    expect(AttachedPolicies).toMatchObject([{ PolicyName: 'AdministratorAccess' }]);
    expect((await admin.listAccessKeys({ UserName: 'admin' })).AccessKeyMetadata).toHaveLength(1);
  });

  test('are created once for any number of keys, and in any account', async () => {
    const create = async (accountId: string) =>
      (await emulator.control('POST', '/_emulator/iam/create-admin', { accountId, userName: 'admin' })).json as Keys;
    const again = iam(await create(ACCOUNT));
    expect((await again.getUser({})).User?.UserId).toBe((await admin.getUser({})).User?.UserId);
    const other = iam(await create('000000000002'));
    expect((await other.listUsers({})).Users).toMatchObject([{ Arn: 'arn:aws:iam::000000000002:user/admin' }]);
  });

  test('lose permissions that their policies no longer allow', async () => {
    await admin.detachUserPolicy({ UserName: 'admin', PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' });
    await expect(admin.listUsers({})).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});

describe('users', () => {
  test('have the permissions of their own, group and attached policies', async () => {
    const jane = iam(await user('jane'));
    const list = () => jane.listUsers({});
    await expect(list()).rejects.toMatchObject(refused('iam:ListUsers', `arn:aws:iam::${ACCOUNT}:user/`));
    await admin.putUserPolicy({ UserName: 'jane', PolicyName: 'p', PolicyDocument: policy({ Action: 'iam:List*' }) });
    await list();
    await admin.deleteUserPolicy({ UserName: 'jane', PolicyName: 'p' });
    await admin.createGroup({ GroupName: 'readers' });
    await admin.addUserToGroup({ GroupName: 'readers', UserName: 'jane' });
    await expect(list()).rejects.toMatchObject({ name: 'AccessDenied' });
    await admin.attachGroupPolicy({ GroupName: 'readers', PolicyArn: 'arn:aws:iam::aws:policy/IAMReadOnlyAccess' });
    await list();
    await admin.putGroupPolicy({
      GroupName: 'readers',
      PolicyName: 'no',
      PolicyDocument: policy({ Effect: 'Deny', Action: 'iam:ListUsers' }),
    });
    await expect(list()).rejects.toMatchObject(
      refused('iam:ListUsers', `arn:aws:iam::${ACCOUNT}:user/`, 'with an explicit deny in an identity-based policy'),
    );
  });

  test('are limited by their boundary, and by the default version of a policy', async () => {
    const jane = iam(await user('jane'));
    const { Policy } = await admin.createPolicy({ PolicyName: 'mine', PolicyDocument: policy() });
    const PolicyArn = Policy!.Arn!;
    await admin.attachUserPolicy({ UserName: 'jane', PolicyArn });
    await jane.listUsers({});
    const narrow = { PolicyArn, PolicyDocument: policy({ Action: 'sts:*' }), SetAsDefault: true };
    await admin.createPolicyVersion(narrow);
    await expect(jane.listUsers({})).rejects.toMatchObject({ name: 'AccessDenied' });
    await admin.setDefaultPolicyVersion({ PolicyArn, VersionId: 'v1' });
    await jane.listUsers({});
    await admin.putUserPermissionsBoundary({
      UserName: 'jane',
      PermissionsBoundary: 'arn:aws:iam::aws:policy/AmazonSQSFullAccess',
    });
    await expect(jane.listUsers({})).rejects.toMatchObject(
      refused(
        'iam:ListUsers',
        `arn:aws:iam::${ACCOUNT}:user/`,
        'because no permissions boundary allows the iam:ListUsers action',
      ),
    );
  });

  test('may be limited to users and roles with a certain boundary', async () => {
    const jane = iam(await user('jane'));
    const PermissionsBoundary = 'arn:aws:iam::aws:policy/AmazonSQSFullAccess';
    const Condition = { StringEquals: { 'iam:PermissionsBoundary': PermissionsBoundary } };
    const Action = ['iam:CreateUser', 'iam:PutUserPolicy', 'iam:DeleteUserPermissionsBoundary'];
    await admin.putUserPolicy({ UserName: 'jane', PolicyName: 'p', PolicyDocument: policy({ Action, Condition }) });
    await expect(jane.createUser({ UserName: 'free' })).rejects.toMatchObject({ name: 'AccessDenied' });
    await jane.createUser({ UserName: 'bound', PermissionsBoundary });
    const inline = { PolicyName: 'all', PolicyDocument: policy() };
    await jane.putUserPolicy({ UserName: 'bound', ...inline });
    await admin.createUser({ UserName: 'free' });
    await expect(jane.putUserPolicy({ UserName: 'free', ...inline })).rejects.toMatchObject({ name: 'AccessDenied' });
    await admin.putUserPermissionsBoundary({
      UserName: 'free',
      PermissionsBoundary: 'arn:aws:iam::aws:policy/AmazonSNSFullAccess',
    });
    await expect(jane.putUserPolicy({ UserName: 'free', ...inline })).rejects.toMatchObject({ name: 'AccessDenied' });
    await jane.deleteUserPermissionsBoundary({ UserName: 'bound' });
    await expect(jane.putUserPolicy({ UserName: 'bound', ...inline })).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('can act on the resources in their policies, with variables and tags', async () => {
    const jane = iam(await user('jane'));
    const own = policy({ Action: ['iam:GetUser', 'iam:*AccessKey*'], Resource: 'arn:aws:iam::*:user/${aws:username}' });
    await admin.putUserPolicy({ UserName: 'jane', PolicyName: 'own', PolicyDocument: own });
    await jane.getUser({});
    await jane.createAccessKey({});
    await jane.listAccessKeys({ UserName: 'jane' });
    await expect(jane.getUser({ UserName: 'admin' })).rejects.toMatchObject(
      refused('iam:GetUser', `arn:aws:iam::${ACCOUNT}:user/admin`),
    );
    await admin.createRole({
      RoleName: 'r',
      Path: '/team/',
      AssumeRolePolicyDocument: trust(),
      Tags: [{ Key: 'team', Value: 'blue' }],
    });
    const tagged = policy({ Action: 'iam:GetRole', Condition: { StringEquals: { 'iam:ResourceTag/team': 'blue' } } });
    await expect(jane.getRole({ RoleName: 'r' })).rejects.toMatchObject(
      refused('iam:GetRole', `arn:aws:iam::${ACCOUNT}:role/team/r`),
    );
    await admin.putUserPolicy({ UserName: 'jane', PolicyName: 'tagged', PolicyDocument: tagged });
    await jane.getRole({ RoleName: 'r' });
  });

  test('attach the policies that conditions allow, and need permission to tag new resources', async () => {
    const jane = iam(await user('jane'));
    const PolicyArn = 'arn:aws:iam::aws:policy/ReadOnlyAccess';
    const some = policy({ Action: 'iam:AttachUserPolicy', Condition: { ArnEquals: { 'iam:PolicyARN': PolicyArn } } });
    await admin.putUserPolicy({ UserName: 'jane', PolicyName: 'some', PolicyDocument: some });
    await jane.attachUserPolicy({ UserName: 'jane', PolicyArn });
    const all = 'arn:aws:iam::aws:policy/AdministratorAccess';
    await expect(jane.attachUserPolicy({ UserName: 'jane', PolicyArn: all })).rejects.toMatchObject({
      name: 'AccessDenied',
    });
    await admin.putUserPolicy({
      UserName: 'jane',
      PolicyName: 'some',
      PolicyDocument: policy({ Action: 'iam:CreateUser' }),
    });
    await jane.createUser({ UserName: 'bob' });
    const Tags = [{ Key: 'a', Value: 'b' }];
    await expect(jane.createUser({ UserName: 'ann', Tags })).rejects.toMatchObject(
      refused('iam:TagUser', `arn:aws:iam::${ACCOUNT}:user/ann`),
    );
  });

  test('need to pass the role that they give to instances', async () => {
    const jane = iam(await user('jane'));
    await admin.createInstanceProfile({ InstanceProfileName: 'i' });
    await admin.createRole({ RoleName: 'r', AssumeRolePolicyDocument: trust() });
    const add = () => jane.addRoleToInstanceProfile({ InstanceProfileName: 'i', RoleName: 'r' });
    const may = (statement: object) =>
      admin.putUserPolicy({ UserName: 'jane', PolicyName: 'p', PolicyDocument: policy({ ...statement }) });
    await may({ Action: 'iam:AddRoleToInstanceProfile' });
    await expect(add()).rejects.toMatchObject(refused('iam:PassRole', `arn:aws:iam::${ACCOUNT}:role/r`));
    await may({ Action: ['iam:AddRoleToInstanceProfile', 'iam:PassRole'] });
    await add();
  });
});

describe('keys', () => {
  const unknown = { name: 'InvalidClientTokenId', message: 'The security token included in the request is invalid.' };

  test('of users are valid until they are inactive or deleted', async () => {
    const keys = await user('jane');
    const who = () => callSts(keys).getCallerIdentity({});
    expect((await who()).Arn).toBe(JANE);
    await expect(callSts({ ...keys, secretAccessKey: 'wrong' }).getCallerIdentity({})).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
    const AccessKeyId = keys.accessKeyId;
    await admin.updateAccessKey({ UserName: 'jane', AccessKeyId, Status: 'Inactive' });
    await expect(who()).rejects.toMatchObject(unknown);
    await admin.updateAccessKey({ UserName: 'jane', AccessKeyId, Status: 'Active' });
    await who();
    await admin.deleteAccessKey({ UserName: 'jane', AccessKeyId });
    await expect(who()).rejects.toMatchObject(unknown);
  });

  test('that are unknown are invalid', async () => {
    for (const accessKeyId of ['test', '000000000001'])
      await expect(callSts({ accessKeyId, secretAccessKey: 'test' }).getCallerIdentity({})).rejects.toMatchObject(
        unknown,
      );
  });

  test('of sessions are valid until they expire, with their token only', async () => {
    const jane = await user('jane');
    await admin.createRole({ RoleName: 'app', AssumeRolePolicyDocument: trust({ AWS: JANE }) });
    await admin.putRolePolicy({
      RoleName: 'app',
      PolicyName: 'p',
      PolicyDocument: policy({ Action: 'iam:ListUsers' }),
    });
    const RoleArn = `arn:aws:iam::${ACCOUNT}:role/app`;
    const { Credentials, AssumedRoleUser } = await callSts(jane).assumeRole({
      RoleArn,
      RoleSessionName: 'one',
      DurationSeconds: 900,
    });
    const { Role } = await admin.getRole({ RoleName: 'app' });
    expect(AssumedRoleUser?.AssumedRoleId).toBe(`${Role?.RoleId}:one`);
    const session = {
      accessKeyId: Credentials!.AccessKeyId!,
      secretAccessKey: Credentials!.SecretAccessKey!,
      sessionToken: Credentials!.SessionToken!,
    };
    await iam(session).listUsers({});
    await expect(iam(session).listRoles({})).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(iam({ ...session, sessionToken: 'other' }).listUsers({})).rejects.toMatchObject(unknown);
    const { sessionToken: _, ...without } = session;
    await expect(iam(without).listUsers({})).rejects.toMatchObject(unknown);
    await emulator.kernel.clock.advance(901_000);
    const late = new IAM({ ...emulator.clientConfig(session), systemClockOffset: 901_000 });
    await expect(late.listUsers({})).rejects.toMatchObject({ name: 'ExpiredToken' });
  });

  test('issued by the emulator have the permissions of their role, if it exists', async () => {
    const { json } = await emulator.control('GET', '/_emulator/credentials');
    const { AccessKeyId, SecretAccessKey, Token } = json as Record<string, string>;
    const vended = { accessKeyId: AccessKeyId!, secretAccessKey: SecretAccessKey!, sessionToken: Token! };
    await iam(vended).listUsers({});
    await admin.createRole({ RoleName: 'emulator', AssumeRolePolicyDocument: trust() });
    await expect(iam(vended).listUsers({})).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});

describe('that was recreated with the name of a deleted one', () => {
  test('is not the one in trust policies', async () => {
    const jane = await user('jane');
    await admin.createRole({ RoleName: 'app', AssumeRolePolicyDocument: trust({ AWS: JANE }) });
    const RoleArn = `arn:aws:iam::${ACCOUNT}:role/app`;
    const assume = (keys: Keys) => callSts(keys).assumeRole({ RoleArn, RoleSessionName: 'session' });
    await assume(jane);
    const { User } = await admin.getUser({ UserName: 'jane' });
    await admin.deleteAccessKey({ UserName: 'jane', AccessKeyId: jane.accessKeyId });
    await admin.deleteUser({ UserName: 'jane' });
    const { Role } = await admin.getRole({ RoleName: 'app' });
    expect(decodeURIComponent(Role!.AssumeRolePolicyDocument!)).toBe(trust({ AWS: User!.UserId }));
    const again = await user('jane');
    await expect(assume(again)).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('does not give old sessions its permissions', async () => {
    const RoleName = 'app';
    const make = async () => {
      await admin.createRole({ RoleName, AssumeRolePolicyDocument: trust({ AWS: `arn:aws:iam::${ACCOUNT}:root` }) });
      await admin.putRolePolicy({ RoleName, PolicyName: 'p', PolicyDocument: policy() });
    };
    await make();
    const jane = await user('jane');
    await admin.putUserPolicy({ UserName: 'jane', PolicyName: 'p', PolicyDocument: policy() });
    const { Credentials } = await callSts(jane).assumeRole({
      RoleArn: `arn:aws:iam::${ACCOUNT}:role/app`,
      RoleSessionName: 'session',
    });
    const session = iam({
      accessKeyId: Credentials!.AccessKeyId!,
      secretAccessKey: Credentials!.SecretAccessKey!,
      sessionToken: Credentials!.SessionToken!,
    });
    await session.listUsers({});
    await admin.deleteRolePolicy({ RoleName, PolicyName: 'p' });
    await admin.deleteRole({ RoleName });
    await make();
    await expect(session.listUsers({})).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});
