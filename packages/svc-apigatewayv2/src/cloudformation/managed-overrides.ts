import {
  defined,
  defineProvider,
  type Properties,
  pick,
  run,
  sameValue,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { apigatewayv2Error } from '../errors.ts';
import { mapChanges, withDefaults } from './changes.ts';

const TYPE = 'AWS::ApiGatewayV2::ApiGatewayManagedOverrides';
const GONE = 'NotFoundException';
const STAGE = '$default';

interface Overrides extends Properties {
  readonly ApiId: string;
  readonly Integration?: Properties;
  readonly Route?: Properties;
  readonly Stage?: Properties;
}

/** Defaults of the parts of a quick-created API, by member. */
const INTEGRATION: Properties = { Description: '', TimeoutInMillis: 30_000 };
const ROUTE: Properties = { AuthorizationScopes: [], AuthorizationType: 'NONE', AuthorizerId: '', OperationName: '' };
const STAGE_DEFAULTS: Properties = { AutoDeploy: true, Description: '' };
const THROTTLED = ['DataTraceEnabled', 'LoggingLevel', 'ThrottlingBurstLimit', 'ThrottlingRateLimit'] as const;

/** Returns the managed parts of an API; undefined if the API does not exist. */
async function partsOf(ApiId: string, ctx: ProviderContext) {
  const integrations = await unless(ctx.call('apigatewayv2', 'GetIntegrations', { ApiId }), GONE);
  if (!integrations) return undefined;
  const routes = await ctx.call('apigatewayv2', 'GetRoutes', { ApiId });
  const stage = await unless(ctx.call('apigatewayv2', 'GetStage', { ApiId, StageName: STAGE }), GONE);
  return {
    integration: integrations.Items?.find(({ ApiGatewayManaged }) => ApiGatewayManaged),
    route: routes.Items?.find(({ ApiGatewayManaged }) => ApiGatewayManaged),
    stage: stage?.ApiGatewayManaged ? stage : undefined,
  };
}

type Parts = NonNullable<Awaited<ReturnType<typeof partsOf>>>;

/** Returns the default integration, which depends on its target. */
const integrationDefaults = ({ integration }: Parts): Properties => ({
  ...INTEGRATION,
  ...(integration?.IntegrationType === 'AWS_PROXY'
    ? { IntegrationMethod: 'POST', PayloadFormatVersion: '2.0' }
    : { IntegrationMethod: 'ANY', PayloadFormatVersion: '1.0' }),
});

const routeDefaults = ({ integration }: Parts): Properties => ({
  ...ROUTE,
  Target: `integrations/${integration?.IntegrationId}`,
});

/** Returns the members of a part that differ from the defaults or are set in the template. */
const overridden = (part: object | undefined, defaults: Properties, given: Properties = {}): Properties | undefined =>
  unlessEmpty(
    defined(
      Object.fromEntries(
        Object.entries(defaults).map(([name, value]) => {
          const own = (part as Properties | undefined)?.[name];
          return [name, sameValue(own, value) && !(name in given) ? undefined : own];
        }),
      ),
    ),
  );

/** Returns the overridden members, including those set in the template. */
function overridesIn(parts: Parts, applied: Partial<Overrides> = {}): Properties {
  const { integration, route, stage } = parts;
  const settings = stage?.DefaultRouteSettings;
  return defined({
    Integration: overridden(integration, integrationDefaults(parts), applied.Integration),
    Route: overridden(route, routeDefaults(parts), applied.Route),
    Stage: unlessEmpty(
      defined({
        ...overridden(stage, STAGE_DEFAULTS, applied.Stage),
        AccessLogSettings: stage?.AccessLogSettings,
        DefaultRouteSettings:
          settings && (settings.DetailedMetricsEnabled || unlessEmpty(pick(settings, THROTTLED)))
            ? settings
            : undefined,
        RouteSettings: unlessEmpty(stage?.RouteSettings),
        StageVariables: unlessEmpty(stage?.StageVariables),
      }),
    ),
  });
}

async function change(previous: Overrides, desired: Overrides, ctx: ProviderContext): Promise<void> {
  const { ApiId } = desired;
  const parts = await partsOf(ApiId, ctx);
  const missing = (['integration', 'route', 'stage'] as const).find((name) => !parts?.[name]);
  if (!parts || missing)
    throw apigatewayv2Error('NotFoundException', `API ${ApiId} has no ${missing ?? 'parts'} that API Gateway manages`);
  const { integration, route } = parts;
  const changesOf = (name: 'Integration' | 'Route', defaults: Properties) =>
    unlessEmpty(withDefaults(previous[name] ?? {}, desired[name] ?? {}, Object.keys(defaults), defaults));
  const integrated = changesOf('Integration', integrationDefaults(parts));
  if (integrated)
    await run(ctx, 'apigatewayv2', 'UpdateIntegration', {
      ...integrated,
      ApiId,
      IntegrationId: integration!.IntegrationId,
    });
  const routed = changesOf('Route', routeDefaults(parts));
  if (routed) await run(ctx, 'apigatewayv2', 'UpdateRoute', { ...routed, ApiId, RouteId: route!.RouteId });
  await changeStage(ApiId, previous.Stage ?? {}, desired.Stage ?? {}, ctx);
}

async function changeStage(ApiId: string, before: Properties, after: Properties, ctx: ProviderContext): Promise<void> {
  if (sameValue(before, after)) return;
  const key = { ApiId, StageName: STAGE };
  if (before.AccessLogSettings && !after.AccessLogSettings)
    await ctx.call('apigatewayv2', 'DeleteAccessLogSettings', key);
  const routes = (after.RouteSettings ?? {}) as Properties;
  for (const RouteKey of Object.keys((before.RouteSettings ?? {}) as Properties))
    if (!(RouteKey in routes))
      await unless(ctx.call('apigatewayv2', 'DeleteRouteSettings', { ...key, RouteKey }), GONE);
  await run(ctx, 'apigatewayv2', 'UpdateStage', {
    ...key,
    ...withDefaults(before, after, ['AutoDeploy', 'Description'], STAGE_DEFAULTS),
    ...pick(after, ['AccessLogSettings', 'RouteSettings']),
    DefaultRouteSettings: { DetailedMetricsEnabled: false, ...(after.DefaultRouteSettings as Properties) },
    StageVariables: mapChanges(
      before.StageVariables as Properties | undefined,
      after.StageVariables as Properties | undefined,
      '',
    ),
  });
}

/**
 * Overrides of the managed parts of a quick-created API.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-apigatewaymanagedoverrides.html
 */
export const managedOverrides: AnyResourceProvider = defineProvider<Overrides>({
  typeName: TYPE,
  model,
  handles: ['ApiId', 'Integration', 'Route', 'Stage'],

  async create(properties, ctx) {
    await change({ ApiId: properties.ApiId }, properties, ctx);
    return { identifier: properties.ApiId };
  },

  async read(ApiId, ctx, applied) {
    const parts = await partsOf(ApiId, ctx);
    if (!parts) return undefined;
    // Without overrides the resource does not exist.
    if (!unlessEmpty(overridesIn(parts))) return undefined;
    return { properties: { ApiId, ...overridesIn(parts, applied) } as Overrides, attributes: { Id: ApiId } };
  },

  update: async (_apiId, previous, desired, ctx) => change(previous, desired, ctx),

  async delete(ApiId, properties, ctx) {
    const parts = await partsOf(ApiId, ctx);
    if (parts?.integration && parts.route && parts.stage) await change(properties, { ApiId }, ctx);
  },
});
