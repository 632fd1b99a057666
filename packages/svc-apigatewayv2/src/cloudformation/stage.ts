import {
  defined,
  defineProvider,
  identifierOf,
  identifierParts,
  omit,
  type Properties,
  pick,
  run,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { stageType } from '../resources.ts';
import { changeTagMap, mapChanges, withDefaults } from './changes.ts';

const GONE = 'NotFoundException';
const SETTINGS = ['AccessLogSettings', 'AutoDeploy', 'DeploymentId', 'Description'] as const;
const DEFAULTS: Properties = { AutoDeploy: false, Description: '' };
/** Default route settings; throttling has no defaults. */
const ROUTE_DEFAULTS: Properties = { DataTraceEnabled: false, DetailedMetricsEnabled: false, LoggingLevel: 'OFF' };

interface StageProperties extends Properties {
  ApiId: string;
  AccessLogSettings?: Properties;
  DefaultRouteSettings?: Properties;
  RouteSettings?: Readonly<Record<string, Properties>>;
  StageName: string;
  StageVariables?: Properties;
  Tags?: Readonly<Record<string, string>>;
}

const keyOf = (identifier: string): { ApiId: string; StageName: string } => {
  const [ApiId, StageName] = identifierParts(identifier, 2) as [string, string];
  return { ApiId, StageName };
};

const stageOf = (identifier: string, ctx: ProviderContext) =>
  unless(ctx.call('apigatewayv2', 'GetStage', keyOf(identifier)), GONE);

/**
 * Stages.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-stage.html
 */
export const stage: AnyResourceProvider = defineProvider<StageProperties>({
  typeName: 'AWS::ApiGatewayV2::Stage',
  model,
  handles: [...SETTINGS, 'ApiId', 'DefaultRouteSettings', 'RouteSettings', 'StageName', 'StageVariables', 'Tags'],

  async create(properties, ctx) {
    await run(ctx, 'apigatewayv2', 'CreateStage', properties);
    return { identifier: identifierOf(properties.ApiId, properties.StageName) };
  },

  async read(identifier, ctx) {
    const found = await stageOf(identifier, ctx);
    if (!found) return undefined;
    return {
      properties: defined({
        ...keyOf(identifier),
        ...pick(found, ['AccessLogSettings', 'DefaultRouteSettings', 'DeploymentId']),
        AutoDeploy: found.AutoDeploy ?? false,
        Description: found.Description || undefined,
        RouteSettings: unlessEmpty(found.RouteSettings),
        StageVariables: unlessEmpty(found.StageVariables),
        Tags: unlessEmpty(found.Tags),
      }) as unknown as StageProperties,
      attributes: {},
    };
  },

  async update(identifier, previous, desired, ctx) {
    const key = keyOf(identifier);
    if (previous.AccessLogSettings && !desired.AccessLogSettings)
      await ctx.call('apigatewayv2', 'DeleteAccessLogSettings', key);
    for (const [RouteKey] of Object.entries(previous.RouteSettings ?? {}))
      await unless(ctx.call('apigatewayv2', 'DeleteRouteSettings', { ...key, RouteKey }), GONE);
    const gone = Object.keys(
      omit(previous.DefaultRouteSettings ?? {}, ...Object.keys(desired.DefaultRouteSettings ?? {})),
    );
    await run(ctx, 'apigatewayv2', 'UpdateStage', {
      ...withDefaults(previous, desired, SETTINGS, DEFAULTS),
      ...key,
      DefaultRouteSettings: { ...pick(ROUTE_DEFAULTS, gone as never), ...desired.DefaultRouteSettings },
      RouteSettings: desired.RouteSettings,
      StageVariables: mapChanges(previous.StageVariables, desired.StageVariables, ''),
    });
    const { ApiId: api, StageName: name } = key;
    await changeTagMap(stageType.arn({ api, stage: name }, ctx), previous.Tags, desired.Tags, ctx);
  },

  async delete(identifier, _properties, ctx) {
    await unless(ctx.call('apigatewayv2', 'DeleteStage', keyOf(identifier)), GONE);
  },
});
