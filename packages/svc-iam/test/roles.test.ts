import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT, ADMIN, failureOf, type IamTest, policy, startIam, trust } from './support.ts';

let t: IamTest;
beforeEach(async () => {
  t = await startIam();
});
afterEach(() => t[Symbol.asyncDispose]());

test('a role is created, found, listed and deleted', async () => {
  const AssumeRolePolicyDocument = trust();
  const { Role } = await t.iam.createRole({
    RoleName: 'app',
    Path: '/svc/',
    AssumeRolePolicyDocument,
    Description: 'd',
    MaxSessionDuration: 7200,
    Tags: [{ Key: 'k', Value: 'v' }],
    PermissionsBoundary: ADMIN,
  });
  expect(Role).toMatchObject({
    RoleName: 'app',
    Path: '/svc/',
    Arn: `arn:aws:iam::${ACCOUNT}:role/svc/app`,
    RoleId: expect.stringMatching(/^AROA[A-Z2-7]{17}$/),
    Description: 'd',
    Tags: [{ Key: 'k', Value: 'v' }],
  });
  expect(decodeURIComponent(Role!.AssumeRolePolicyDocument!)).toBe(AssumeRolePolicyDocument);
  expect(Role!.AssumeRolePolicyDocument).not.toMatch(/[^A-Za-z0-9\-._~%]/);
  const { Role: found } = await t.iam.getRole({ RoleName: 'app' });
  expect(found).toEqual({ ...Role, MaxSessionDuration: 7200, RoleLastUsed: {} });
  const { Tags, PermissionsBoundary, RoleLastUsed, ...listed } = found!;
  expect((await t.iam.listRoles({ PathPrefix: '/svc/' })).Roles).toEqual([listed]);
  expect(await failureOf(t.iam.createRole({ RoleName: 'APP', AssumeRolePolicyDocument }))).toBe(
    'EntityAlreadyExists: Role with name APP already exists.',
  );
  await t.iam.deleteRole({ RoleName: 'app' });
  expect(await failureOf(t.iam.getRole({ RoleName: 'app' }))).toBe(
    'NoSuchEntity: The role with name app cannot be found.',
  );
});

test('a new role has a session duration of an hour, which CreateRole omits', async () => {
  const { Role } = await t.iam.createRole({ RoleName: 'app', AssumeRolePolicyDocument: trust() });
  expect(Role!.MaxSessionDuration).toBeUndefined();
  expect((await t.iam.getRole({ RoleName: 'app' })).Role!.MaxSessionDuration).toBe(3600);
});

test('description, duration, boundary and trust policy can be changed', async () => {
  const RoleName = 'app';
  await t.iam.createRole({ RoleName, AssumeRolePolicyDocument: trust() });
  await t.iam.updateRole({ RoleName, Description: 'one', MaxSessionDuration: 43_200 });
  expect((await t.iam.getRole({ RoleName })).Role).toMatchObject({ Description: 'one', MaxSessionDuration: 43_200 });
  expect((await t.iam.updateRoleDescription({ RoleName, Description: 'two' })).Role!.Description).toBe('two');
  await t.iam.updateAssumeRolePolicy({ RoleName, PolicyDocument: trust({ AWS: ACCOUNT }) });
  const { Role } = await t.iam.getRole({ RoleName });
  expect(decodeURIComponent(Role!.AssumeRolePolicyDocument!)).toContain(ACCOUNT);
  await t.iam.putRolePermissionsBoundary({ RoleName, PermissionsBoundary: ADMIN });
  expect((await t.iam.getRole({ RoleName })).Role!.PermissionsBoundary!.PermissionsBoundaryArn).toBe(ADMIN);
  await t.iam.deleteRolePermissionsBoundary({ RoleName });
  expect((await t.iam.getRole({ RoleName })).Role!.PermissionsBoundary).toBeUndefined();
  expect(await failureOf(t.iam.updateRole({ RoleName: 'x' }))).toContain('NoSuchEntity');
  expect(await failureOf(t.iam.updateRole({ RoleName, MaxSessionDuration: 60 }))).toBe(
    "ValidationError: 1 validation error detected: Value at 'maxSessionDuration' failed to satisfy constraint: Member must have value greater than or equal to 3600",
  );
});

test('a role can be deleted only when unused', async () => {
  const RoleName = 'app';
  await t.iam.createRole({ RoleName, AssumeRolePolicyDocument: trust() });
  await t.iam.createInstanceProfile({ InstanceProfileName: 'p' });
  await t.iam.addRoleToInstanceProfile({ InstanceProfileName: 'p', RoleName });
  await t.iam.attachRolePolicy({ RoleName, PolicyArn: ADMIN });
  await t.iam.putRolePolicy({ RoleName, PolicyName: 'p', PolicyDocument: policy() });
  const refused = () => failureOf(t.iam.deleteRole({ RoleName }));
  expect(await refused()).toBe('DeleteConflict: Cannot delete entity, must remove roles from instance profile first.');
  await t.iam.removeRoleFromInstanceProfile({ InstanceProfileName: 'p', RoleName });
  expect(await refused()).toBe('DeleteConflict: Cannot delete entity, must detach all policies first.');
  await t.iam.detachRolePolicy({ RoleName, PolicyArn: ADMIN });
  expect(await refused()).toBe('DeleteConflict: Cannot delete entity, must delete policies first.');
  await t.iam.deleteRolePolicy({ RoleName, PolicyName: 'p' });
  await t.iam.deleteRole({ RoleName });
});

describe('trust policies', () => {
  const refused = (document: unknown) =>
    failureOf(
      t.iam.createRole({
        RoleName: 'app',
        AssumeRolePolicyDocument: typeof document === 'string' ? document : JSON.stringify(document),
      }),
    );
  const statement = { Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' };
  const Version = '2012-10-17';

  test.each([
    ['{ no json', 'This policy contains invalid Json'],
    [{ Version, Statement: [{ ...statement, Resource: '*' }] }, 'Has prohibited field Resource'],
    [{ Version, Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole' }] }, 'Missing required field Principal'],
    [{ Version, Statement: [{ ...statement, Effect: 'allow' }] }, 'Invalid effect: allow'],
    [{ Version: '2012', Statement: [statement] }, 'The policy must contain a valid version string'],
    [{ Version }, 'Missing required field Statement'],
    [{ Version, Statement: [{ ...statement, Principals: 1 }] }, 'Syntax errors in policy.'],
    [
      { Version, Statement: [{ ...statement, Action: 's3:GetObject' }] },
      'AssumeRole policy may only specify STS AssumeRole actions.',
    ],
    ...['sts:BadAssumeRole', 'sts:TagSessions', 'sts:*', 'sts:GetCallerIdentity'].map((Action): [object, string] => [
      { Version, Statement: [{ ...statement, Action }] },
      'AssumeRole policy may only specify STS AssumeRole actions.',
    ]),
    [trust({ Service: 'lambda' }), 'Invalid principal in policy: "SERVICE":"lambda"'],
    [trust({ AWS: 'jane' }), 'Invalid principal in policy: "AWS":"jane"'],
    [trust({ Federated: 'example.com' }), 'Invalid principal in policy: "FEDERATED":"example.com"'],
    [
      {
        Version,
        Statement: [
          { ...statement, Sid: 'a' },
          { ...statement, Sid: 'a' },
        ],
      },
      'Statement IDs (SID) in a single policy must be unique.',
    ],
  ])('rejects %j', async (document, message) => {
    expect(await refused(document)).toBe(`MalformedPolicyDocument: ${message}`);
  });

  test('accepts existing users and roles, accounts, sessions and everybody as principals', async () => {
    await t.iam.createUser({ UserName: 'jane', Path: '/a/' });
    for (const principal of [
      '*',
      { AWS: '*' },
      { AWS: [`arn:aws:iam::${ACCOUNT}:user/a/jane`, `arn:aws:iam::${ACCOUNT}:root`, ACCOUNT] },
      { AWS: 'arn:aws:iam::000000000009:role/elsewhere' },
      { AWS: `arn:aws:sts::${ACCOUNT}:assumed-role/app/session` },
      { Federated: `arn:aws:iam::${ACCOUNT}:oidc-provider/example.com`, Service: ['ecs-tasks.amazonaws.com'] },
    ]) {
      await t.iam.createRole({ RoleName: 'app', AssumeRolePolicyDocument: trust(principal) });
      await t.iam.deleteRole({ RoleName: 'app' });
    }
  });

  test('accepts the six actions of STS that assume roles, in any case', async () => {
    const Action = [
      'sts:AssumeRole',
      'sts:AssumeRoleWithSAML',
      'sts:AssumeRoleWithWebIdentity',
      'sts:SetContext',
      'sts:SetSourceIdentity',
      'STS:tagsession',
    ];
    const document = JSON.stringify({ Version, Statement: [{ ...statement, Action }] });
    await t.iam.createRole({ RoleName: 'app', AssumeRolePolicyDocument: document });
    const { Role } = await t.iam.getRole({ RoleName: 'app' });
    expect(decodeURIComponent(Role!.AssumeRolePolicyDocument!)).toBe(document);
  });

  test('are limited to 2048 characters without white space', async () => {
    const large = (sid: number) => ({
      Version,
      Statement: [{ ...statement, Sid: 'x'.repeat(sid) }],
    });
    const room = 2048 - JSON.stringify(large(0)).length;
    await t.iam.createRole({ RoleName: 'fits', AssumeRolePolicyDocument: JSON.stringify(large(room), null, 2) });
    expect(await refused(large(room + 1))).toBe('LimitExceeded: Cannot exceed quota for ACLSizePerRole: 2048');
  });
});
