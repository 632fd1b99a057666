import { defined, defineProvider, everyItem, listChanges, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { changePolicies, type PolicyProperties, readPolicies } from './entity-policies.ts';
import { leaveGroup } from './user.ts';

interface GroupProperties extends PolicyProperties {
  GroupName?: string;
  Path?: string;
}

interface AdditionProperties {
  GroupName: string;
  Users: readonly string[];
}

const existing = async (GroupName: string, ctx: ProviderContext) =>
  (await unless(ctx.call('iam', 'GetGroup', { GroupName, MaxItems: 1 }), 'NoSuchEntity'))?.Group;

const membersOf = (GroupName: string, ctx: ProviderContext) =>
  everyItem(async (Marker) => {
    const page = await unless(ctx.call('iam', 'GetGroup', defined({ GroupName, Marker })), 'NoSuchEntity');
    return [page?.Users.map(({ UserName }) => UserName), page?.Marker] as const;
  });

/**
 * Groups of users.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-group.html
 */
export const group: AnyResourceProvider = defineProvider<GroupProperties>({
  typeName: 'AWS::IAM::Group',
  model,
  handles: ['GroupName', 'ManagedPolicyArns', 'Path', 'Policies'],

  async create(properties, ctx) {
    const GroupName = properties.GroupName ?? ctx.name();
    const { Group } = await ctx.call('iam', 'CreateGroup', defined({ GroupName, Path: properties.Path }));
    ctx.created(GroupName);
    await changePolicies('Group', GroupName, {}, properties, ctx);
    return { identifier: GroupName, attributes: { Arn: Group.Arn } };
  },

  async read(GroupName, ctx) {
    const found = await existing(GroupName, ctx);
    if (!found) return undefined;
    const policies = await readPolicies('Group', GroupName, ctx);
    return { properties: { GroupName, Path: found.Path, ...policies }, attributes: { Arn: found.Arn } };
  },

  async update(GroupName, previous, desired, ctx) {
    const { Path = '/' } = desired;
    if ((previous.Path ?? '/') !== Path) await ctx.call('iam', 'UpdateGroup', { GroupName, NewPath: Path });
    await changePolicies('Group', GroupName, previous, desired, ctx);
  },

  async delete(GroupName, properties, ctx) {
    if (!(await existing(GroupName, ctx))) return;
    await changePolicies('Group', GroupName, properties, {}, ctx);
    await ctx.call('iam', 'DeleteGroup', { GroupName });
  },

  list: (ctx) =>
    everyItem(async (Marker) => {
      const page = await ctx.call('iam', 'ListGroups', defined({ Marker }));
      return [page.Groups.map((found) => found.GroupName), page.Marker] as const;
    }),
});

/**
 * Members of a group. Its id is not a resource id, so it is read through the users that it added.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-usertogroupaddition.html
 */
export const userToGroupAddition: AnyResourceProvider = defineProvider<AdditionProperties>({
  typeName: 'AWS::IAM::UserToGroupAddition',
  model,
  handles: ['GroupName', 'Users'],

  async create({ GroupName, Users }, ctx) {
    const identifier = ctx.name();
    for (const UserName of Users) await ctx.call('iam', 'AddUserToGroup', { GroupName, UserName });
    return { identifier, attributes: { Id: identifier } };
  },

  async read(identifier, ctx, applied) {
    if (!applied) return undefined;
    const { GroupName } = applied;
    const members = await membersOf(GroupName, ctx);
    const Users = applied.Users.filter((name) => members.includes(name));
    return Users.length ? { properties: { GroupName, Users }, attributes: { Id: identifier } } : undefined;
  },

  async update(_identifier, previous, { GroupName, Users }, ctx) {
    const same = previous.GroupName === GroupName;
    const { added, removed } = listChanges(previous.Users, Users);
    for (const UserName of same ? added : Users) await ctx.call('iam', 'AddUserToGroup', { GroupName, UserName });
    for (const name of same ? removed : previous.Users) await leaveGroup(name, previous.GroupName, ctx);
  },

  async delete(_identifier, { GroupName, Users = [] }, ctx) {
    for (const name of Users) await leaveGroup(name, GroupName, ctx);
  },
});
