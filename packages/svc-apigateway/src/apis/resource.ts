import type { Method, Resource as ResourceOutput } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, conflict } from '../errors.ts';
import type { ResourceRecord } from '../records.ts';
import type { Resource } from '../state.ts';

/** @see https://github.com/getmoto/moto/issues/6148 */
const PART = /^[a-zA-Z0-9._:$-]+$/;
const VARIABLE = /^\{[a-zA-Z0-9._:-]+\+?\}$/;

/** Whether a path part is a greedy variable. */
const isGreedy = (part: string | undefined): boolean => part?.endsWith('+}') === true;
const isVariable = (part: string | undefined): boolean => part?.startsWith('{') === true;

/** Returns the error message for an invalid path part; undefined for a valid one. */
export const partProblem = (part: string): string | undefined =>
  PART.test(part) || VARIABLE.test(part)
    ? undefined
    : "Resource's path part only allow a-zA-Z0-9._-: or a valid greedy path variable and curly braces at the beginning and the end.";

/** Returns the path of a resource. */
export const pathOf = (parent: Resource, part: string): string =>
  parent.path === '/' ? `/${part}` : `${parent.path}/${part}`;

/**
 * Checks that a resource can be placed below another.
 * @param self id of the resource if it already exists
 * @throws AwsError `BadRequestException`, `ConflictException`
 */
export function checkPlace(apiId: string, parent: Resource, part: string, ctx: ApigatewayContext, self?: string): void {
  const problem = partProblem(part);
  if (problem !== undefined) throw badRequest(problem);
  if (isGreedy(parent.pathPart))
    throw badRequest(`Cannot create a child of a resource with a greedy path variable: ${parent.pathPart}`);
  for (const { id, parentId, pathPart } of ctx.state.resources.list(apiId)) {
    if (parentId !== parent.id || id === self) continue;
    if (pathPart === part) throw conflict(`Another resource with the same parent already has this name: ${part}`);
    if (isVariable(pathPart) && isVariable(part))
      throw badRequest(
        `A sibling (${pathPart}) of this resource already has a variable path part -- only one is allowed`,
      );
  }
}

/** Updates the paths of a resource's descendants after a change of its own. */
export function movePaths(apiId: string, resource: Resource, { state }: Pick<ApigatewayContext, 'state'>): void {
  for (const child of state.resources.list(apiId)) {
    if (child.parentId !== resource.id) continue;
    const moved = state.resources.update(apiId, child.id, (draft) => {
      draft.path = pathOf(resource, child.pathPart!);
    });
    movePaths(apiId, moved, { state });
  }
}

/** Deletes a resource and its descendants. */
export function deleteTree(apiId: string, id: string, ctx: ApigatewayContext): void {
  for (const child of ctx.state.resources.list(apiId)) if (child.parentId === id) deleteTree(apiId, child.id, ctx);
  ctx.state.resources.delete(apiId, id);
}

/**
 * Returns the description of a resource in responses.
 * @param embed whether to include complete methods
 */
export function describeResource(resource: Resource, embed = false): ResourceOutput {
  const { methods, ...rest } = structuredClone(resource) as ResourceRecord;
  const names = Object.keys(methods);
  if (names.length === 0) return rest;
  const shown: Record<string, Method> = {};
  for (const name of names) shown[name] = embed ? methods[name]! : {};
  return { ...rest, resourceMethods: shown };
}
