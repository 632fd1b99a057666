import type { CanarySettings, MethodSetting, Stage } from '@emu/service-types/apigateway';
import { badRequest } from '../errors.ts';
import type { StageRecord } from '../records.ts';
import type { StageView } from '../state.ts';

/** Default settings of a method. */
export const METHOD_DEFAULTS: MethodSetting = {
  metricsEnabled: false,
  dataTraceEnabled: false,
  throttlingBurstLimit: 5000,
  throttlingRateLimit: 10_000,
  cachingEnabled: false,
  cacheTtlInSeconds: 300,
  cacheDataEncrypted: false,
  requireAuthorizationForCacheControl: true,
  unauthorizedCacheControlHeaderStrategy: 'SUCCEED_WITH_RESPONSE_HEADER',
};

/**
 * Validates a stage name.
 * @throws AwsError `BadRequestException`
 */
export function checkStageName(name: string): void {
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) throw badRequest('Stage name only allows a-zA-Z0-9_');
}

/**
 * Validates stage variables.
 * @throws AwsError `BadRequestException`
 */
export function checkVariables(variables: Record<string, string> | undefined): void {
  for (const [name, value] of Object.entries(variables ?? {})) {
    if (!/^[A-Za-z0-9_]+$/.test(name))
      throw badRequest(
        `Stage variable name ${name} is invalid. Only alphanumeric characters and underscores are allowed`,
      );
    if (!/^[A-Za-z0-9\-._~:/?#&=,]*$/.test(value))
      throw badRequest(`Stage variable value ${value} is invalid. Only a-zA-Z0-9-._~:/?#&=, are allowed`);
  }
}

/**
 * Returns canary settings with AWS's defaults.
 * @throws AwsError `BadRequestException`
 */
export function canaryOf(given: CanarySettings, deploymentId: string): CanarySettings {
  const { percentTraffic = 0, stageVariableOverrides, useStageCache = false } = given;
  if (percentTraffic < 0 || percentTraffic > 100) throw badRequest('Percent traffic must be between 0.0 and 100.0');
  checkVariables(stageVariableOverrides);
  return {
    deploymentId,
    percentTraffic,
    ...(stageVariableOverrides && { stageVariableOverrides }),
    useStageCache,
  };
}

/** Returns the cache members of a stage. */
export const cacheOf = (
  enabled: boolean,
  size: StageRecord['cacheClusterSize'],
): Pick<StageRecord, 'cacheClusterEnabled' | 'cacheClusterSize' | 'cacheClusterStatus'> => ({
  cacheClusterEnabled: enabled,
  ...(size !== undefined && { cacheClusterSize: size }),
  cacheClusterStatus: enabled ? 'AVAILABLE' : 'NOT_AVAILABLE',
});

/** Returns the description of a stage in responses. */
export function describeStage(stage: StageView): Stage {
  const { createdAt, updatedAt, ...rest } = structuredClone(stage) as StageRecord;
  return { ...rest, createdDate: new Date(createdAt), lastUpdatedDate: new Date(updatedAt) };
}
