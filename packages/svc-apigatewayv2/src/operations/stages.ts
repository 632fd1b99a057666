import { restApis } from '@emu/core/service';
import type { Apigatewayv2Context } from '../context.ts';
import { domainMapping } from '../domains/shared.ts';
import { badRequest, notFound } from '../errors.ts';
import { stages } from '../resources/stages.ts';
import { checkStage, checkStageName, type StageSettings } from '../validation/stage.ts';

/** Rejects settings for unknown routes. @throws AwsError `NotFoundException` */
function checkRouteKeys(apiId: string, settings: object | undefined, { state }: Apigatewayv2Context): void {
  const keys = new Set(state.routes.list(apiId).map(({ RouteKey }) => RouteKey));
  for (const key of Object.keys(settings ?? {}))
    if (!keys.has(key)) throw notFound(`Unable to find Route by key ${key} within the provided RouteSettings`);
}

/**
 * Rejects an unknown client certificate for endpoints.
 * @throws AwsError `NotFoundException`
 */
async function checkCertificate({ ClientCertificateId: id }: StageSettings, ctx: Apigatewayv2Context): Promise<void> {
  if (id === undefined) return;
  const certificates = await ctx.state.service.capability(restApis);
  if (!certificates?.clientCertificate(ctx, id)) throw notFound('Invalid Client Certificate identifier specified');
}

/** Route settings of new stages, by protocol. */
const DEFAULT_ROUTE_SETTINGS = {
  HTTP: { DetailedMetricsEnabled: false },
  WEBSOCKET: { DataTraceEnabled: false, DetailedMetricsEnabled: false, LoggingLevel: 'OFF' },
} as const;

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages.html#CreateStage */
export const CreateStage = stages.createHandler('CreateStage', {
  defaults: () => ({ RouteSettings: {}, StageVariables: {} }),
  async values({ input, owner: { ApiId, ProtocolType }, ctx }) {
    checkStageName(ProtocolType, input.StageName);
    checkStage(ProtocolType, input);
    await checkCertificate(input, ctx);
    checkRouteKeys(ApiId, input.RouteSettings, ctx);
    const now = ctx.clock.now();
    return {
      AutoDeploy: input.AutoDeploy || undefined,
      DefaultRouteSettings: { ...DEFAULT_ROUTE_SETTINGS[ProtocolType], ...input.DefaultRouteSettings },
      createdAt: now,
      updatedAt: now,
    };
  },
  created({ AutoDeploy, DeploymentId }, { at, ctx: { state } }) {
    state.fix(at.ApiId, DeploymentId);
    if (AutoDeploy) state.changed(at.ApiId);
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename.html#GetStage */
export const GetStage = stages.getHandler('GetStage', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages.html#GetStages */
export const GetStages = stages.listHandler('GetStages', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename.html#UpdateStage */
export const UpdateStage = stages.updateHandler('UpdateStage', {
  async values({ before, input, owner: { ApiId, ProtocolType }, ctx }) {
    checkStage(ProtocolType, input);
    await checkCertificate(input, ctx);
    checkRouteKeys(ApiId, input.RouteSettings, ctx);
    const { DeploymentId, RouteSettings = {}, StageVariables = {} } = input;
    // Even if it is the present one: https://github.com/go-to-k/cdk-real-drift/issues/667
    if ((input.AutoDeploy ?? before.AutoDeploy) && DeploymentId !== undefined)
      throw badRequest(
        `Deployment ID cannot be set on this stage ${ctx.accountId}:${ApiId} because AutoDeploy is enabled.`,
      );
    const routes = Object.entries(RouteSettings).map(([key, settings]) => [
      key,
      { ...before.RouteSettings?.[key], ...settings },
    ]);
    // An empty value removes a variable.
    const variables = Object.entries({ ...before.StageVariables, ...StageVariables }).filter(
      ([, value]) => value !== '',
    );
    return {
      DefaultRouteSettings: { ...before.DefaultRouteSettings, ...input.DefaultRouteSettings },
      RouteSettings: { ...before.RouteSettings, ...Object.fromEntries(routes) },
      StageVariables: Object.fromEntries(variables),
      updatedAt: ctx.clock.now(),
    };
  },
  updated({ AutoDeploy, DeploymentId, StageName }, { before, at: { ApiId }, ctx: { state } }) {
    if (!AutoDeploy) {
      state.fix(ApiId, before.DeploymentId);
      state.fix(ApiId, DeploymentId);
    }
    if (AutoDeploy && !before.AutoDeploy) state.changed(ApiId);
    else if (DeploymentId !== before.DeploymentId) state.point(ApiId, StageName, DeploymentId!);
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename.html#DeleteStage */
export const DeleteStage = stages.deleteHandler('DeleteStage', {
  async check({ StageName }, { at: { ApiId }, ctx }) {
    const domain = await domainMapping(({ apiId, stage }) => apiId === ApiId && stage === StageName, ctx);
    if (domain !== undefined)
      throw badRequest(
        `Please remove all base path mappings related to the stage in your domains first. ${domain} maps to it`,
      );
  },
  deleted({ StageName }, { at: { ApiId }, ctx: { state } }) {
    state.runtime.close(ApiId, StageName);
    state.dropUnused(ApiId);
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename-accesslogsettings.html#DeleteAccessLogSettings */
export const DeleteAccessLogSettings = stages.updateHandler('DeleteAccessLogSettings', {
  values: ({ ctx }) => ({ AccessLogSettings: undefined, updatedAt: ctx.clock.now() }),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename-routesettings-routekey.html#DeleteRouteSettings */
export const DeleteRouteSettings = stages.updateHandler('DeleteRouteSettings', {
  members: { RouteKey: 'read' },
  values({ before: { RouteSettings = {} }, input: { RouteKey }, ctx }) {
    if (!Object.hasOwn(RouteSettings, RouteKey))
      throw notFound(`Unable to find Route by key ${RouteKey} within the provided RouteSettings`);
    const { [RouteKey]: _, ...kept } = RouteSettings;
    return { RouteSettings: kept, updatedAt: ctx.clock.now() };
  },
});
