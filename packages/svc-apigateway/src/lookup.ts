import type { DeepReadonly } from '@emu/core/service';
import type { Method } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from './context.ts';
import { badRequest, notFound } from './errors.ts';
import type { Api, Resource, StageView } from './state.ts';

/** The API of an id. @throws AwsError `NotFoundException` */
export function apiOf(id: string, { state }: ApigatewayContext): Api {
  const api = state.apis.get(id);
  if (!api) throw notFound(`Invalid API identifier specified ${state.accountId}:${id}`);
  return api;
}

/** A resource of an API; as recorded of AWS, an API that is not there has no resource. @throws AwsError `NotFoundException` */
export function resourceOf(input: { restApiId: string; resourceId: string }, ctx: ApigatewayContext): Resource {
  const resource = ctx.state.resources.get(input.restApiId, input.resourceId);
  if (!resource) throw notFound('Invalid Resource identifier specified');
  return resource;
}

/** What names a method. */
export interface MethodInput {
  restApiId: string;
  resourceId: string;
  httpMethod: string;
}

/** A method of a resource. @throws AwsError `NotFoundException` */
export function methodOf(input: MethodInput, ctx: ApigatewayContext): DeepReadonly<Method> {
  const method = resourceOf(input, ctx).methods[input.httpMethod];
  if (!method) throw notFound('Invalid Method identifier specified');
  return method;
}

/** A stage of an API. @throws AwsError `NotFoundException` */
export function stageOf(input: { restApiId: string; stageName: string }, ctx: ApigatewayContext): StageView {
  apiOf(input.restApiId, ctx);
  const stage = ctx.state.stages.get(input.restApiId, input.stageName);
  if (!stage) throw notFound('Invalid stage identifier specified');
  return stage;
}

/** Refuses an API that does not exist by the words of those operations that answer 400. @throws AwsError `BadRequestException` */
export function requireApi(id: string, { state }: ApigatewayContext): Api {
  const api = state.apis.get(id);
  if (!api) throw badRequest('Invalid REST API identifier specified');
  return api;
}
