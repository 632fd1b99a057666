import type { DeepReadonly } from '@emu/core/service';
import type {
  CreateDeploymentRequest,
  Deployment,
  GetDeploymentRequest,
  InputOf,
  MethodSnapshot,
  OutputOf,
} from '@emu/service-types/apigateway';
import { definitionOf } from '../apis/api.ts';
import { cacheOf, canaryOf, checkStageName, checkVariables } from '../apis/stage.ts';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import { apiOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { applyPatch, type PatchTable, refuseListing, text } from '../patch/patch.ts';
import type { ApiDefinition, DeploymentRecord, StageRecord } from '../records.ts';

type View = DeepReadonly<DeploymentRecord>;

function summaryOf({ resources }: DeepReadonly<ApiDefinition>): Record<string, Record<string, MethodSnapshot>> {
  const summary: Record<string, Record<string, MethodSnapshot>> = {};
  for (const { path, methods } of resources) {
    const shown = Object.entries(methods).map(([name, { authorizationType, apiKeyRequired }]) => [
      name,
      { authorizationType, apiKeyRequired },
    ]);
    if (shown.length > 0) summary[path] = Object.fromEntries(shown) as Record<string, MethodSnapshot>;
  }
  return summary;
}

const describe = ({ id, description, createdAt, definition }: View, embed?: string[]): Deployment => ({
  id,
  ...(description !== undefined && { description }),
  createdDate: new Date(createdAt),
  ...(embed?.includes('apisummary') && { apiSummary: summaryOf(definition) }),
});

function deploymentOf({ restApiId, deploymentId }: GetDeploymentRequest, ctx: ApigatewayContext): View {
  apiOf(restApiId, ctx);
  const deployment = ctx.state.deployments.get(restApiId, deploymentId);
  if (!deployment) throw notFound('Invalid Deployment identifier specified');
  return deployment;
}

/** Checks that the API has something to deploy. */
function checkDefinition({ resources }: ApiDefinition): void {
  const methods = resources.flatMap((resource) => Object.values(resource.methods));
  if (methods.length === 0) throw badRequest("The REST API doesn't contain any methods");
  if (methods.some(({ methodIntegration }) => !methodIntegration))
    throw badRequest('No integration defined for method');
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateDeployment.html */
export function CreateDeployment(
  input: InputOf<'CreateDeployment'>,
  ctx: ApigatewayContext,
): OutputOf<'CreateDeployment'> {
  const { restApiId, stageName, description, canarySettings, variables } = input;
  const { state, clock } = ctx;
  const api = apiOf(restApiId, ctx);
  const stage = stageName ? state.stages.get(restApiId, stageName) : undefined;
  if (canarySettings) {
    const refuse = (what: string) => badRequest(`Invalid deployment content specified.${what}`);
    if (!stageName)
      throw refuse(
        `Non null and non empty stageName must be provided for canary deployment. Provided value is ${stageName ?? 'null'}`,
      );
    if (!stage) throw refuse(`Stage ${stageName} must already be created before making a canary release deployment`);
  }
  if (stageName) checkStageName(stageName);
  checkVariables(variables);
  const definition = definitionOf(api, state);
  checkDefinition(definition);
  const id = state.newId(6);
  const now = clock.now();
  const canary = canarySettings && canaryOf(canarySettings, id);
  const deployment = state.deployments.put(restApiId, id, {
    id,
    ...(description !== undefined && { description }),
    createdAt: now,
    definition,
  });
  if (!stageName) return describe(deployment);
  if (!stage) state.stages.put(restApiId, stageName, newStage(input, stageName, id, now));
  else
    state.stages.update(restApiId, stageName, (draft) => {
      draft.updatedAt = now;
      if (canary) {
        draft.canarySettings = canary;
        return;
      }
      draft.deploymentId = id;
      if (variables) draft.variables = { ...draft.variables, ...variables };
      if (input.stageDescription !== undefined) draft.description = input.stageDescription;
      if (input.tracingEnabled !== undefined) draft.tracingEnabled = input.tracingEnabled;
      if (input.cacheClusterEnabled !== undefined)
        Object.assign(draft, cacheOf(input.cacheClusterEnabled, input.cacheClusterSize ?? draft.cacheClusterSize));
    });
  return describe(deployment);
}

const newStage = (
  input: CreateDeploymentRequest,
  stageName: string,
  deploymentId: string,
  now: number,
): StageRecord => ({
  deploymentId,
  stageName,
  ...(input.stageDescription !== undefined && { description: input.stageDescription }),
  ...cacheOf(input.cacheClusterEnabled ?? false, input.cacheClusterSize),
  methodSettings: {},
  ...(input.variables && { variables: input.variables }),
  tracingEnabled: input.tracingEnabled ?? false,
  createdAt: now,
  updatedAt: now,
});

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetDeployment.html */
export function GetDeployment(input: InputOf<'GetDeployment'>, ctx: ApigatewayContext): OutputOf<'GetDeployment'> {
  return describe(deploymentOf(input, ctx), input.embed);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetDeployments.html */
export function GetDeployments(input: InputOf<'GetDeployments'>, ctx: ApigatewayContext): OutputOf<'GetDeployments'> {
  apiOf(input.restApiId, ctx);
  const all = ctx.state.deployments.list(input.restApiId);
  return paging.page('GetDeployments', input, all, ({ id }) => id).list((deployment) => describe(deployment));
}

const TABLE: PatchTable<DeploymentRecord> = { rules: [text('/description', 'description')], refuse: refuseListing };

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateDeployment.html */
export function UpdateDeployment(
  input: InputOf<'UpdateDeployment'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateDeployment'> {
  const { restApiId, deploymentId, patchOperations } = input;
  deploymentOf(input, ctx);
  return describe(
    ctx.state.deployments.update(restApiId, deploymentId, (draft) => applyPatch(TABLE, draft, patchOperations)),
  );
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteDeployment.html */
export function DeleteDeployment(
  input: InputOf<'DeleteDeployment'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteDeployment'> {
  const { restApiId, deploymentId } = input;
  deploymentOf(input, ctx);
  for (const stage of ctx.state.stages.list(restApiId))
    if (stage.deploymentId === deploymentId || stage.canarySettings?.deploymentId === deploymentId)
      throw badRequest('Active stages pointing to this deployment must be moved or deleted');
  ctx.state.deployments.delete(restApiId, deploymentId);
  return {};
}
