import { type DeepReadonly, parseArn } from '@emu/core/service';
import type { InputOf, OutputOf, VpcLink } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import { applyPatch, type PatchTable, refuseListing, text } from '../patch/patch.ts';
import type { VpcLinkRecord } from '../records.ts';
import { tagging } from '../tags.ts';

type View = DeepReadonly<VpcLinkRecord>;

const describe = ({ createdAt, tags, ...link }: View, tagged: boolean): VpcLink => ({
  ...(structuredClone(link) as Omit<VpcLinkRecord, 'createdAt' | 'tags'>),
  status: 'AVAILABLE',
  statusMessage: 'Your vpc link is ready for use',
  ...(tagged && { tags: { ...tags } }),
});

function linkOf(id: string, { state }: ApigatewayContext): View {
  const link = state.vpcLinks.get(id);
  if (!link) throw notFound('Invalid Vpc Link identifier specified');
  return link;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateVpcLink.html */
export function CreateVpcLink(
  input: InputOf<'CreateVpcLink'>,
  { state, clock }: ApigatewayContext,
): OutputOf<'CreateVpcLink'> {
  const { name, description, targetArns, tags } = input;
  if (name === '') throw badRequest('Name cannot be empty');
  if (targetArns.length === 0) throw badRequest('At least one target arn must be specified for vpc link.');
  if (targetArns.length > 1) throw badRequest('More than one target arn specified for vpc link.');
  for (const arn of targetArns) if (!parseArn(arn)) throw badRequest(`Invalid ARN. ARN is not well formed ${arn}`);
  const merged = tags && tagging.merge(undefined, tags);
  const link: VpcLinkRecord = {
    id: state.newId(6),
    name,
    ...(description !== undefined && { description }),
    targetArns,
    ...(merged && { tags: merged }),
    createdAt: clock.now(),
  };
  const { statusMessage, ...made } = describe(state.vpcLinks.put(link.id, link), merged !== undefined);
  // The response precedes the creation of the link.
  return { ...made, status: 'PENDING' };
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetVpcLink.html */
export function GetVpcLink({ vpcLinkId }: InputOf<'GetVpcLink'>, ctx: ApigatewayContext): OutputOf<'GetVpcLink'> {
  return describe(linkOf(vpcLinkId, ctx), true);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetVpcLinks.html */
export function GetVpcLinks(input: InputOf<'GetVpcLinks'>, { state }: ApigatewayContext): OutputOf<'GetVpcLinks'> {
  return paging
    .page('GetVpcLinks', input, state.vpcLinks.values(), ({ id }) => id)
    .list((link) => describe(link, false));
}

const TABLE: PatchTable<VpcLinkRecord> = {
  rules: [text('/name', 'name'), text('/description', 'description')],
  refuse: (step, known, rules) =>
    step.path.startsWith('/targetArns')
      ? badRequest('Target arns are not allowed to be changed/added.')
      : refuseListing(step, known, rules),
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateVpcLink.html */
export function UpdateVpcLink(
  { vpcLinkId, patchOperations }: InputOf<'UpdateVpcLink'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateVpcLink'> {
  linkOf(vpcLinkId, ctx);
  return describe(
    ctx.state.vpcLinks.update(vpcLinkId, (draft) => {
      applyPatch(TABLE, draft, patchOperations);
      if (draft.name === '') throw badRequest('Name cannot be empty');
    }),
    true,
  );
}

/** Returns the methods of stages whose integrations use a link, in AWS's form. */
function usersOf(vpcLinkId: string, { state }: ApigatewayContext): string[] {
  const found: string[] = [];
  for (const { id } of state.apis.values())
    for (const { stageName, deploymentId } of state.stages.list(id))
      for (const resource of state.deployments.get(id, deploymentId)?.definition.resources ?? [])
        for (const [method, { methodIntegration }] of Object.entries(resource.methods))
          if (methodIntegration?.connectionId === vpcLinkId) found.push(`${id}:${method}:${resource.id}:${stageName}`);
  return found;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteVpcLink.html */
export function DeleteVpcLink(
  { vpcLinkId }: InputOf<'DeleteVpcLink'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteVpcLink'> {
  linkOf(vpcLinkId, ctx);
  const users = usersOf(vpcLinkId, ctx);
  if (users.length > 0)
    throw badRequest(
      `Cannot delete vpc link. Vpc link '${vpcLinkId}', is referenced in [${users.join(', ')}] in format of [RESTApiId:Method:Resource:Stage].`,
    );
  ctx.state.vpcLinks.delete(vpcLinkId);
  return {};
}
