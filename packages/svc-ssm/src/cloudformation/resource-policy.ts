import {
  defineProvider,
  documentValue,
  identifierOf,
  identifierParts,
  type Properties,
  unless,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface PolicyProperties extends Properties {
  readonly Policy: unknown;
  readonly ResourceArn: string;
}

const GONE = ['ResourceNotFoundException', 'ResourcePolicyNotFoundException'];

/** Returns the policy of an identifier; undefined if the resource or policy was deleted. */
async function policyAt(identifier: string, ctx: ProviderContext) {
  const [PolicyId, ResourceArn] = identifierParts(identifier, 2);
  const found = await unless(ctx.call('ssm', 'GetResourcePolicies', { ResourceArn: ResourceArn! }), ...GONE);
  const policy = found?.Policies?.find((one) => one.PolicyId === PolicyId);
  return policy && { ...policy, PolicyId: PolicyId!, ResourceArn: ResourceArn! };
}

/**
 * Resource policies that share parameters and OpsItems.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ssm-resourcepolicy.html
 */
export const resourcePolicy: AnyResourceProvider = defineProvider<PolicyProperties>({
  typeName: 'AWS::SSM::ResourcePolicy',
  model,
  handles: ['Policy', 'ResourceArn'],

  async create({ Policy, ResourceArn }, ctx) {
    const made = await ctx.call('ssm', 'PutResourcePolicy', { ResourceArn, Policy: textOf(Policy) });
    const { PolicyId, PolicyHash } = made;
    return { identifier: identifierOf(PolicyId!, ResourceArn), attributes: { PolicyId, PolicyHash } };
  },

  async read(identifier, ctx) {
    const found = await policyAt(identifier, ctx);
    if (!found) return undefined;
    const { Policy, PolicyId, PolicyHash, ResourceArn } = found;
    return { properties: { Policy: documentValue(Policy), ResourceArn }, attributes: { PolicyId, PolicyHash } };
  },

  async update(identifier, _previous, { Policy }, ctx) {
    const found = (await policyAt(identifier, ctx))!;
    const { PolicyId, PolicyHash, ResourceArn } = found;
    await ctx.call('ssm', 'PutResourcePolicy', {
      ResourceArn,
      PolicyId,
      ...(PolicyHash !== undefined && { PolicyHash }),
      Policy: textOf(Policy),
    });
  },

  async delete(identifier, _properties, ctx) {
    const found = await policyAt(identifier, ctx);
    if (!found) return;
    const { PolicyId, PolicyHash, ResourceArn } = found;
    await unless(ctx.call('ssm', 'DeleteResourcePolicy', { ResourceArn, PolicyId, PolicyHash: PolicyHash! }), ...GONE);
  },

  listedBy: ['ResourceArn'],
  async list(ctx, filter = {}) {
    const ResourceArn = String(filter.ResourceArn);
    const found = await unless(ctx.call('ssm', 'GetResourcePolicies', { ResourceArn }), ...GONE);
    return (found?.Policies ?? []).map(({ PolicyId }) => identifierOf(PolicyId!, ResourceArn));
  },
});
