import type { DeepReadonly } from '@emu/core/service';
import type { Method } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from './context.ts';
import { badRequest, notFound } from './errors.ts';
import type { Api, Resource, StageView } from './state.ts';

/**
 * Returns an API by id.
 * @throws AwsError `NotFoundException`
 */
export function apiOf(id: string, { state }: ApigatewayContext): Api {
  const api = state.apis.get(id);
  if (!api) throw notFound(`Invalid API identifier specified ${state.accountId}:${id}`);
  return api;
}

/**
 * Returns a resource of an API; for an unknown API the error is about the resource, as recorded from AWS.
 * @throws AwsError `NotFoundException`
 */
export function resourceOf(input: { restApiId: string; resourceId: string }, ctx: ApigatewayContext): Resource {
  const resource = ctx.state.resources.get(input.restApiId, input.resourceId);
  if (!resource) throw notFound('Invalid Resource identifier specified');
  return resource;
}

/** Members that identify a method. */
export interface MethodInput {
  restApiId: string;
  resourceId: string;
  httpMethod: string;
}

/**
 * Returns a method of a resource.
 * @throws AwsError `NotFoundException`
 */
export function methodOf(input: MethodInput, ctx: ApigatewayContext): DeepReadonly<Method> {
  const method = resourceOf(input, ctx).methods[input.httpMethod];
  if (!method) throw notFound('Invalid Method identifier specified');
  return method;
}

/**
 * Returns a stage of an API.
 * @throws AwsError `NotFoundException`
 */
export function stageOf(input: { restApiId: string; stageName: string }, ctx: ApigatewayContext): StageView {
  apiOf(input.restApiId, ctx);
  const stage = ctx.state.stages.get(input.restApiId, input.stageName);
  if (!stage) throw notFound('Invalid stage identifier specified');
  return stage;
}

/**
 * Returns an API, for operations that respond with 400 if it is unknown.
 * @throws AwsError `BadRequestException`
 */
export function requireApi(id: string, { state }: ApigatewayContext): Api {
  const api = state.apis.get(id);
  if (!api) throw badRequest('Invalid REST API identifier specified');
  return api;
}
