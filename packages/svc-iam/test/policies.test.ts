import { enforceQuota } from '@emu/gateway/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT, ADMIN, bodyOf, failureOf, type IamTest, policy, startIam, trust } from './support.ts';

let t: IamTest;
beforeEach(async () => {
  t = await startIam();
});
afterEach(() => t[Symbol.asyncDispose]());

const make = async (PolicyName = 'p', more = {}) =>
  (await t.iam.createPolicy({ PolicyName, PolicyDocument: policy(), ...more })).Policy as { Arn: string };

test('a policy is created, found, listed and deleted', async () => {
  const Policy = await make('p', { Path: '/a/', Description: 'd', Tags: [{ Key: 'k', Value: 'v' }] });
  expect(Policy).toEqual({
    PolicyName: 'p',
    PolicyId: expect.stringMatching(/^ANPA[A-Z2-7]{17}$/),
    Arn: `arn:aws:iam::${ACCOUNT}:policy/a/p`,
    Path: '/a/',
    DefaultVersionId: 'v1',
    AttachmentCount: 0,
    PermissionsBoundaryUsageCount: 0,
    IsAttachable: true,
    CreateDate: expect.any(Date),
    UpdateDate: expect.any(Date),
    Tags: [{ Key: 'k', Value: 'v' }],
  });
  expect((await t.iam.getPolicy({ PolicyArn: Policy.Arn })).Policy).toEqual({ ...Policy, Description: 'd' });
  const { Policies } = await t.iam.listPolicies({ Scope: 'Local' });
  expect(Policies).toEqual([expect.objectContaining({ PolicyName: 'p' })]);
  expect(Policies![0]).not.toHaveProperty('Tags');
  expect(await failureOf(t.iam.createPolicy({ PolicyName: 'P', PolicyDocument: policy() }))).toBe(
    'EntityAlreadyExists: A policy called P already exists. Duplicate names are not allowed.',
  );
  await t.iam.deletePolicy({ PolicyArn: Policy.Arn });
  expect(await failureOf(t.iam.getPolicy({ PolicyArn: Policy.Arn }))).toBe(
    `NoSuchEntity: Policy ${Policy.Arn} was not found.`,
  );
});

test("AWS's policies are found in every partition", async () => {
  const { Policy } = await t.iam.getPolicy({ PolicyArn: ADMIN });
  expect(Policy).toMatchObject({ PolicyName: 'AdministratorAccess', Arn: ADMIN, Path: '/', IsAttachable: true });
  const china = t.client({ region: 'cn-north-1', accessKeyId: '000000000002' });
  const arn = ADMIN.replace('aws:', 'aws-cn:');
  expect((await china.getPolicy({ PolicyArn: arn })).Policy!.Arn).toBe(arn);
  expect(await failureOf(t.iam.deletePolicy({ PolicyArn: ADMIN }))).toContain('AccessDenied: ');
  expect(await failureOf(t.iam.createPolicyVersion({ PolicyArn: ADMIN, PolicyDocument: policy() }))).toContain(
    'is not authorized to perform: iam:CreatePolicyVersion',
  );
  const { PolicyVersion } = await t.iam.getPolicyVersion({ PolicyArn: ADMIN, VersionId: Policy!.DefaultVersionId });
  expect(JSON.parse(decodeURIComponent(PolicyVersion!.Document!)).Statement).toHaveLength(1);
});

test('lists filter by scope, path and use, in pages', async () => {
  const { Arn } = await make('zz', { Path: '/mine/' });
  const { Arn: boundary } = await make('limit');
  await t.iam.createUser({ UserName: 'jane', PermissionsBoundary: boundary });
  await t.iam.attachUserPolicy({ UserName: 'jane', PolicyArn: Arn });
  await t.iam.attachUserPolicy({ UserName: 'jane', PolicyArn: ADMIN });
  const names = async (input: Parameters<typeof t.iam.listPolicies>[0]) =>
    (await t.iam.listPolicies(input)).Policies!.map(({ PolicyName }) => PolicyName);
  expect(await names({ Scope: 'Local' })).toEqual(['limit', 'zz']);
  expect(await names({ OnlyAttached: true })).toEqual(['AdministratorAccess', 'zz']);
  expect(await names({ OnlyAttached: true, Scope: 'AWS' })).toEqual(['AdministratorAccess']);
  expect(await names({ PolicyUsageFilter: 'PermissionsBoundary' })).toEqual(['limit']);
  expect(await names({ PolicyUsageFilter: 'PermissionsPolicy', Scope: 'Local' })).toEqual(['zz']);
  expect(await names({ PathPrefix: '/mine/' })).toEqual(['zz']);
  expect(await names({ Scope: 'AWS', MaxItems: 1000 })).toHaveLength(1000);
  const first = await t.iam.listPolicies({ Scope: 'AWS', MaxItems: 10 });
  const second = await t.iam.listPolicies({ Scope: 'AWS', MaxItems: 10, Marker: first.Marker });
  expect(second.Policies![0]!.PolicyName! > first.Policies![9]!.PolicyName!).toBe(true);
});

test('markers support the longest names and paths', async () => {
  const Path = `/${'p'.repeat(500)}/`;
  const PolicyNames = ['a', 'b'].map((letter) => letter.repeat(128));
  await t.iam.createUser({ UserName: 'jane' });
  for (const PolicyName of PolicyNames)
    await t.iam.attachUserPolicy({ UserName: 'jane', PolicyArn: (await make(PolicyName, { Path })).Arn });
  const first = await t.iam.listPolicies({ Scope: 'Local', MaxItems: 1 });
  const second = await t.iam.listPolicies({ Scope: 'Local', MaxItems: 1, Marker: first.Marker });
  expect([...first.Policies!, ...second.Policies!].map(({ PolicyName }) => PolicyName)).toEqual(PolicyNames);
  const attached = await t.iam.listAttachedUserPolicies({ UserName: 'jane', MaxItems: 1 });
  const rest = await t.iam.listAttachedUserPolicies({ UserName: 'jane', MaxItems: 1, Marker: attached.Marker });
  expect(rest).toMatchObject({ AttachedPolicies: [{ PolicyName: PolicyNames[1] }], IsTruncated: false });
});

test('versions are created, made the default, listed and deleted', async () => {
  const { Arn: PolicyArn } = await make();
  const PolicyDocument = policy({ Action: 's3:*' });
  const { PolicyVersion } = await t.iam.createPolicyVersion({ PolicyArn, PolicyDocument });
  expect(PolicyVersion).toEqual({ VersionId: 'v2', IsDefaultVersion: false, CreateDate: expect.any(Date) });
  await t.iam.createPolicyVersion({ PolicyArn, PolicyDocument, SetAsDefault: true });
  expect((await t.iam.getPolicy({ PolicyArn })).Policy!.DefaultVersionId).toBe('v3');
  await t.iam.setDefaultPolicyVersion({ PolicyArn, VersionId: 'v2' });
  const { Versions } = await t.iam.listPolicyVersions({ PolicyArn });
  expect(Versions!.map(({ VersionId, IsDefaultVersion }) => [VersionId, IsDefaultVersion])).toEqual([
    ['v3', false],
    ['v2', true],
    ['v1', false],
  ]);
  const found = await t.iam.getPolicyVersion({ PolicyArn, VersionId: 'v2' });
  expect(decodeURIComponent(found.PolicyVersion!.Document!)).toBe(PolicyDocument);
  expect(await failureOf(t.iam.deletePolicyVersion({ PolicyArn, VersionId: 'v2' }))).toBe(
    'DeleteConflict: Cannot delete the default version of a policy.',
  );
  await t.iam.deletePolicyVersion({ PolicyArn, VersionId: 'v3' });
  const missing = `NoSuchEntity: Policy ${PolicyArn} version v3 does not exist or is not attachable.`;
  for (const request of [
    t.iam.getPolicyVersion({ PolicyArn, VersionId: 'v3' }),
    t.iam.setDefaultPolicyVersion({ PolicyArn, VersionId: 'v3' }),
    t.iam.deletePolicyVersion({ PolicyArn, VersionId: 'v3' }),
  ])
    expect(await failureOf(request)).toBe(missing);
  // The number of a deleted version is not reused.
  expect((await t.iam.createPolicyVersion({ PolicyArn, PolicyDocument })).PolicyVersion!.VersionId).toBe('v4');
  for (let i = 0; i < 2; i++) await t.iam.createPolicyVersion({ PolicyArn, PolicyDocument });
  expect(await failureOf(t.iam.createPolicyVersion({ PolicyArn, PolicyDocument }))).toBe(
    'LimitExceeded: A managed policy can have up to 5 versions. Before you create a new version, you must delete an existing version.',
  );
  expect(await failureOf(t.iam.deletePolicy({ PolicyArn }))).toBe(
    "DeleteConflict: This policy has more than one version. Before you delete a policy, you must delete the policy's versions. The default version is deleted with the policy.",
  );
});

describe('attachments', () => {
  beforeEach(async () => {
    await t.iam.createUser({ UserName: 'jane', Path: '/a/' });
    await t.iam.createGroup({ GroupName: 'staff' });
    await t.iam.createRole({ RoleName: 'app', AssumeRolePolicyDocument: trust() });
  });

  test('users, groups and roles have policies', async () => {
    const { Arn: PolicyArn } = await make('p', { Path: '/x/' });
    await t.iam.attachUserPolicy({ UserName: 'jane', PolicyArn });
    await t.iam.attachUserPolicy({ UserName: 'jane', PolicyArn });
    await t.iam.attachGroupPolicy({ GroupName: 'staff', PolicyArn });
    await t.iam.attachRolePolicy({ RoleName: 'app', PolicyArn });
    await t.iam.attachRolePolicy({ RoleName: 'app', PolicyArn: ADMIN });
    expect((await t.iam.getPolicy({ PolicyArn })).Policy!.AttachmentCount).toBe(3);
    const attached = [{ PolicyName: 'p', PolicyArn }];
    expect(bodyOf(await t.iam.listAttachedUserPolicies({ UserName: 'jane' }))).toEqual({
      AttachedPolicies: attached,
      IsTruncated: false,
    });
    expect((await t.iam.listAttachedGroupPolicies({ GroupName: 'staff' })).AttachedPolicies).toEqual(attached);
    expect((await t.iam.listAttachedRolePolicies({ RoleName: 'app' })).AttachedPolicies).toEqual([
      { PolicyName: 'AdministratorAccess', PolicyArn: ADMIN },
      ...attached,
    ]);
    expect((await t.iam.listAttachedRolePolicies({ RoleName: 'app', PathPrefix: '/x/' })).AttachedPolicies).toEqual(
      attached,
    );
    expect(await failureOf(t.iam.deletePolicy({ PolicyArn }))).toBe(
      'DeleteConflict: Cannot delete a policy attached to entities.',
    );
    const entities = bodyOf(await t.iam.listEntitiesForPolicy({ PolicyArn }));
    expect(entities).toMatchObject({
      PolicyUsers: [{ UserName: 'jane', UserId: expect.stringMatching(/^AIDA/) }],
      PolicyGroups: [{ GroupName: 'staff', GroupId: expect.stringMatching(/^AGPA/) }],
      PolicyRoles: [{ RoleName: 'app', RoleId: expect.stringMatching(/^AROA/) }],
      IsTruncated: false,
    });
    const only = await t.iam.listEntitiesForPolicy({ PolicyArn, EntityFilter: 'User', PathPrefix: '/a/' });
    expect([only.PolicyUsers!.length, only.PolicyRoles!.length, only.PolicyGroups!.length]).toEqual([1, 0, 0]);
    const boundaries = await t.iam.listEntitiesForPolicy({ PolicyArn, PolicyUsageFilter: 'PermissionsBoundary' });
    expect(boundaries.PolicyUsers).toEqual([]);
    await t.iam.detachUserPolicy({ UserName: 'jane', PolicyArn });
    await t.iam.detachGroupPolicy({ GroupName: 'staff', PolicyArn });
    await t.iam.detachRolePolicy({ RoleName: 'app', PolicyArn });
    expect(await failureOf(t.iam.detachRolePolicy({ RoleName: 'app', PolicyArn }))).toBe(
      `NoSuchEntity: Policy ${PolicyArn} was not found.`,
    );
    await t.iam.deletePolicy({ PolicyArn });
  });

  test('policies must exist, and the quota of ten is enforced', async () => {
    const attach = (PolicyArn: string) => failureOf(t.iam.attachRolePolicy({ RoleName: 'app', PolicyArn }));
    expect(await attach('longpolicynamebutnoarn')).toBe('ValidationError: Invalid ARN:  Could not be parsed!');
    const missing = `arn:aws:iam::${ACCOUNT}:policy/missing`;
    expect(await attach(missing)).toBe(`NoSuchEntity: Policy ${missing} does not exist or is not attachable.`);
    expect(await attach('arn:aws:s3:::bucket-and-more')).toBe(
      'ValidationError: ARN arn:aws:s3:::bucket-and-more is not valid.',
    );
    for (let i = 0; i < 10; i++)
      await t.iam.attachRolePolicy({ RoleName: 'app', PolicyArn: (await make(`p${i}`)).Arn });
    await enforceQuota(t.emulator, 'iam/L-0DA4ABF3');
    expect(await attach(ADMIN)).toBe('LimitExceeded: Cannot exceed quota for PoliciesPerRole: 10');
    await enforceQuota(t.emulator, 'iam/L-0DA4ABF3', 11);
    await t.iam.attachRolePolicy({ RoleName: 'app', PolicyArn: ADMIN });
  });

  test('inline policies are put, read, listed, replaced and deleted', async () => {
    const document = policy({ Action: ['apigateway:PUT'], Resource: 'arn:aws:apigateway:us-east-1::/tags/arn%3Aaws' });
    const put = (PolicyDocument: string) =>
      t.iam.putRolePolicy({ RoleName: 'app', PolicyName: 'inline', PolicyDocument });
    await put(policy());
    await put(document);
    const found = await t.iam.getRolePolicy({ RoleName: 'app', PolicyName: 'inline' });
    expect(bodyOf(found)).toEqual({ RoleName: 'app', PolicyName: 'inline', PolicyDocument: expect.any(String) });
    expect(decodeURIComponent(found.PolicyDocument!)).toBe(document);
    expect((await t.iam.listRolePolicies({ RoleName: 'app' })).PolicyNames).toEqual(['inline']);
    await t.iam.deleteRolePolicy({ RoleName: 'app', PolicyName: 'inline' });
    const gone = { RoleName: 'app', PolicyName: 'inline' };
    for (const request of [t.iam.getRolePolicy(gone), t.iam.deleteRolePolicy(gone)])
      expect(await failureOf(request)).toBe('NoSuchEntity: The role policy with name inline cannot be found.');
    await t.iam.putUserPolicy({ UserName: 'jane', PolicyName: 'u', PolicyDocument: policy() });
    await t.iam.putGroupPolicy({ GroupName: 'staff', PolicyName: 'g', PolicyDocument: policy() });
    expect((await t.iam.getUserPolicy({ UserName: 'jane', PolicyName: 'u' })).UserName).toBe('jane');
    expect((await t.iam.getGroupPolicy({ GroupName: 'staff', PolicyName: 'g' })).GroupName).toBe('staff');
    expect((await t.iam.listUserPolicies({ UserName: 'jane' })).PolicyNames).toEqual(['u']);
    expect((await t.iam.listGroupPolicies({ GroupName: 'staff' })).PolicyNames).toEqual(['g']);
    await t.iam.deleteUserPolicy({ UserName: 'jane', PolicyName: 'u' });
    await t.iam.deleteGroupPolicy({ GroupName: 'staff', PolicyName: 'g' });
    const odd = { UserName: 'jane', PolicyName: '__proto__' };
    expect(await failureOf(t.iam.getUserPolicy(odd))).toBe(
      'NoSuchEntity: The user policy with name __proto__ cannot be found.',
    );
    await t.iam.putUserPolicy({ ...odd, PolicyDocument: policy() });
    expect(decodeURIComponent((await t.iam.getUserPolicy(odd)).PolicyDocument!)).toBe(policy());
  });

  test('inline policies share the size limit of their entity', async () => {
    const sized = (characters: number) => {
      const empty = policy({ Resource: 'arn:aws:s3:::' });
      return policy({ Resource: `arn:aws:s3:::${'x'.repeat(characters - empty.length)}` });
    };
    const put = (PolicyName: string, size: number) =>
      t.iam.putUserPolicy({ UserName: 'jane', PolicyName, PolicyDocument: sized(size) });
    await put('a', 1024);
    await put('b', 1024);
    await put('b', 1000);
    expect(await failureOf(put('b', 1025))).toBe(
      'LimitExceeded: Maximum policy size of 2048 bytes exceeded for user jane',
    );
  });
});

const LEGACY = 'The policy failed legacy parsing';

describe('documents', () => {
  const refused = (document: unknown) =>
    failureOf(
      t.iam.createPolicy({
        PolicyName: 'p',
        PolicyDocument: typeof document === 'string' ? document : JSON.stringify(document),
      }),
    );
  test.each([
    ['{ no json', 'Syntax errors in policy.'],
    ['[]', 'Syntax errors in policy.'],
    [policy({ Effect: 'permit' }), 'Syntax errors in policy.'],
    [{ Version: '2012-10-17', Statement: [] }, 'Syntax errors in policy.'],
    [policy({ Resources: '*' }), 'Syntax errors in policy.'],
    [policy({ Condition: { StringEqual: { 'aws:a': 'b' } } }), 'Syntax errors in policy.'],
    [policy({ NotAction: 's3:*' }), 'Syntax errors in policy.'],
    [{ ...JSON.parse(policy()), Version: '2008-10-17' }, 'Policy document must be version 2012-10-17 or greater.'],
    [policy({ Principal: '*' }), 'Policy document should not specify a principal.'],
    [policy({ Action: undefined }), 'Policy statement must contain actions.'],
    [policy({ Action: [] }), 'Policy statement must contain actions.'],
    [policy({ Resource: undefined }), 'Policy statement must contain resources.'],
    [policy({ Action: 'GetObject' }), 'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.'],
    [policy({ Action: 's3:a:b' }), 'Actions/Condition can contain only one colon.'],
    [policy({ Action: 's 3:GetObject' }), 'Vendor s 3 is not valid'],
    [policy({ Resource: 'bucket' }), 'Resource bucket must be in ARN format or "*".'],
    [policy({ Resource: 'arn:gcp:s3:::b' }), 'Partition "gcp" is not valid for resource "arn:gcp:s3:::b".'],
    [
      policy({ Resource: 'arn:aws:s3:us-east-1::b' }),
      'Resource arn:aws:s3:us-east-1::b can not contain region information.',
    ],
    [
      policy({ Resource: 'arn:aws:iam:us-east-1:1:user/a' }),
      'IAM resource arn:aws:iam:us-east-1:1:user/a cannot contain region information.',
    ],
    // With several problems, the first in IAM's order is reported.
    [policy({ Effect: 'allow', Action: undefined }), LEGACY],
    [policy({ Resource: 'arn:aws:s3::b', Action: undefined }), LEGACY],
    [policy({ NotResource: 'arn:aws::fdsasf', Resource: undefined }), LEGACY],
    [policy({ Condition: { DateGreaterThan: { 'aws:CurrentTime': 'soon' } }, Resource: 'arn:gcp:s3:::b' }), LEGACY],
    [policy({ Condition: { DateLessThan: { 'aws:CurrentTime': ['234-13'] } } }), LEGACY],
    [policy({ Condition: { DateLessThan: { 'aws:CurrentTime': '2016-12-13t2:00:00.5+1' } } }), LEGACY],
    [policy({ Condition: { DateLessThan: { 'aws:EpochTime': '9223372036854775808' } } }), LEGACY],
    [policy({ Action: 'nothing', Resource: 'b' }), 'Resource b must be in ARN format or "*".'],
    [
      policy({ Action: 'nothing', Resource: undefined }),
      'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.',
    ],
    [policy({ Resource: 'arn:aws' }), 'Resource vendor must be fully qualified and cannot contain regexes.'],
    [policy({ Resource: 'aws:s3:::b' }), 'Partition "s3" is not valid for resource "arn:s3:::b:*".'],
    [policy({ Resource: ['arn:gcp:x'] }), 'Partition "gcp" is not valid for resource "arn:gcp:x:*:*:*".'],
  ])('rejects %j', async (document, message) => {
    expect(await refused(document)).toBe(`MalformedPolicyDocument: ${message}`);
  });

  test('statements have unique ids', async () => {
    const one = { Sid: 'a', Effect: 'Allow', Action: '*', Resource: '*' };
    expect(await refused({ Version: '2012-10-17', Statement: [one, one] })).toBe(
      'MalformedPolicyDocument: Statement IDs (SID) in a single policy must be unique.',
    );
  });

  test('6144 characters without white space are allowed', async () => {
    const sized = (characters: number) =>
      policy({ Resource: `arn:aws:s3:::${'x'.repeat(characters - policy({ Resource: 'arn:aws:s3:::' }).length)}` });
    const PolicyDocument = JSON.stringify(JSON.parse(sized(6144)), null, 4);
    await t.iam.createPolicy({ PolicyName: 'fits', PolicyDocument });
    expect(await refused(sized(6145))).toBe('LimitExceeded: Cannot exceed quota for PolicySize: 6144');
  });

  test.each([
    { Resource: 'arn:aws:fdsasf' },
    { Resource: ['arn:aws:s3:us-east-1:123456789012:accesspoint/a', 'arn:*:s3:::b', '*'] },
    { Condition: { DateGreaterThan: { 'aws:CurrentTime': '2017-07-01T00:00:00Z' } } },
    {
      Condition: {
        DateLessThan: { 'aws:CurrentTime': ['2017-07-01', '2016-12-13t2:00:00.593194+10:59', '1700000000'] },
      },
    },
    { Condition: { DateEquals: { 'aws:CurrentTime': '$' + '{aws:PrincipalTag/until}' } } },
    { Condition: { DateGreaterThan: { a: [] }, Anything: {} } },
  ])('accepts %j', async (statement) => {
    await t.iam.createPolicy({ PolicyName: 'p', PolicyDocument: policy(statement) });
  });

  test('accepts conditions, exceptions and wildcards', async () => {
    await t.iam.createPolicy({
      PolicyName: 'p',
      PolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Id: 'id',
        Statement: {
          Effect: 'Deny',
          NotAction: ['iam:*', 's3:Get*'],
          NotResource: ['arn:aws:iam::*:role/*', 'arn:*:sqs:*:*:q'],
          Condition: { 'ForAnyValue:StringLikeIfExists': { 'aws:TagKeys': ['a', 'b'] }, Bool: { 'aws:Secure': true } },
        },
      }),
    });
  });
});
