import { defined, defineProvider, run, unless } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface ServiceLinkedRoleProperties {
  AWSServiceName?: string;
  CustomSuffix?: string;
  Description?: string;
}

/** `/aws-service-role/<service>/`. */
const PATH = /^\/aws-service-role\/(.+)\/$/;

/**
 * Service-linked roles.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-servicelinkedrole.html
 */
export const serviceLinkedRole: AnyResourceProvider = defineProvider<ServiceLinkedRoleProperties>({
  typeName: 'AWS::IAM::ServiceLinkedRole',
  model,
  handles: ['AWSServiceName', 'CustomSuffix', 'Description'],

  async create(properties, ctx) {
    const { Role } = await run(ctx, 'iam', 'CreateServiceLinkedRole', { ...properties });
    return { identifier: Role!.RoleName, attributes: { RoleName: Role!.RoleName } };
  },

  async read(RoleName, ctx) {
    const Role = (await unless(ctx.call('iam', 'GetRole', { RoleName }), 'NoSuchEntity'))?.Role;
    if (!Role) return undefined;
    // AWSServiceRoleFor<Service>_<suffix>
    const suffix = RoleName.split('_')[1];
    return {
      properties: defined({
        AWSServiceName: PATH.exec(Role.Path)?.[1],
        CustomSuffix: suffix,
        Description: Role.Description || undefined,
      }) as ServiceLinkedRoleProperties,
      attributes: { RoleName },
    };
  },

  async update(RoleName, _previous, { Description = '' }, ctx) {
    await ctx.call('iam', 'UpdateRole', { RoleName, Description });
  },

  async delete(RoleName, _properties, ctx) {
    const started = await unless(ctx.call('iam', 'DeleteServiceLinkedRole', { RoleName }), 'NoSuchEntity');
    if (!started) return;
    const { DeletionTaskId } = started;
    await ctx.until(
      async () => {
        const { Status } = await ctx.call('iam', 'GetServiceLinkedRoleDeletionStatus', { DeletionTaskId });
        return Status === 'SUCCEEDED';
      },
      { interval: 100 },
    );
  },
});
