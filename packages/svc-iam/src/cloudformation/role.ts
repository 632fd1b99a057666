import {
  changeTags,
  defined,
  defineProvider,
  differs,
  everyItem,
  omit,
  pick,
  run,
  sameValue,
  type TemplateTag,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { changePolicies, decodedDocument, type PolicyProperties, readPolicies } from './entity-policies.ts';

interface RoleProperties extends PolicyProperties {
  AssumeRolePolicyDocument: unknown;
  Description?: string;
  MaxSessionDuration?: number;
  Path?: string;
  PermissionsBoundary?: string;
  RoleName?: string;
  Tags?: readonly TemplateTag[];
}

const HOUR = 3600;

/**
 * Roles.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-role.html
 */
export const role: AnyResourceProvider = defineProvider<RoleProperties>({
  typeName: 'AWS::IAM::Role',
  model,
  handles: [
    'AssumeRolePolicyDocument',
    'Description',
    'ManagedPolicyArns',
    'MaxSessionDuration',
    'Path',
    'PermissionsBoundary',
    'Policies',
    'RoleName',
    'Tags',
  ],

  async create(properties, ctx) {
    const RoleName = properties.RoleName ?? ctx.name();
    const { Role } = await run(ctx, 'iam', 'CreateRole', {
      ...omit(properties, 'ManagedPolicyArns', 'Policies'),
      RoleName,
      AssumeRolePolicyDocument: textOf(properties.AssumeRolePolicyDocument),
    });
    ctx.created(RoleName);
    await changePolicies('Role', RoleName, {}, properties, ctx);
    return { identifier: RoleName, attributes: pick(Role, ['Arn', 'RoleId']) };
  },

  async read(RoleName, ctx) {
    const Role = (await unless(ctx.call('iam', 'GetRole', { RoleName }), 'NoSuchEntity'))?.Role;
    if (!Role) return undefined;
    return {
      properties: defined({
        ...pick(Role, ['MaxSessionDuration', 'Path', 'RoleName']),
        Description: Role.Description || undefined,
        AssumeRolePolicyDocument: decodedDocument(Role.AssumeRolePolicyDocument),
        PermissionsBoundary: Role.PermissionsBoundary?.PermissionsBoundaryArn,
        Tags: unlessEmpty(Role.Tags),
        ...(await readPolicies('Role', RoleName, ctx)),
      }),
      attributes: pick(Role, ['Arn', 'RoleId']),
    };
  },

  async update(RoleName, previous, desired, ctx) {
    const { AssumeRolePolicyDocument, Description = '', MaxSessionDuration = HOUR, PermissionsBoundary } = desired;
    if (!sameValue(previous.AssumeRolePolicyDocument, AssumeRolePolicyDocument))
      await ctx.call('iam', 'UpdateAssumeRolePolicy', {
        RoleName,
        PolicyDocument: textOf(AssumeRolePolicyDocument),
      });
    if (differs({ ...previous }, { ...desired }, 'Description', 'MaxSessionDuration'))
      await ctx.call('iam', 'UpdateRole', { RoleName, Description, MaxSessionDuration });
    if (previous.PermissionsBoundary !== PermissionsBoundary)
      await (PermissionsBoundary
        ? ctx.call('iam', 'PutRolePermissionsBoundary', { RoleName, PermissionsBoundary })
        : ctx.call('iam', 'DeleteRolePermissionsBoundary', { RoleName }));
    await changePolicies('Role', RoleName, previous, desired, ctx);
    await changeTags(previous.Tags, desired.Tags, {
      set: (Tags) => ctx.call('iam', 'TagRole', { RoleName, Tags: [...Tags] }),
      remove: (TagKeys) => ctx.call('iam', 'UntagRole', { RoleName, TagKeys: [...TagKeys] }),
    });
  },

  async delete(RoleName, properties, ctx) {
    await changePolicies('Role', RoleName, properties, {}, ctx);
    await unless(ctx.call('iam', 'DeleteRole', { RoleName }), 'NoSuchEntity');
  },

  list: (ctx) =>
    everyItem(async (Marker) => {
      const page = await ctx.call('iam', 'ListRoles', defined({ Marker }));
      return [page.Roles.map((found) => found.RoleName), page.Marker] as const;
    }),
});
