import {
  defined,
  defineProvider,
  identifierOf,
  identifierParts,
  type Properties,
  run,
  sameValue,
  type TaggedProperties,
  unless,
  unlessEmpty,
  upperNames,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, tagList, tagMap } from '@emu/core/service';
import type { PatchOperation, Stage } from '@emu/service-types/apigateway';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { stageType } from '../resources.ts';
import { entryChanges, GONE, pathPart, raised, replacements } from './members.ts';

/** Patch paths of properties that can be replaced. */
const PATHS = {
  CacheClusterEnabled: '/cacheClusterEnabled',
  CacheClusterSize: '/cacheClusterSize',
  ClientCertificateId: '/clientCertificateId',
  DeploymentId: '/deploymentId',
  Description: '/description',
  DocumentationVersion: '/documentationVersion',
  TracingEnabled: '/tracingEnabled',
};
const DEFAULTS = { CacheClusterEnabled: 'false', CacheClusterSize: '0.5', Description: '', TracingEnabled: 'false' };
/** Patch paths of method settings, below the method's path. */
export const METHOD_PATHS: Readonly<Record<string, string>> = {
  CacheDataEncrypted: 'caching/dataEncrypted',
  CacheTtlInSeconds: 'caching/ttlInSeconds',
  CachingEnabled: 'caching/enabled',
  DataTraceEnabled: 'logging/dataTrace',
  LoggingLevel: 'logging/loglevel',
  MetricsEnabled: 'metrics/enabled',
  ThrottlingBurstLimit: 'throttling/burstLimit',
  ThrottlingRateLimit: 'throttling/rateLimit',
};

/** Settings of one method, or of all. */
export interface MethodSetting extends Properties {
  HttpMethod?: string;
  ResourcePath?: string;
}

/** Canary settings of a stage. */
interface CanarySetting extends Properties {
  StageVariableOverrides?: Readonly<Record<string, string>>;
}

/** Settings of a stage in a template. */
export interface StageProperties extends TaggedProperties {
  AccessLogSetting?: { DestinationArn?: string; Format?: string };
  CanarySetting?: CanarySetting;
  DeploymentId?: string;
  MethodSettings?: readonly MethodSetting[];
  RestApiId: string;
  StageName?: string;
  Variables?: Readonly<Record<string, string>>;
}

const keyOf = (identifier: string) => {
  const [restApiId, stageName] = identifierParts(identifier, 2) as [string, string];
  return { restApiId, stageName };
};

const methodPath = ({ ResourcePath = '/*', HttpMethod = '*' }: MethodSetting): string =>
  `/${ResourcePath === '/*' ? '*' : pathPart(ResourcePath)}/${HttpMethod}`;

/** Returns the patch for method settings. */
function methodChanges(
  previous: readonly MethodSetting[] = [],
  desired: readonly MethodSetting[] = [],
): PatchOperation[] {
  if (sameValue(previous, desired)) return [];
  return [
    ...previous.map((setting): PatchOperation => ({ op: 'remove', path: methodPath(setting) })),
    ...desired.flatMap((setting) =>
      Object.entries(METHOD_PATHS)
        .filter(([name]) => setting[name] !== undefined)
        .map(([name, path]): PatchOperation => {
          const value = String(setting[name]);
          return { op: 'replace', path: `${methodPath(setting)}/${path}`, value };
        }),
    ),
  ];
}

/** Returns a stage's method settings as a template list. */
function settingsOf({ methodSettings }: Stage): MethodSetting[] | undefined {
  return unlessEmpty(
    Object.entries(methodSettings ?? {}).map(([key, setting]) => {
      const slash = key.lastIndexOf('/');
      const path = key.slice(0, slash).replace(/^\/?/, '/');
      return {
        ...raised(setting as never, Object.keys(METHOD_PATHS)),
        HttpMethod: key.slice(slash + 1),
        ResourcePath: path,
      };
    }),
  );
}

/** Returns the patch that sets or removes a stage's canary. */
function canaryChanges(
  { CanarySetting: before = {} }: Partial<StageProperties>,
  { CanarySetting: after, DeploymentId = '' }: StageProperties,
): PatchOperation[] {
  if (!after) return unlessEmpty(before) ? [{ op: 'remove', path: '/canarySettings' }] : [];
  const paths = {
    DeploymentId: '/canarySettings/deploymentId',
    PercentTraffic: '/canarySettings/percentTraffic',
    UseStageCache: '/canarySettings/useStageCache',
  };
  const overrides = '/canarySettings/stageVariableOverrides';
  return [
    ...replacements(before, after, paths, { DeploymentId, PercentTraffic: '0', UseStageCache: 'false' }),
    ...entryChanges(overrides, before.StageVariableOverrides, after.StageVariableOverrides),
  ];
}

/** Returns a canary in template form. */
function canaryOf({ canarySettings: canary }: Stage): CanarySetting | undefined {
  if (!canary) return undefined;
  const names = ['DeploymentId', 'PercentTraffic', 'StageVariableOverrides', 'UseStageCache'];
  return raised(canary as Properties, names);
}

function changes(previous: Partial<StageProperties>, desired: StageProperties): PatchOperation[] {
  const { AccessLogSetting: before = {} } = previous;
  const { AccessLogSetting: after = {} } = desired;
  const logs = unlessEmpty(after)
    ? replacements(before, after, {
        DestinationArn: '/accessLogSettings/destinationArn',
        Format: '/accessLogSettings/format',
      })
    : unlessEmpty(before) && [{ op: 'remove' as const, path: '/accessLogSettings' }];
  return [
    ...replacements(previous, desired, PATHS, DEFAULTS),
    ...entryChanges('/variables', previous.Variables, desired.Variables),
    ...(logs ?? []),
    ...methodChanges(previous.MethodSettings, desired.MethodSettings),
    ...canaryChanges(previous, desired),
  ];
}

/**
 * Stages of REST APIs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-stage.html
 */
export const stage: AnyResourceProvider = defineProvider<StageProperties>({
  typeName: 'AWS::ApiGateway::Stage',
  model,
  handles: [
    ...Object.keys(PATHS),
    'AccessLogSetting',
    'CanarySetting',
    'MethodSettings',
    'RestApiId',
    'StageName',
    'Tags',
    'Variables',
  ],

  async create(properties, ctx) {
    const { RestApiId: restApiId, StageName: stageName, DeploymentId: deploymentId, Tags, Variables } = properties;
    await run(ctx, 'apigateway', 'CreateStage', {
      restApiId,
      stageName,
      deploymentId,
      cacheClusterEnabled: properties.CacheClusterEnabled,
      cacheClusterSize: properties.CacheClusterSize,
      description: properties.Description,
      documentationVersion: properties.DocumentationVersion,
      tags: tagMap(Tags),
      tracingEnabled: properties.TracingEnabled,
      variables: Variables,
    });
    const identifier = identifierOf(restApiId, stageName!);
    const {
      AccessLogSetting: _,
      CanarySetting: __,
      ClientCertificateId: ___,
      MethodSettings: ____,
      ...made
    } = properties;
    const patchOperations = changes(made, properties);
    if (patchOperations.length) {
      ctx.created(identifier);
      await ctx.call('apigateway', 'UpdateStage', { restApiId, stageName: stageName!, patchOperations });
    }
    return { identifier };
  },

  async read(identifier, ctx) {
    const key = keyOf(identifier);
    const found = await unless(ctx.call('apigateway', 'GetStage', key), GONE);
    if (!found) return undefined;
    return {
      properties: defined({
        ...raised(found as never, [...Object.keys(PATHS), 'Variables']),
        AccessLogSetting: found.accessLogSettings && (upperNames(found.accessLogSettings) as Properties),
        CanarySetting: canaryOf(found),
        MethodSettings: settingsOf(found),
        RestApiId: key.restApiId,
        StageName: key.stageName,
        Tags: tagList(found.tags),
      }),
      attributes: {},
    };
  },

  async update(identifier, previous, desired, ctx) {
    const key = keyOf(identifier);
    const patchOperations = changes(previous, desired);
    if (patchOperations.length) await ctx.call('apigateway', 'UpdateStage', { ...key, patchOperations });
    await changeTagsOf(stageType.arn({ api: key.restApiId, stage: key.stageName }, ctx), previous, desired, ctx);
  },

  async delete(identifier, _properties, ctx) {
    await unless(ctx.call('apigateway', 'DeleteStage', keyOf(identifier)), GONE);
  },
});
