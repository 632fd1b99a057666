import type { MethodSetting, Op } from '@emu/service-types/apigateway';
import { cacheOf, canaryOf, checkVariables, METHOD_DEFAULTS } from '../apis/stage.ts';
import { badRequest } from '../errors.ts';
import type { StageRecord } from '../records.ts';
import {
  entries,
  flagOf,
  givenValue,
  integerOf,
  numberOf,
  optionalText,
  type PatchRule,
  type PatchStep,
  type PatchTable,
  text,
  wordOf,
} from './patch.ts';

/** AWS's list of the paths, in its message. */
const PATHS =
  '/deploymentId, /description, /cacheClusterEnabled, /cacheClusterSize, /clientCertificateId, /accessLogSettings, /accessLogSettings/destinationArn, /accessLogSettings/format, /{resourcePath}/{httpMethod}/metrics/enabled, /{resourcePath}/{httpMethod}/logging/dataTrace, /{resourcePath}/{httpMethod}/logging/loglevel, /{resourcePath}/{httpMethod}/throttling/burstLimit/{resourcePath}/{httpMethod}/throttling/rateLimit/{resourcePath}/{httpMethod}/caching/ttlInSeconds, /{resourcePath}/{httpMethod}/caching/enabled, /{resourcePath}/{httpMethod}/caching/dataEncrypted, /{resourcePath}/{httpMethod}/caching/requireAuthorizationForCacheControl, /{resourcePath}/{httpMethod}/caching/unauthorizedCacheControlHeaderStrategy, /*/*/metrics/enabled, /*/*/logging/dataTrace, /*/*/logging/loglevel, /*/*/throttling/burstLimit /*/*/throttling/rateLimit /*/*/caching/ttlInSeconds, /*/*/caching/enabled, /*/*/caching/dataEncrypted, /*/*/caching/requireAuthorizationForCacheControl, /*/*/caching/unauthorizedCacheControlHeaderStrategy, /variables/{variable_name}, /tracingEnabled';
const SIZES = ['0.5', '1.6', '6.1', '13.5', '28.4', '58.2', '118', '237'] as const;

type Setter = (setting: MethodSetting, step: PatchStep) => void;

/** Method settings by the end of their paths. */
const SETTINGS: Readonly<Record<string, Setter>> = {
  'metrics/enabled': (setting, step) => {
    setting.metricsEnabled = flagOf(step);
  },
  'logging/loglevel': (setting, step) => {
    setting.loggingLevel = wordOf(step, ['OFF', 'ERROR', 'INFO']);
  },
  'logging/dataTrace': (setting, step) => {
    setting.dataTraceEnabled = flagOf(step);
  },
  'throttling/burstLimit': (setting, step) => {
    setting.throttlingBurstLimit = integerOf(step);
  },
  'throttling/rateLimit': (setting, step) => {
    setting.throttlingRateLimit = numberOf(step);
  },
  'caching/enabled': (setting, step) => {
    setting.cachingEnabled = flagOf(step);
  },
  'caching/ttlInSeconds': (setting, step) => {
    const seconds = integerOf(step);
    if (seconds < 0 || seconds > 3600) throw badRequest('Cache TTL must be between 0 and 3600 seconds');
    setting.cacheTtlInSeconds = seconds;
  },
  'caching/dataEncrypted': (setting, step) => {
    setting.cacheDataEncrypted = flagOf(step);
  },
  'caching/requireAuthorizationForCacheControl': (setting, step) => {
    setting.requireAuthorizationForCacheControl = flagOf(step);
  },
  'caching/unauthorizedCacheControlHeaderStrategy': (setting, step) => {
    setting.unauthorizedCacheControlHeaderStrategy = wordOf(step, [
      'FAIL_WITH_403',
      'SUCCEED_WITH_RESPONSE_HEADER',
      'SUCCEED_WITHOUT_RESPONSE_HEADER',
    ]);
  },
};

const METHOD_SETTING = /^\/(.+)\/([A-Z]+|\*)\/([a-z]+\/[A-Za-z]+)$/;
const METHOD = /^\/(.+)\/([A-Z]+|\*)$/;

/** Returns the key of a method's settings, for example `pets/GET` or `*\/*`. */
const settingsKey = (path: string, method: string): string =>
  `${path.replaceAll('~1', '/').replaceAll('~0', '~').replace(/^\//, '')}/${method}`;

const text_ = text<StageRecord>;

const rule = (path: string, ops: readonly Op[], apply: PatchRule<StageRecord>['apply']): PatchRule<StageRecord> => ({
  path,
  ops,
  apply,
});

/** Returns a rule for canary settings, which require a canary unless a deployment creates it. */
const ofCanary = (
  name: string,
  change: (canary: NonNullable<StageRecord['canarySettings']>, step: PatchStep) => void,
): PatchRule<StageRecord> =>
  rule(`/canarySettings/${name}`, ['replace'], (draft, step) => {
    const canary = canaryOf(draft.canarySettings ?? {}, draft.canarySettings?.deploymentId ?? draft.deploymentId);
    change(canary, step);
    draft.canarySettings = canaryOf(canary, canary.deploymentId!);
  });

const logSetting = (name: 'destinationArn' | 'format'): PatchRule<StageRecord> =>
  rule(`/accessLogSettings/${name}`, ['add', 'replace'], (draft, step) => {
    if (!step.value) throw badRequest('Access Log value must not be empty');
    draft.accessLogSettings = { ...draft.accessLogSettings, [name]: step.value };
  });

const RULES: readonly PatchRule<StageRecord>[] = [
  text_('/deploymentId', 'deploymentId'),
  text_('/description', 'description'),
  optionalText('/documentationVersion', 'documentationVersion'),
  optionalText('/clientCertificateId', 'clientCertificateId'),
  rule('/cacheClusterEnabled', ['replace'], (draft, step) => {
    Object.assign(draft, cacheOf(flagOf(step), draft.cacheClusterSize ?? (flagOf(step) ? '0.5' : undefined)));
  }),
  rule('/cacheClusterSize', ['replace'], (draft, step) => {
    draft.cacheClusterSize = wordOf(step, SIZES);
  }),
  rule('/tracingEnabled', ['replace'], (draft, step) => {
    draft.tracingEnabled = flagOf(step);
  }),
  {
    ...entries<StageRecord>('/variables/{name}', 'variables', undefined, (step) =>
      checkVariables({ [step.names[0]!]: step.value ?? '' }),
    ),
    ops: ['replace', 'remove'],
  },
  rule('/variables', ['remove'], (draft) => {
    delete draft.variables;
  }),
  logSetting('destinationArn'),
  logSetting('format'),
  rule('/accessLogSettings', ['remove'], (draft) => {
    delete draft.accessLogSettings;
  }),
  ofCanary('percentTraffic', (canary, step) => {
    canary.percentTraffic = numberOf(step);
  }),
  ofCanary('useStageCache', (canary, step) => {
    canary.useStageCache = flagOf(step);
  }),
  ofCanary('deploymentId', (canary, step) => {
    canary.deploymentId = givenValue(step);
  }),
  ofCanary('stageVariableOverrides/{name}', (canary, { names: [name = ''], value }) => {
    canary.stageVariableOverrides = { ...canary.stageVariableOverrides, [name]: value ?? '' };
  }),
  rule('/canarySettings/stageVariableOverrides/{name}', ['remove'], (draft, { names: [name = ''] }) => {
    delete draft.canarySettings?.stageVariableOverrides?.[name];
  }),
  rule('/canarySettings', ['remove'], (draft) => {
    delete draft.canarySettings;
  }),
  rule('/deploymentId', ['copy'], promote),
  rule('/variables', ['copy'], promote),
];

/** Copies the canary's settings to the stage. */
function promote(draft: StageRecord, { path, from }: PatchStep): void {
  const wanted = path === '/variables' ? '/canarySettings/stageVariableOverrides' : '/canarySettings/deploymentId';
  if (from !== wanted) throw invalidCopy(path, from);
  const { canarySettings } = draft;
  if (!canarySettings) throw badRequest('Promotion not available. Canary does not exist.');
  if (path === '/deploymentId') draft.deploymentId = canarySettings.deploymentId!;
  else draft.variables = { ...draft.variables, ...canarySettings.stageVariableOverrides };
}

const invalidCopy = (path: string, from: string | undefined): Error =>
  badRequest(
    `Invalid copy operation with path: ${path} and from ${from}. Valid copy:path are [/deploymentId, /variables] and valid copy:from are [/canarySettings/deploymentId, /canarySettings/stageVariableOverrides]`,
  );

/** Removes all settings of a method. */
function removeSettings(draft: StageRecord, path: string): void {
  const [, resource = '', method = ''] = METHOD.exec(path) ?? [];
  const key = settingsKey(resource, method);
  if (!draft.methodSettings || !Object.hasOwn(draft.methodSettings, key))
    throw badRequest(
      `Cannot remove method setting ${path.slice(1)} because there is no method setting for this method `,
    );
  delete draft.methodSettings[key];
}

/**
 * Patch rules of a stage.
 * @see https://docs.aws.amazon.com/apigateway/latest/api/patch-operations.html#UpdateStage-Patch
 */
export const STAGE_TABLE: PatchTable<StageRecord> = {
  rules: RULES,
  refuse({ op, path, from }) {
    if (op === 'copy') return invalidCopy(path, from) as ReturnType<typeof badRequest>;
    if (op === 'remove')
      return badRequest(
        `Cannot remove method setting ${path.slice(1)} because there is no method setting for this method `,
      );
    if (path.startsWith('/accessLogSettings'))
      return badRequest(
        'Invalid accessLogSettings path. Must be one of : [/accessLogSettings/destinationArn, /accessLogSettings/format]',
      );
    if (op === 'add') return badRequest(`Invalid add operation with path: ${path}`);
    return badRequest(`Invalid method setting path: ${path}. Must be one of: [${PATHS}]`);
  },
};

/**
 * Applies a patch to method settings, whose paths may contain slashes.
 * @returns false if the patch is for something else
 */
export function patchMethodSetting(draft: StageRecord, step: PatchStep): boolean {
  if (/^\/(?:variables|canarySettings|accessLogSettings)(?:\/|$)/.test(step.path)) return false;
  const [, resource, method, setting] = METHOD_SETTING.exec(step.path) ?? [];
  const setter = setting !== undefined && Object.hasOwn(SETTINGS, setting) ? SETTINGS[setting] : undefined;
  if (setter && step.op === 'replace') {
    const key = settingsKey(resource!, method!);
    // Recorded from AWS: new settings of a method start as a copy of those of all methods.
    const known = { ...METHOD_DEFAULTS, ...draft.methodSettings?.['*/*'], ...draft.methodSettings?.[key] };
    setter(known, step);
    draft.methodSettings = { ...draft.methodSettings, [key]: known };
    return true;
  }
  if (step.op !== 'remove' || !METHOD.test(step.path)) return false;
  removeSettings(draft, step.path);
  return true;
}
