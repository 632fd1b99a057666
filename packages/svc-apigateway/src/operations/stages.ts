import type { InputOf, OutputOf } from '@emu/service-types/apigateway';
import { cacheOf, canaryOf, checkStageName, checkVariables, describeStage } from '../apis/stage.ts';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { apiOf, stageOf } from '../lookup.ts';
import { applyPatch } from '../patch/patch.ts';
import { patchMethodSetting, STAGE_TABLE } from '../patch/stage.ts';
import type { StageRecord } from '../records.ts';
import { tagging } from '../tags.ts';

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateStage.html */
export function CreateStage(input: InputOf<'CreateStage'>, ctx: ApigatewayContext): OutputOf<'CreateStage'> {
  const { restApiId, stageName, deploymentId, canarySettings, documentationVersion, variables, tags } = input;
  const { state, clock } = ctx;
  apiOf(restApiId, ctx);
  checkStageName(stageName);
  checkVariables(variables);
  if (!state.deployments.get(restApiId, deploymentId)) throw badRequest('Deployment id does not exist');
  if (documentationVersion !== undefined && !state.versions.get(restApiId, documentationVersion))
    throw notFound('Invalid Documentation version specified');
  if (canarySettings?.deploymentId !== undefined && !state.deployments.get(restApiId, canarySettings.deploymentId))
    throw badRequest('Deployment id does not exist');
  if (state.stages.get(restApiId, stageName)) throw conflict('Stage already exists');
  const merged = tags && tagging.merge(undefined, tags);
  const now = clock.now();
  const stage: StageRecord = {
    deploymentId,
    stageName,
    ...(input.description !== undefined && { description: input.description }),
    ...cacheOf(input.cacheClusterEnabled ?? false, input.cacheClusterSize),
    methodSettings: {},
    ...(variables && { variables }),
    ...(documentationVersion !== undefined && { documentationVersion }),
    ...(canarySettings && { canarySettings: canaryOf(canarySettings, canarySettings.deploymentId ?? deploymentId) }),
    tracingEnabled: input.tracingEnabled ?? false,
    ...(merged && { tags: merged }),
    createdAt: now,
    updatedAt: now,
  };
  return describeStage(state.stages.put(restApiId, stageName, stage));
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetStage.html */
export function GetStage(input: InputOf<'GetStage'>, ctx: ApigatewayContext): OutputOf<'GetStage'> {
  return describeStage(stageOf(input, ctx));
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetStages.html */
export function GetStages(
  { restApiId, deploymentId }: InputOf<'GetStages'>,
  ctx: ApigatewayContext,
): OutputOf<'GetStages'> {
  apiOf(restApiId, ctx);
  const stages = ctx.state.stages.list(restApiId);
  const wanted =
    deploymentId === undefined
      ? stages
      : stages.filter(
          (stage) => stage.deploymentId === deploymentId || stage.canarySettings?.deploymentId === deploymentId,
        );
  return { item: wanted.map(describeStage) };
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateStage.html */
export function UpdateStage(input: InputOf<'UpdateStage'>, ctx: ApigatewayContext): OutputOf<'UpdateStage'> {
  const { restApiId, stageName, patchOperations = [] } = input;
  const { state, clock } = ctx;
  stageOf(input, ctx);
  const updated = state.stages.update(restApiId, stageName, (draft) => {
    for (const operation of patchOperations) {
      const { op = 'replace', path = '', value, from } = operation;
      if (!patchMethodSetting(draft, { op, path, value, from, names: [] })) applyPatch(STAGE_TABLE, draft, [operation]);
    }
    for (const id of [draft.deploymentId, draft.canarySettings?.deploymentId])
      if (id !== undefined && !state.deployments.get(restApiId, id)) throw badRequest('Deployment id does not exist');
    const { documentationVersion: version, clientCertificateId: certificate } = draft;
    if (version !== undefined && !state.versions.get(restApiId, version))
      throw notFound('Invalid Documentation version specified');
    if (certificate && !state.certificates.has(certificate))
      throw notFound('Invalid Client Certificate identifier specified');
    draft.updatedAt = clock.now();
  });
  return describeStage(updated);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteStage.html */
export function DeleteStage(input: InputOf<'DeleteStage'>, ctx: ApigatewayContext): OutputOf<'DeleteStage'> {
  const { restApiId, stageName } = input;
  stageOf(input, ctx);
  const place = `${restApiId}/${stageName}/`;
  ctx.state.authorizerResults.clear(place);
  ctx.state.responses.clear(place);
  ctx.state.stages.delete(restApiId, stageName);
  return {};
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_FlushStageCache.html */
export function FlushStageCache(
  input: InputOf<'FlushStageCache'>,
  ctx: ApigatewayContext,
): OutputOf<'FlushStageCache'> {
  stageOf(input, ctx);
  ctx.state.responses.clear(`${input.restApiId}/${input.stageName}/`);
  return {};
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_FlushStageAuthorizersCache.html */
export function FlushStageAuthorizersCache(
  input: InputOf<'FlushStageAuthorizersCache'>,
  ctx: ApigatewayContext,
): OutputOf<'FlushStageAuthorizersCache'> {
  stageOf(input, ctx);
  ctx.state.authorizerResults.clear(`${input.restApiId}/${input.stageName}/`);
  return {};
}
