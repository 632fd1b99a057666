import type { DeepReadonly } from '@emu/core';
import type { ProtocolType } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from './context.ts';
import { conflict, invalid } from './errors.ts';
import type { ApiRecord, IntegrationRecord } from './records.ts';
import { checkRouteKey, DEFAULT_ROUTE } from './validation/route-key.ts';

/** What a request for a whole API in one call says. */
export interface QuickTarget {
  /** ARN of a function, or an HTTP URL. */
  target: string | undefined;
  routeKey: string | undefined;
  /** Role that the function is called with. */
  credentials: string | undefined;
}

const FUNCTION = /^arn:[^:]+:lambda:/;
const URL = /^https?:\/\//;
const HTTP_TIMEOUT = 30_000;

/** Checks the target of an API that is made whole. @throws AwsError `BadRequestException` */
export function checkQuickTarget(protocol: ProtocolType, target: string, routeKey: string | undefined): void {
  if (protocol !== 'HTTP') throw invalid('Target is supported only for HTTP APIs');
  if (!FUNCTION.test(target) && !URL.test(target))
    throw invalid('Target must be the ARN of a Lambda function or an HTTP URL');
  if (routeKey !== undefined) checkRouteKey('HTTP', routeKey);
}

const integrationFor = (
  target: string,
): Pick<IntegrationRecord, 'IntegrationType' | 'IntegrationUri'> & Partial<IntegrationRecord> =>
  FUNCTION.test(target)
    ? { IntegrationType: 'AWS_PROXY', IntegrationUri: target, IntegrationMethod: 'POST', PayloadFormatVersion: '2.0' }
    : { IntegrationType: 'HTTP_PROXY', IntegrationUri: target, IntegrationMethod: 'ANY', PayloadFormatVersion: '1.0' };

/**
 * Makes the integration, the route and the stage of an API that is made in one call.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop.html#http-api-quick-create
 */
export function createQuickly(
  apiId: string,
  { target, routeKey, credentials }: QuickTarget,
  ctx: Apigatewayv2Context,
): void {
  const { state, clock } = ctx;
  const IntegrationId = state.newId();
  state.integrations.put(apiId, IntegrationId, {
    ...integrationFor(target!),
    ApiGatewayManaged: true,
    ConnectionType: 'INTERNET',
    IntegrationId,
    TimeoutInMillis: HTTP_TIMEOUT,
    ...(credentials !== undefined && { CredentialsArn: credentials }),
  });
  const RouteId = state.newId();
  state.routes.put(apiId, RouteId, {
    ApiGatewayManaged: true,
    ApiKeyRequired: false,
    AuthorizationType: 'NONE',
    RouteId,
    RouteKey: routeKey ?? DEFAULT_ROUTE,
    Target: `integrations/${IntegrationId}`,
  });
  const now = clock.now();
  state.stages.put(apiId, DEFAULT_ROUTE, {
    ApiGatewayManaged: true,
    AutoDeploy: true,
    DefaultRouteSettings: { DetailedMetricsEnabled: false },
    RouteSettings: {},
    StageName: DEFAULT_ROUTE,
    StageVariables: {},
    Tags: {},
    createdAt: now,
    updatedAt: now,
  });
  state.changed(apiId);
}

/**
 * Changes what was made in one call with an API.
 * @throws AwsError `BadRequestException` for an API that was not made so, or whose integration or route has gone
 */
export function changeQuickIntegration(
  api: DeepReadonly<ApiRecord>,
  { target, routeKey, credentials }: QuickTarget,
  { state }: Apigatewayv2Context,
): void {
  if (target === undefined && routeKey === undefined && credentials === undefined) return;
  const { ApiId, ProtocolType } = api;
  if (target !== undefined) checkQuickTarget(ProtocolType, target, routeKey);
  else if (routeKey !== undefined) checkRouteKey(ProtocolType, routeKey);
  const integration = state.integrations.list(ApiId).find(({ ApiGatewayManaged }) => ApiGatewayManaged);
  const route = state.routes.list(ApiId).find(({ ApiGatewayManaged }) => ApiGatewayManaged);
  if (((target ?? credentials) !== undefined && !integration) || (routeKey !== undefined && !route))
    throw invalid('Target, RouteKey and CredentialsArn can be changed only for APIs that were created with a Target');
  if (routeKey !== undefined && state.routes.list(ApiId).some((one) => one !== route && one.RouteKey === routeKey))
    throw conflict(`Route with key ${routeKey} already exists for this API`);
  if (integration && (target ?? credentials) !== undefined)
    state.integrations.update(ApiId, integration.IntegrationId, (draft) => {
      if (target !== undefined) Object.assign(draft, integrationFor(target));
      if (credentials !== undefined) draft.CredentialsArn = credentials;
    });
  if (route && routeKey !== undefined)
    state.routes.update(ApiId, route.RouteId, (draft) => {
      draft.RouteKey = routeKey;
    });
}
