import * as sdk from '@aws-sdk/client-iam';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-iam/model/iam.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';
import { credentials } from './iam-credentials.ts';
import { reports } from './iam-reports.ts';

const ACCOUNT = '123456789012';
const POLICY = `arn:aws:iam::${ACCOUNT}:policy/known`;
const OTHER = `arn:aws:iam::${ACCOUNT}:policy/other`;
const ADMIN = 'arn:aws:iam::aws:policy/AdministratorAccess';
const DOCUMENT = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }],
});
const TRUST = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
});
const PASSWORD = 'Secret-12345';
const TAGS = [
  { Key: 'team', Value: 'a' },
  { Key: 'zone', Value: 'b' },
];

const user = { UserName: 'known' };
const group = { GroupName: 'known' };
const role = { RoleName: 'known' };
const profile = { InstanceProfileName: 'known' };
const managed = { PolicyArn: POLICY };
const inline = { PolicyName: 'inline' };

/** Creates a resource of every kind with policies of both kinds, and one more of each that is unused, named `free`. */
async function setUp(send: Send): Promise<Facts> {
  await send('CreatePolicy', { PolicyName: 'known', PolicyDocument: DOCUMENT, Tags: TAGS });
  await send('CreatePolicyVersion', { ...managed, PolicyDocument: DOCUMENT });
  await send('CreatePolicy', { PolicyName: 'free', PolicyDocument: DOCUMENT });
  await send('CreatePolicy', { PolicyName: 'other', PolicyDocument: DOCUMENT });
  for (const [kind, name, more] of [
    ['User', user, { Tags: TAGS, PermissionsBoundary: ADMIN }],
    ['Group', group, {}],
    ['Role', role, { Tags: TAGS, PermissionsBoundary: ADMIN, AssumeRolePolicyDocument: TRUST }],
  ] as const) {
    await send(`Create${kind}`, { ...name, ...more });
    await send(`Put${kind}Policy`, { ...name, ...inline, PolicyDocument: DOCUMENT });
    await send(`Put${kind}Policy`, { ...name, PolicyName: 'second', PolicyDocument: DOCUMENT });
    await send(`Attach${kind}Policy`, { ...name, ...managed });
    await send(`Attach${kind}Policy`, { ...name, PolicyArn: OTHER });
  }
  await send('CreateInstanceProfile', { ...profile, Tags: TAGS });
  await send('AddRoleToInstanceProfile', { ...profile, ...role });
  await send('AddUserToGroup', { ...group, ...user });
  await send('CreateUser', { UserName: 'free' });
  // Paged lists have two items each.
  await send('CreateUser', { UserName: 'second' });
  await send('AddUserToGroup', { ...group, UserName: 'second' });
  await send('CreateGroup', { GroupName: 'second' });
  await send('AddUserToGroup', { GroupName: 'second', ...user });
  await send('CreateInstanceProfile', { InstanceProfileName: 'second' });
  await send('AddRoleToInstanceProfile', { InstanceProfileName: 'second', ...role });
  await send('CreateGroup', { GroupName: 'free' });
  await send('CreateRole', { RoleName: 'free', AssumeRolePolicyDocument: TRUST });
  await send('CreateInstanceProfile', { InstanceProfileName: 'free' });
  await send('CreateLoginProfile', { ...user, Password: PASSWORD });
  await send('CreateAccountAlias', { AccountAlias: 'known' });
  await send('UpdateAccountPasswordPolicy', { MinimumPasswordLength: 8 });
  const { AccessKey } = await send('CreateAccessKey', user);
  await send('CreateAccessKey', user);
  const { AccessKeyId: key, SecretAccessKey: secret } = AccessKey as Record<string, string>;
  return { key: key!, secret: secret! };
}

/** Passwords that each violate one rule of a password policy. */
const PASSWORDS = ['Abcdef1!', 'Abcdefgh1', 'Abcdefgh!', 'abcdefgh1!', 'ABCDEFGH1!', 'Abcdefgh1234!'];

/** Returns the passwords that a user may have. */
async function taken(send: Send): Promise<string[]> {
  const found: string[] = [];
  for (const Password of PASSWORDS) {
    const outcome = await send('CreateLoginProfile', { UserName: 'free', Password }).then(
      () => true,
      () => false,
    );
    if (outcome) await send('DeleteLoginProfile', { UserName: 'free' });
    if (outcome) found.push(Password);
  }
  return found;
}

const PATH = ['/team/'];

const items = (answer: Record<string, unknown>, list: string): Record<string, string>[] =>
  (answer[list] ?? []) as Record<string, string>[];

/** Returns the result of describing operations without the SDK's metadata, or the name of the error. */
const told = (send: Send, operation: string, input: Record<string, unknown> = {}): Promise<unknown> =>
  send(operation, input).then(
    ({ $metadata: _, ...members }) => members,
    (error: Error) => error.name,
  );

/** Returns all users, groups, roles, policies, instance profiles and account settings. */
async function observe(send: Send, facts: Facts): Promise<unknown> {
  const users = items(await send('ListUsers', {}), 'Users').map(({ UserName }) => ({ UserName }));
  const roles = items(await send('ListRoles', {}), 'Roles').map(({ RoleName }) => ({ RoleName }));
  const profiles = items(await send('ListInstanceProfiles', {}), 'InstanceProfiles');
  const policies = items(await send('ListPolicies', { Scope: 'Local' }), 'Policies');
  return Promise.all([
    credentials.observe(send, facts),
    reports.observe(send, facts),
    told(send, 'GetAccountAuthorizationDetails'),
    told(send, 'GetAccountSummary'),
    told(send, 'GetAccountPasswordPolicy'),
    told(send, 'ListAccountAliases'),
    ...users.flatMap((one) => [told(send, 'ListAccessKeys', one), told(send, 'GetLoginProfile', one)]),
    ...roles.map((one) => told(send, 'GetRole', one)),
    ...policies.map(({ Arn }) => told(send, 'GetPolicy', { PolicyArn: Arn })),
    ...profiles.map(({ InstanceProfileName }) => told(send, 'GetInstanceProfile', { InstanceProfileName })),
  ]);
}

const linked = async (send: Send): Promise<Facts> => {
  await send('CreateServiceLinkedRole', { AWSServiceName: 'batch.amazonaws.com' });
  return { linked: 'AWSServiceRoleForBatch' };
};
const version = (facts: Facts) => ({ ...managed, VersionId: facts.version ?? 'v2' });
const tag = { Tags: [{ Key: 'color', Value: 'red' }] };
const untag = { TagKeys: ['team'] };
const ofPrincipals = (make: (kind: string, name: object) => Record<string, () => Record<string, unknown>>) => ({
  ...make('User', user),
  ...make('Group', group),
  ...make('Role', role),
});
const free = (name: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(name).map((member) => [member, 'free']));

/** AWS IAM: users, groups, roles, policies and what belongs to them. */
export const iam: Scenario = {
  service: 'iam',
  // Facts unknown to emu: used actions, and the permissions in the template of a delegation.
  declines: ({ name }) => name === 'NotImplemented',
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const clientOf = (credentials?: { accessKeyId: string; secretAccessKey: string }) =>
      sender(
        new sdk.IAMClient({ ...emulator.clientConfig(), ...(credentials && { credentials }), maxAttempts: 1 }) as never,
        sdk,
      );
    const root = clientOf();
    let own: Send | undefined;
    return async (operation, input) => {
      if (operation === 'PassTime') {
        await emulator.kernel.clock.advance(Number(input.seconds) * 1000);
        return {};
      }
      const answer = await (operation === 'ChangePassword' ? (own ?? root) : root)(operation, input);
      // Passwords are changed by their owner, so with the key in the state.
      if (operation === 'CreateAccessKey') {
        const { AccessKeyId, SecretAccessKey } = answer.AccessKey as Record<string, string>;
        own ??= clientOf({ accessKeyId: AccessKeyId!, secretAccessKey: SecretAccessKey! });
      }
      return answer;
    };
  },
  setUp,
  observe,
  deviations: [
    {
      path: /^user\.(path|userName|userId)$/,
      reason: 'the root user has neither a path nor a name, and its account for an id',
    },
    { path: /^(accessKey|certificate)\.userName$/, reason: 'the root user has no name' },
    { path: /^sSHPublicKey\.fingerprint$/, reason: 'MD5 fingerprints have 47 characters, where the model wants 48' },
  ],
  after: { UpdateAccountPasswordPolicy: taken },
  also: { UpdateAccountPasswordPolicy: [() => ({ MinimumPasswordLength: 6 })] },
  values: {
    ...Object.fromEntries(
      [
        ...['CreateGroup', 'CreateInstanceProfile', 'CreatePolicy', 'CreateRole', 'CreateUser'].map(
          (one) => `${one}.Path`,
        ),
        ...['CreateVirtualMFADevice', 'UploadServerCertificate'].map((one) => `${one}.Path`),
        ...['UpdateGroup', 'UpdateServerCertificate', 'UpdateUser'].map((one) => `${one}.NewPath`),
        ...['AttachedGroupPolicies', 'AttachedRolePolicies', 'AttachedUserPolicies', 'EntitiesForPolicy', 'Groups'].map(
          (one) => `List${one}.PathPrefix`,
        ),
        ...['InstanceProfiles', 'Policies', 'Roles', 'ServerCertificates', 'Users'].map(
          (one) => `List${one}.PathPrefix`,
        ),
      ].map((member) => [member, PATH]),
    ),
  },
  before: {
    ...credentials.before,
    ...reports.before,
    DeleteServiceLinkedRole: linked,
    GetServiceLinkedRoleDeletionStatus: async (send) => {
      const facts = await linked(send);
      const { DeletionTaskId } = await send('DeleteServiceLinkedRole', { RoleName: facts.linked });
      return { task: DeletionTaskId as string };
    },
  },
  inputs: {
    ...credentials.inputs,
    ...reports.inputs,
    ...ofPrincipals((kind, name) => ({
      [`Create${kind}`]: () => ({
        [`${kind}Name`]: 'fresh',
        ...(kind === 'Role' && { AssumeRolePolicyDocument: TRUST }),
      }),
      [`Get${kind}`]: () => ({ ...name }),
      [`Delete${kind}`]: () => free(name),
      [`Put${kind}Policy`]: () => ({ ...name, PolicyName: 'fresh', PolicyDocument: DOCUMENT }),
      [`Get${kind}Policy`]: () => ({ ...name, ...inline }),
      [`Delete${kind}Policy`]: () => ({ ...name, ...inline }),
      [`List${kind}Policies`]: () => ({ ...name }),
      [`Attach${kind}Policy`]: () => ({ ...name, PolicyArn: ADMIN }),
      [`Detach${kind}Policy`]: () => ({ ...name, ...managed }),
      [`ListAttached${kind}Policies`]: () => ({ ...name }),
    })),
    AddRoleToInstanceProfile: () => ({ InstanceProfileName: 'free', ...role }),
    AddUserToGroup: () => ({ GroupName: 'free', ...user }),
    ChangePassword: () => ({ OldPassword: PASSWORD, NewPassword: 'Other-12345' }),
    CreateAccessKey: () => ({ UserName: 'free' }),
    CreateAccountAlias: () => ({ AccountAlias: 'fresh' }),
    CreateInstanceProfile: () => ({ InstanceProfileName: 'fresh' }),
    CreateLoginProfile: () => ({ UserName: 'free', Password: PASSWORD }),
    CreatePolicy: () => ({ PolicyName: 'fresh', PolicyDocument: DOCUMENT }),
    CreatePolicyVersion: () => ({ ...managed, PolicyDocument: DOCUMENT }),
    CreateServiceLinkedRole: () => ({ AWSServiceName: 'autoscaling.amazonaws.com' }),
    DeleteAccessKey: (facts) => ({ ...user, AccessKeyId: facts.key }),
    DeleteAccountAlias: () => ({ AccountAlias: 'known' }),
    DeleteInstanceProfile: () => ({ InstanceProfileName: 'free' }),
    DeleteLoginProfile: () => user,
    DeletePolicy: () => ({ PolicyArn: `arn:aws:iam::${ACCOUNT}:policy/free` }),
    DeletePolicyVersion: version,
    DeleteRolePermissionsBoundary: () => role,
    DeleteServiceLinkedRole: (facts) => ({ RoleName: facts.linked }),
    DeleteUserPermissionsBoundary: () => user,
    GetAccessKeyLastUsed: (facts) => ({ AccessKeyId: facts.key }),
    GetInstanceProfile: () => profile,
    GetLoginProfile: () => user,
    GetPolicy: () => managed,
    GetPolicyVersion: version,
    GetServiceLinkedRoleDeletionStatus: (facts) => ({ DeletionTaskId: facts.task }),
    ListAccessKeys: () => user,
    ListEntitiesForPolicy: () => managed,
    ListGroupsForUser: () => user,
    ListInstanceProfilesForRole: () => role,
    ListInstanceProfileTags: () => profile,
    ListPolicyTags: () => managed,
    ListPolicyVersions: () => managed,
    ListRoleTags: () => role,
    ListUserTags: () => user,
    PutRolePermissionsBoundary: () => ({ ...role, PermissionsBoundary: POLICY }),
    PutUserPermissionsBoundary: () => ({ ...user, PermissionsBoundary: POLICY }),
    RemoveRoleFromInstanceProfile: () => ({ ...profile, ...role }),
    RemoveUserFromGroup: () => ({ ...group, ...user }),
    SetDefaultPolicyVersion: version,
    SetSecurityTokenServicePreferences: () => ({ GlobalEndpointTokenVersion: 'v2Token' }),
    TagInstanceProfile: () => ({ ...profile, ...tag }),
    TagPolicy: () => ({ ...managed, ...tag }),
    TagRole: () => ({ ...role, ...tag }),
    TagUser: () => ({ ...user, ...tag }),
    UntagInstanceProfile: () => ({ ...profile, ...untag }),
    UntagPolicy: () => ({ ...managed, ...untag }),
    UntagRole: () => ({ ...role, ...untag }),
    UntagUser: () => ({ ...user, ...untag }),
    UpdateAccessKey: (facts) => ({ ...user, AccessKeyId: facts.key, Status: 'Inactive' }),
    UpdateAccountPasswordPolicy: () => ({ MinimumPasswordLength: 12 }),
    UpdateAssumeRolePolicy: () => ({
      ...role,
      PolicyDocument: TRUST.replace('ec2.amazonaws.com', 'lambda.amazonaws.com'),
    }),
    UpdateGroup: () => ({ ...group, NewGroupName: 'renamed' }),
    UpdateLoginProfile: () => ({ ...user, Password: PASSWORD, PasswordResetRequired: true }),
    UpdateRole: () => ({ ...role, MaxSessionDuration: 7200 }),
    UpdateRoleDescription: () => ({ ...role, Description: 'described' }),
    UpdateUser: () => ({ ...user, NewUserName: 'renamed' }),
  },
  reads: {
    ...credentials.reads,
    ...reports.reads,
    ...Object.fromEntries(
      (
        [
          ['User', user],
          ['Group', group],
          ['Role', role],
        ] as const
      ).flatMap(([kind, name]) => {
        const put = (send: Send) =>
          send(`Put${kind}Policy`, {
            ...name,
            ...inline,
            PolicyDocument: DOCUMENT.replace('s3', 'sqs'),
          });
        return [
          [`Get${kind}Policy`, put],
          [`List${kind}Policies`, (send: Send) => send(`Delete${kind}Policy`, { ...name, ...inline })],
          [`ListAttached${kind}Policies`, (send: Send) => send(`Detach${kind}Policy`, { ...name, ...managed })],
        ];
      }),
    ),
    // Only the old password indicates a change.
    ChangePassword: undefined,
    // The response also contains the owner of the key.
    GetAccessKeyLastUsed: (send) => send('UpdateUser', { ...user, NewUserName: 'renamed' }),
    GetAccountAuthorizationDetails: (send) => send('CreateUser', { UserName: 'fresh' }),
    GetAccountPasswordPolicy: (send) => send('UpdateAccountPasswordPolicy', { MinimumPasswordLength: 12 }),
    GetAccountSummary: (send) => send('CreateUser', { UserName: 'fresh' }),
    GetGroup: (send) => send('RemoveUserFromGroup', { ...group, ...user }),
    GetInstanceProfile: (send) => send('RemoveRoleFromInstanceProfile', { ...profile, ...role }),
    GetLoginProfile: (send) => send('UpdateLoginProfile', { ...user, PasswordResetRequired: true }),
    GetPolicy: (send) => send('AttachUserPolicy', { UserName: 'free', ...managed }),
    GetPolicyVersion: (send) => send('SetDefaultPolicyVersion', { ...managed, VersionId: 'v2' }),
    GetRole: (send) => send('UpdateRole', { ...role, MaxSessionDuration: 7200 }),
    GetServiceLinkedRoleDeletionStatus: undefined,
    GetUser: (send) => send('TagUser', { ...user, ...tag }),
    ListAccessKeys: (send, facts) => send('UpdateAccessKey', { ...user, AccessKeyId: facts.key, Status: 'Inactive' }),
    ListAccountAliases: (send) => send('CreateAccountAlias', { AccountAlias: 'fresh' }),
    ListEntitiesForPolicy: (send) => send('DetachUserPolicy', { ...user, ...managed }),
    ListGroups: (send) => send('DeleteGroup', { GroupName: 'free' }),
    ListGroupsForUser: (send) => send('RemoveUserFromGroup', { ...group, ...user }),
    ListInstanceProfiles: (send) => send('DeleteInstanceProfile', { InstanceProfileName: 'free' }),
    ListInstanceProfilesForRole: (send) => send('RemoveRoleFromInstanceProfile', { ...profile, ...role }),
    ListInstanceProfileTags: (send) => send('TagInstanceProfile', { ...profile, ...tag }),
    ListPolicies: (send) => send('AttachUserPolicy', { UserName: 'known', PolicyArn: ADMIN }),
    ListPolicyTags: (send) => send('TagPolicy', { ...managed, ...tag }),
    ListPolicyVersions: (send) => send('DeletePolicyVersion', { ...managed, VersionId: 'v2' }),
    ListRoles: (send) => send('DeleteRole', { RoleName: 'free' }),
    ListRoleTags: (send) => send('TagRole', { ...role, ...tag }),
    ListUsers: (send) => send('DeleteUser', { UserName: 'free' }),
    ListUserTags: (send) => send('TagUser', { ...user, ...tag }),
  },
};
