import { type DeepReadonly, restApis } from '@emu/core';
import type { Apigatewayv2Context } from './context.ts';
import { notFound } from './errors.ts';
import type {
  ApiRecord,
  AuthorizerRecord,
  DeploymentRecord,
  IntegrationRecord,
  ModelRecord,
  PortalProductRecord,
  PortalRecord,
  RouteRecord,
  StageRecord,
  VpcLinkRecord,
} from './records.ts';

/** The API that a request names. @throws AwsError `NotFoundException` */
export function apiOf(
  { ApiId }: { ApiId: string },
  { state, accountId }: Apigatewayv2Context,
): DeepReadonly<ApiRecord> {
  const api = state.apis.get(ApiId);
  if (!api) throw notFound(`Invalid API identifier specified ${accountId}:${ApiId}`);
  return api;
}

/** The route that a request names. @throws AwsError `NotFoundException` */
export function routeOf(
  input: { ApiId: string; RouteId: string },
  ctx: Apigatewayv2Context,
): DeepReadonly<RouteRecord> {
  apiOf(input, ctx);
  const route = ctx.state.routes.get(input.ApiId, input.RouteId);
  if (!route) throw notFound('Invalid Route identifier specified');
  return route;
}

/** The integration that a request names. @throws AwsError `NotFoundException` */
export function integrationOf(
  input: { ApiId: string; IntegrationId: string },
  ctx: Apigatewayv2Context,
): DeepReadonly<IntegrationRecord> {
  apiOf(input, ctx);
  const integration = ctx.state.integrations.get(input.ApiId, input.IntegrationId);
  if (!integration) throw notFound('Invalid Integration identifier specified');
  return integration;
}

/** The authorizer that a request names. @throws AwsError `NotFoundException` */
export function authorizerOf(
  input: { ApiId: string; AuthorizerId: string },
  ctx: Apigatewayv2Context,
): DeepReadonly<AuthorizerRecord> {
  apiOf(input, ctx);
  const authorizer = ctx.state.authorizers.get(input.ApiId, input.AuthorizerId);
  if (!authorizer) throw notFound('Invalid Authorizer identifier specified');
  return authorizer;
}

/** The model that a request names. @throws AwsError `NotFoundException` */
export function modelOf(
  input: { ApiId: string; ModelId: string },
  ctx: Apigatewayv2Context,
): DeepReadonly<ModelRecord> {
  apiOf(input, ctx);
  const model = ctx.state.models.get(input.ApiId, input.ModelId);
  if (!model) throw notFound('Invalid Model identifier specified');
  return model;
}

/** The stage that a request names. @throws AwsError `NotFoundException` */
export function stageOf(
  input: { ApiId: string; StageName: string },
  ctx: Apigatewayv2Context,
): DeepReadonly<StageRecord> {
  apiOf(input, ctx);
  const stage = ctx.state.stages.get(input.ApiId, input.StageName);
  if (!stage) throw notFound('Invalid stage identifier specified');
  return stage;
}

/** Has a stage that a domain name leads to exist, of whatever kind of API. @throws AwsError `NotFoundException` */
export async function checkStageExists(
  input: { ApiId: string; StageName: string },
  ctx: Apigatewayv2Context,
): Promise<void> {
  const { accountId, region } = ctx;
  const stage = { accountId, region, apiId: input.ApiId, stage: input.StageName };
  if (!ctx.state.apis.has(input.ApiId) && (await ctx.capability(restApis))?.hasStage(stage)) return;
  stageOf(input, ctx);
}

/** The deployment that a request names. @throws AwsError `NotFoundException` */
export function deploymentOf(
  input: { ApiId: string; DeploymentId: string },
  ctx: Apigatewayv2Context,
): DeepReadonly<DeploymentRecord> {
  apiOf(input, ctx);
  const deployment = ctx.state.deployments.get(input.ApiId, input.DeploymentId);
  if (!deployment) throw notFound('Invalid deployment identifier specified');
  return deployment;
}

/** The VPC link that a request names. @throws AwsError `NotFoundException` */
export function vpcLinkOf(
  { VpcLinkId }: { VpcLinkId: string },
  { state }: Apigatewayv2Context,
): DeepReadonly<VpcLinkRecord> {
  const link = state.vpcLinks.get(VpcLinkId);
  if (!link) throw notFound('Invalid Vpc Link identifier specified');
  return link;
}

/** The portal that a request names. @throws AwsError `NotFoundException` */
export function portalOf(
  { PortalId }: { PortalId: string },
  { state }: Apigatewayv2Context,
): DeepReadonly<PortalRecord> {
  const portal = state.portals.get(PortalId);
  if (!portal) throw notFound(`Invalid Portal identifier specified: ${PortalId}`);
  return portal;
}

/** The product of portals that a request names. @throws AwsError `NotFoundException` */
export function productOf(
  { PortalProductId }: { PortalProductId: string },
  { state }: Apigatewayv2Context,
): DeepReadonly<PortalProductRecord> {
  const product = state.products.get(PortalProductId);
  if (!product) throw notFound(`Invalid Portal Product identifier specified: ${PortalProductId}`);
  return product;
}
