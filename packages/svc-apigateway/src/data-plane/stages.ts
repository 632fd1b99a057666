import type { DeepReadonly } from '@emu/core';
import type { DeploymentRecord } from '../records.ts';
import type { ApiGatewayState, StageView } from '../state.ts';
import type { CallStage } from './call.ts';

const NO_SETTINGS = {};

/** A stage with the deployment that a request meets: the canary's for its share of them. */
export interface MetStage {
  readonly stage: CallStage;
  readonly deployment: DeepReadonly<DeploymentRecord>;
}

/**
 * What a request to a stage meets.
 * @returns undefined where the deployment has gone
 */
export function meet(state: ApiGatewayState, apiId: string, stage: StageView): MetStage | undefined {
  const { canarySettings: canary } = stage;
  const chosen = canary?.percentTraffic !== undefined && state.ids.random() * 100 < canary.percentTraffic;
  const deploymentId = chosen ? (canary.deploymentId ?? stage.deploymentId) : stage.deploymentId;
  const deployment = state.deployments.get(apiId, deploymentId);
  if (!deployment) return undefined;
  const variables = { ...stage.variables, ...(chosen ? canary.stageVariableOverrides : undefined) };
  return { deployment, stage: facts(stage, deploymentId, variables, chosen) };
}

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
  tracing: stage.tracingEnabled === true,
  clientCertificateId: stage.clientCertificateId,
});
