import type { InputOf, OutputOf } from '@emu/service-types/apigateway';
import { checkPlace, deleteTree, describeResource, movePaths, pathOf } from '../apis/resource.ts';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import { apiOf, resourceOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { applyPatch, givenValue, type PatchTable, refuseListing } from '../patch/patch.ts';

const embedsMethods = (embed: string[] | undefined): boolean => embed?.includes('methods') ?? false;

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateResource.html */
export function CreateResource(input: InputOf<'CreateResource'>, ctx: ApigatewayContext): OutputOf<'CreateResource'> {
  const { restApiId, parentId, pathPart } = input;
  const parent = resourceOf({ restApiId, resourceId: parentId }, ctx);
  checkPlace(restApiId, parent, pathPart, ctx);
  const id = ctx.state.newId(6);
  return describeResource(
    ctx.state.resources.put(restApiId, id, { id, parentId, pathPart, path: pathOf(parent, pathPart), methods: {} }),
  );
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetResource.html */
export function GetResource(input: InputOf<'GetResource'>, ctx: ApigatewayContext): OutputOf<'GetResource'> {
  return describeResource(resourceOf(input, ctx), embedsMethods(input.embed));
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetResources.html */
export function GetResources(input: InputOf<'GetResources'>, ctx: ApigatewayContext): OutputOf<'GetResources'> {
  apiOf(input.restApiId, ctx);
  const all = ctx.state.resources.list(input.restApiId);
  return paging
    .page('GetResources', input, all, ({ id }) => id)
    .list((resource) => describeResource(resource, embedsMethods(input.embed)));
}

interface Place {
  parentId: string;
  pathPart: string;
}

const TABLE: PatchTable<Place> = {
  rules: [
    {
      path: '/parentId',
      ops: ['replace'],
      apply(draft, step) {
        draft.parentId = givenValue(step);
      },
    },
    {
      path: '/pathPart',
      ops: ['replace'],
      apply(draft, step) {
        draft.pathPart = givenValue(step);
      },
    },
  ],
  refuse: refuseListing,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateResource.html */
export function UpdateResource(input: InputOf<'UpdateResource'>, ctx: ApigatewayContext): OutputOf<'UpdateResource'> {
  const { restApiId, resourceId, patchOperations } = input;
  const { state } = ctx;
  const resource = resourceOf(input, ctx);
  const { parentId, pathPart } = resource;
  const place: Place = { parentId: parentId ?? '', pathPart: pathPart ?? '' };
  applyPatch(TABLE, place, patchOperations);
  if (parentId === undefined) {
    if (place.pathPart !== '') throw badRequest('Root resource cannot update its pathPart.');
    if (place.parentId !== '') throw badRequest('Root resource cannot update its parentId.');
    return describeResource(resource);
  }
  const parent = state.resources.get(restApiId, place.parentId);
  if (!parent) throw notFound('Invalid Resource identifier specified');
  for (let above = parent; above.parentId !== undefined; above = state.resources.get(restApiId, above.parentId)!)
    if (above.id === resourceId) throw badRequest('Resources cannot be cyclical.');
  checkPlace(restApiId, parent, place.pathPart, ctx, resourceId);
  const moved = state.resources.update(restApiId, resourceId, (draft) => {
    Object.assign(draft, place, { path: pathOf(parent, place.pathPart) });
  });
  movePaths(restApiId, moved, ctx);
  return describeResource(moved);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteResource.html */
export function DeleteResource(input: InputOf<'DeleteResource'>, ctx: ApigatewayContext): OutputOf<'DeleteResource'> {
  const resource = resourceOf(input, ctx);
  if (resource.parentId === undefined) throw badRequest('Root resource may not be deleted');
  deleteTree(input.restApiId, input.resourceId, ctx);
  return {};
}
