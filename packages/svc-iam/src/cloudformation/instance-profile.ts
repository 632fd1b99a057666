import { defined, defineProvider, everyItem, listChanges, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface InstanceProfileProperties {
  InstanceProfileName?: string;
  Path?: string;
  Roles?: readonly string[];
}

const existing = async (InstanceProfileName: string, ctx: ProviderContext) =>
  (await unless(ctx.call('iam', 'GetInstanceProfile', { InstanceProfileName }), 'NoSuchEntity'))?.InstanceProfile;

async function changeRoles(
  InstanceProfileName: string,
  previous: InstanceProfileProperties,
  desired: InstanceProfileProperties,
  ctx: ProviderContext,
): Promise<void> {
  const { added, removed } = listChanges(previous.Roles, desired.Roles);
  // A profile has at most one role: the old one is removed first.
  for (const RoleName of removed)
    await unless(ctx.call('iam', 'RemoveRoleFromInstanceProfile', { InstanceProfileName, RoleName }), 'NoSuchEntity');
  for (const RoleName of added) await ctx.call('iam', 'AddRoleToInstanceProfile', { InstanceProfileName, RoleName });
}

/**
 * Instance profiles.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-instanceprofile.html
 */
export const instanceProfile: AnyResourceProvider = defineProvider<InstanceProfileProperties>({
  typeName: 'AWS::IAM::InstanceProfile',
  model,
  handles: ['InstanceProfileName', 'Path', 'Roles'],

  async create(properties, ctx) {
    const InstanceProfileName = properties.InstanceProfileName ?? ctx.name();
    const { InstanceProfile } = await ctx.call(
      'iam',
      'CreateInstanceProfile',
      defined({ InstanceProfileName, Path: properties.Path }),
    );
    ctx.created(InstanceProfileName);
    await changeRoles(InstanceProfileName, {}, properties, ctx);
    return { identifier: InstanceProfileName, attributes: { Arn: InstanceProfile.Arn } };
  },

  async read(InstanceProfileName, ctx) {
    const found = await existing(InstanceProfileName, ctx);
    if (!found) return undefined;
    const Roles = found.Roles.map(({ RoleName }) => RoleName);
    return { properties: { InstanceProfileName, Path: found.Path, Roles }, attributes: { Arn: found.Arn } };
  },

  update: changeRoles,

  async delete(InstanceProfileName, properties, ctx) {
    if (!(await existing(InstanceProfileName, ctx))) return;
    await changeRoles(InstanceProfileName, properties, {}, ctx);
    await ctx.call('iam', 'DeleteInstanceProfile', { InstanceProfileName });
  },

  list: (ctx) =>
    everyItem(async (Marker) => {
      const page = await ctx.call('iam', 'ListInstanceProfiles', defined({ Marker }));
      return [page.InstanceProfiles.map((found) => found.InstanceProfileName), page.Marker] as const;
    }),
});
