import { type DeepReadonly, restApis } from '@emu/core';
import type { InputOf, OutputOf, Stage } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { domainMapping } from '../domains/shared.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { apiOf, deploymentOf, stageOf } from '../lookup.ts';
import { given, timeOf } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { StageRecord } from '../records.ts';
import { tagging } from '../tags.ts';
import { checkStage, checkStageName, type StageSettings } from '../validation/stage.ts';

const describe = ({ createdAt, updatedAt, ...stage }: DeepReadonly<StageRecord>): Stage =>
  ({ ...stage, CreatedDate: timeOf(createdAt), LastUpdatedDate: timeOf(updatedAt) }) as Stage;

/** Has a stage whose routes are throttled or limited name only routes that there are. @throws AwsError `NotFoundException` */
function checkRouteKeys(apiId: string, settings: object | undefined, { state }: Apigatewayv2Context): void {
  const keys = new Set(state.routes.list(apiId).map(({ RouteKey }) => RouteKey));
  for (const key of Object.keys(settings ?? {}))
    if (!keys.has(key)) throw notFound(`Unable to find Route by key ${key} within the provided RouteSettings`);
}

/** Has the certificate that a stage shows to endpoints be one that there is. @throws AwsError `NotFoundException` */
async function checkCertificate({ ClientCertificateId: id }: StageSettings, ctx: Apigatewayv2Context): Promise<void> {
  if (id === undefined || id === '') return;
  const certificates = await ctx.state.service.capability(restApis);
  if (!certificates?.clientCertificate(ctx, id)) throw notFound('Invalid Client Certificate identifier specified');
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages.html#CreateStage */
export async function CreateStage(
  input: InputOf<'CreateStage'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'CreateStage'>> {
  const { ApiId, ProtocolType } = apiOf(input, ctx);
  const { StageName, AutoDeploy = false, DeploymentId } = input;
  const { state, clock } = ctx;
  checkStageName(ProtocolType, StageName);
  checkStage(ProtocolType, input);
  await checkCertificate(input, ctx);
  checkRouteKeys(ApiId, input.RouteSettings, ctx);
  if (state.stages.get(ApiId, StageName)) throw conflict('Stage already exists');
  if (AutoDeploy && DeploymentId !== undefined)
    throw invalid('DeploymentId cannot be given for a stage with AutoDeploy enabled');
  if (DeploymentId !== undefined) {
    deploymentOf({ ApiId, DeploymentId }, ctx);
    state.fix(ApiId, DeploymentId);
  }
  const Tags = tagging.merge(undefined, input.Tags);
  const now = clock.now();
  state.stages.put(ApiId, StageName, {
    ...given(input, ['AccessLogSettings', 'ClientCertificateId', 'Description', 'DeploymentId']),
    ...(AutoDeploy && { AutoDeploy }),
    DefaultRouteSettings: { DetailedMetricsEnabled: false, ...input.DefaultRouteSettings },
    RouteSettings: input.RouteSettings ?? {},
    StageName,
    StageVariables: input.StageVariables ?? {},
    Tags,
    createdAt: now,
    updatedAt: now,
  });
  if (AutoDeploy) state.changed(ApiId);
  else state.runtime.forget(ApiId);
  return describe(state.stages.get(ApiId, StageName)!);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename.html#GetStage */
export function GetStage(input: InputOf<'GetStage'>, ctx: Apigatewayv2Context): OutputOf<'GetStage'> {
  return describe(stageOf(input, ctx));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages.html#GetStages */
export function GetStages(input: InputOf<'GetStages'>, ctx: Apigatewayv2Context): OutputOf<'GetStages'> {
  const { ApiId } = apiOf(input, ctx);
  return paging
    .page('GetStages', withLimit(input), ctx.state.stages.list(ApiId), ({ StageName }) => StageName)
    .list(describe);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename.html#UpdateStage */
export async function UpdateStage(
  input: InputOf<'UpdateStage'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'UpdateStage'>> {
  const { ProtocolType } = apiOf(input, ctx);
  checkStage(ProtocolType, input);
  await checkCertificate(input, ctx);
  const stage = stageOf(input, ctx);
  const { ApiId } = apiOf(input, ctx);
  const { state, clock } = ctx;
  const { StageName } = stage;
  checkRouteKeys(ApiId, input.RouteSettings, ctx);
  const automatic = input.AutoDeploy ?? stage.AutoDeploy ?? false;
  const { DeploymentId } = input;
  if (DeploymentId !== undefined && DeploymentId !== stage.DeploymentId) {
    if (automatic) throw invalid('Deployment ID cannot be updated on a stage with AutoDeploy enabled');
    deploymentOf({ ApiId, DeploymentId }, ctx);
  }
  if (!automatic) {
    state.fix(ApiId, stage.DeploymentId);
    state.fix(ApiId, DeploymentId);
  }
  state.stages.update(ApiId, StageName, (draft) => {
    Object.assign(draft, given(input, ['AccessLogSettings', 'ClientCertificateId', 'Description', 'AutoDeploy']));
    draft.DefaultRouteSettings = { ...draft.DefaultRouteSettings, ...input.DefaultRouteSettings };
    for (const [key, settings] of Object.entries(input.RouteSettings ?? {}))
      draft.RouteSettings![key] = { ...draft.RouteSettings![key], ...settings };
    // An empty value takes a variable away.
    for (const [name, value] of Object.entries(input.StageVariables ?? {}))
      if (value === '') delete draft.StageVariables![name];
      else draft.StageVariables![name] = value;
    draft.updatedAt = clock.now();
  });
  state.runtime.forget(ApiId);
  if (automatic && !stage.AutoDeploy) state.changed(ApiId);
  else if (DeploymentId !== undefined && DeploymentId !== stage.DeploymentId)
    state.point(ApiId, StageName, DeploymentId);
  return describe(state.stages.get(ApiId, StageName)!);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename.html#DeleteStage */
export async function DeleteStage(
  input: InputOf<'DeleteStage'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'DeleteStage'>> {
  const { StageName } = stageOf(input, ctx);
  const { ApiId } = input;
  const { state } = ctx;
  const domain = await domainMapping(({ apiId, stage }) => apiId === ApiId && stage === StageName, ctx);
  if (domain !== undefined)
    throw invalid(
      `Please remove all base path mappings related to the stage in your domains first. ${domain} maps to it`,
    );
  state.runtime.close(ApiId, StageName);
  state.stages.delete(ApiId, StageName);
  state.dropUnused(ApiId);
  state.runtime.forget(ApiId);
  return {};
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename-accesslogsettings.html#DeleteAccessLogSettings */
export function DeleteAccessLogSettings(
  input: InputOf<'DeleteAccessLogSettings'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeleteAccessLogSettings'> {
  const { StageName } = stageOf(input, ctx);
  ctx.state.stages.update(input.ApiId, StageName, (draft) => {
    delete draft.AccessLogSettings;
    draft.updatedAt = ctx.clock.now();
  });
  ctx.state.runtime.forget(input.ApiId);
  return {};
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename-routesettings-routekey.html#DeleteRouteSettings */
export function DeleteRouteSettings(
  input: InputOf<'DeleteRouteSettings'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeleteRouteSettings'> {
  const { StageName, RouteSettings } = stageOf(input, ctx);
  if (!RouteSettings || !Object.hasOwn(RouteSettings, input.RouteKey))
    throw notFound(`Unable to find Route by key ${input.RouteKey} within the provided RouteSettings`);
  ctx.state.stages.update(input.ApiId, StageName, (draft) => {
    delete draft.RouteSettings![input.RouteKey];
    draft.updatedAt = ctx.clock.now();
  });
  ctx.state.runtime.forget(input.ApiId);
  return {};
}
