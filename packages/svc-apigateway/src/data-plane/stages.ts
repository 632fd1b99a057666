import type { DeepReadonly } from '@emu/core/service';
import type { DeploymentRecord } from '../records.ts';
import type { ApiGatewayState, StageView } from '../state.ts';
import type { CallStage } from './call.ts';

const NO_SETTINGS = {};

/** A stage with the deployment that serves a request: the canary's for its share. */
export interface MetStage {
  readonly stage: CallStage;
  readonly deployment: DeepReadonly<DeploymentRecord>;
}

/**
 * Selects the deployment for a request to a stage.
 * @returns undefined if the deployment was deleted
 */
export function meet(state: ApiGatewayState, apiId: string, stage: StageView): MetStage | undefined {
  const { canarySettings: canary } = stage;
  const chosen = canary?.percentTraffic !== undefined && state.ids.random() * 100 < canary.percentTraffic;
  const deploymentId = chosen ? (canary.deploymentId ?? stage.deploymentId) : stage.deploymentId;
  const deployment = state.deployments.get(apiId, deploymentId);
  if (!deployment) return undefined;
  if (chosen) {
    const variables = { ...stage.variables, ...canary.stageVariableOverrides };
    return { deployment, stage: facts(stage, deploymentId, variables, true) };
  }
  let known = usual.get(stage);
  if (!known) {
    known = facts(stage, deploymentId, stage.variables ?? {}, false);
    usual.set(stage, known);
  }
  return { deployment, stage: known };
}

/** Cached stages without canary, by record; a changed record is a new object. */
const usual = new WeakMap<StageView, CallStage>();

const facts = (
  stage: StageView,
  deploymentId: string,
  variables: Readonly<Record<string, string>>,
  canary: boolean,
): CallStage => ({
  name: stage.stageName,
  deploymentId,
  variables,
  canary,
  settings(path, method) {
    const all = stage.methodSettings;
    return all?.[`${path.replace(/^\//, '')}/${method}`] ?? all?.['*/*'] ?? NO_SETTINGS;
  },
  cache: stage.cacheClusterEnabled === true,
  cacheName: canary && !stage.canarySettings?.useStageCache ? 'canary' : 'stage',
  tracing: stage.tracingEnabled === true,
  logged: Object.values(stage.methodSettings ?? {}).some(
    ({ loggingLevel }) => loggingLevel !== undefined && loggingLevel !== 'OFF',
  ),
  clientCertificateId: stage.clientCertificateId,
});
