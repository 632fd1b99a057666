import type { DeepReadonly } from '@emu/core';
import type { InputOf, OutputOf, VpcLink } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { vpcLinkOf } from '../lookup.ts';
import { timeOf } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { VpcLinkRecord } from '../records.ts';
import { tagging } from '../tags.ts';

const MAX_NAME = 128;
const SUBNET = /^subnet-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;
const SECURITY_GROUP = /^sg-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;

const describe = ({ createdAt, ...link }: DeepReadonly<VpcLinkRecord>): VpcLink => ({
  ...(link as Omit<VpcLinkRecord, 'createdAt'>),
  CreatedDate: timeOf(createdAt),
  VpcLinkStatus: 'AVAILABLE',
  VpcLinkStatusMessage: 'VPC link is ready to route traffic',
  VpcLinkVersion: 'V2',
});

function checkName(name: string): void {
  if (name === '' || name.length > MAX_NAME) throw invalid(`Name must have 1 to ${MAX_NAME} characters`);
}

/**
 * Makes a link into a VPC. emu has no subnets and security groups: their ids are checked by their form.
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks.html#CreateVpcLink
 */
export function CreateVpcLink(
  input: InputOf<'CreateVpcLink'>,
  { state, clock }: Apigatewayv2Context,
): OutputOf<'CreateVpcLink'> {
  const { Name, SubnetIds, SecurityGroupIds = [] } = input;
  checkName(Name);
  if (SubnetIds.length === 0) throw invalid('At least one subnet is required for a VPC link');
  for (const id of SubnetIds) if (!SUBNET.test(id)) throw invalid(`Invalid subnet identifier specified: ${id}`);
  for (const id of SecurityGroupIds)
    if (!SECURITY_GROUP.test(id)) throw invalid(`Invalid security group identifier specified: ${id}`);
  const Tags = tagging.merge(undefined, input.Tags);
  const VpcLinkId = state.newId().slice(0, 6);
  const link = { Name, SecurityGroupIds, SubnetIds, Tags, VpcLinkId, createdAt: clock.now() };
  // The answer comes before the link is there.
  return {
    ...describe(state.vpcLinks.put(VpcLinkId, link)),
    VpcLinkStatus: 'PENDING',
    VpcLinkStatusMessage: 'VPC link is provisioning ENIs',
  };
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks-vpclinkid.html#GetVpcLink */
export function GetVpcLink(input: InputOf<'GetVpcLink'>, ctx: Apigatewayv2Context): OutputOf<'GetVpcLink'> {
  return describe(vpcLinkOf(input, ctx));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks.html#GetVpcLinks */
export function GetVpcLinks(input: InputOf<'GetVpcLinks'>, { state }: Apigatewayv2Context): OutputOf<'GetVpcLinks'> {
  return paging
    .page('GetVpcLinks', withLimit(input), state.vpcLinks.values(), ({ VpcLinkId }) => VpcLinkId)
    .list(describe);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks-vpclinkid.html#UpdateVpcLink */
export function UpdateVpcLink(input: InputOf<'UpdateVpcLink'>, ctx: Apigatewayv2Context): OutputOf<'UpdateVpcLink'> {
  const { VpcLinkId } = vpcLinkOf(input, ctx);
  const { Name } = input;
  if (Name === undefined) return describe(vpcLinkOf(input, ctx));
  checkName(Name);
  return describe(ctx.state.vpcLinks.update(VpcLinkId, (draft) => Object.assign(draft, { Name })));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks-vpclinkid.html#DeleteVpcLink */
export function DeleteVpcLink(input: InputOf<'DeleteVpcLink'>, ctx: Apigatewayv2Context): OutputOf<'DeleteVpcLink'> {
  const { VpcLinkId } = vpcLinkOf(input, ctx);
  ctx.state.vpcLinks.delete(VpcLinkId);
  return {};
}
