import {
  changeTags,
  defined,
  defineProvider,
  everyItem,
  listChanges,
  pick,
  run,
  sameValue,
  type TemplateTag,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { changePolicies, type PolicyProperties, readPolicies } from './entity-policies.ts';

interface UserProperties extends PolicyProperties {
  Groups?: readonly string[];
  LoginProfile?: { Password: string; PasswordResetRequired?: boolean };
  Path?: string;
  PermissionsBoundary?: string;
  Tags?: readonly TemplateTag[];
  UserName?: string;
}

/** Removes a user from a group; either may be missing. */
export const leaveGroup = (UserName: string, GroupName: string, ctx: ProviderContext): Promise<unknown> =>
  unless(ctx.call('iam', 'RemoveUserFromGroup', { UserName, GroupName }), 'NoSuchEntity');

/** Updates what belongs to a user besides its own record. */
async function changeUser(
  UserName: string,
  previous: UserProperties,
  desired: UserProperties,
  ctx: ProviderContext,
): Promise<void> {
  const groups = listChanges(previous.Groups, desired.Groups);
  for (const GroupName of groups.added) await ctx.call('iam', 'AddUserToGroup', { UserName, GroupName });
  for (const group of groups.removed) await leaveGroup(UserName, group, ctx);
  const { LoginProfile } = desired;
  if (!sameValue(previous.LoginProfile, LoginProfile)) {
    if (!LoginProfile) await unless(ctx.call('iam', 'DeleteLoginProfile', { UserName }), 'NoSuchEntity');
    else if (previous.LoginProfile) await ctx.call('iam', 'UpdateLoginProfile', { UserName, ...LoginProfile });
    else await ctx.call('iam', 'CreateLoginProfile', { UserName, ...LoginProfile });
  }
  await changePolicies('User', UserName, previous, desired, ctx);
}

const existing = async (UserName: string, ctx: ProviderContext) =>
  (await unless(ctx.call('iam', 'GetUser', { UserName }), 'NoSuchEntity'))?.User;

/**
 * Users.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-user.html
 */
export const user: AnyResourceProvider = defineProvider<UserProperties>({
  typeName: 'AWS::IAM::User',
  model,
  handles: [
    'Groups',
    'LoginProfile',
    'ManagedPolicyArns',
    'Path',
    'PermissionsBoundary',
    'Policies',
    'Tags',
    'UserName',
  ],

  async create(properties, ctx) {
    const UserName = properties.UserName ?? ctx.name();
    const { User } = await run(ctx, 'iam', 'CreateUser', {
      ...pick(properties, ['Path', 'PermissionsBoundary', 'Tags']),
      UserName,
    });
    ctx.created(UserName);
    await changeUser(UserName, {}, properties, ctx);
    return { identifier: UserName, attributes: { Arn: User!.Arn } };
  },

  async read(UserName, ctx) {
    const User = await existing(UserName, ctx);
    if (!User) return undefined;
    const groups = await everyItem(async (Marker) => {
      const page = await ctx.call('iam', 'ListGroupsForUser', defined({ UserName, Marker }));
      return [page.Groups.map(({ GroupName }) => GroupName), page.Marker] as const;
    });
    const profile = await unless(ctx.call('iam', 'GetLoginProfile', { UserName }), 'NoSuchEntity');
    return {
      properties: defined({
        UserName,
        Path: User.Path,
        Groups: unlessEmpty(groups),
        // Only a hash of the password is stored.
        LoginProfile: profile && ({ PasswordResetRequired: profile.LoginProfile.PasswordResetRequired } as never),
        PermissionsBoundary: User.PermissionsBoundary?.PermissionsBoundaryArn,
        Tags: unlessEmpty(User.Tags),
        ...(await readPolicies('User', UserName, ctx)),
      }),
      attributes: { Arn: User.Arn },
    };
  },

  async update(UserName, previous, desired, ctx) {
    const { Path = '/', PermissionsBoundary } = desired;
    if ((previous.Path ?? '/') !== Path) await ctx.call('iam', 'UpdateUser', { UserName, NewPath: Path });
    if (previous.PermissionsBoundary !== PermissionsBoundary)
      await (PermissionsBoundary
        ? ctx.call('iam', 'PutUserPermissionsBoundary', { UserName, PermissionsBoundary })
        : ctx.call('iam', 'DeleteUserPermissionsBoundary', { UserName }));
    await changeUser(UserName, previous, desired, ctx);
    await changeTags(previous.Tags, desired.Tags, {
      set: (Tags) => ctx.call('iam', 'TagUser', { UserName, Tags: [...Tags] }),
      remove: (TagKeys) => ctx.call('iam', 'UntagUser', { UserName, TagKeys: [...TagKeys] }),
    });
  },

  async delete(UserName, properties, ctx) {
    if (!(await existing(UserName, ctx))) return;
    await changeUser(UserName, properties, {}, ctx);
    await ctx.call('iam', 'DeleteUser', { UserName });
  },

  list: (ctx) =>
    everyItem(async (Marker) => {
      const page = await ctx.call('iam', 'ListUsers', defined({ Marker }));
      return [page.Users.map((found) => found.UserName), page.Marker] as const;
    }),
});
