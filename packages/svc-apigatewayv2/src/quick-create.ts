import type { ProtocolType } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from './context.ts';
import { badRequest, conflict } from './errors.ts';
import type { ApiRecord, IntegrationRecord } from './records.ts';
import { checkRouteKey, DEFAULT_ROUTE } from './runtime/route-key.ts';

/** Members of a request for the parts of a quick-created API. */
export interface QuickTarget {
  /** Function ARN or HTTP URL. */
  readonly Target?: string | undefined;
  readonly RouteKey?: string | undefined;
  /** Role for calling the function. */
  readonly CredentialsArn?: string | undefined;
}

const FUNCTION = /^arn:[^:]+:lambda:/;
const URL = /^https?:\/\//;
const HTTP_TIMEOUT = 30_000;

/**
 * Validates the target of a quick-created API.
 * @throws AwsError `BadRequestException`
 */
export function checkQuickTarget(protocol: ProtocolType, target: string, routeKey: string | undefined): void {
  if (protocol !== 'HTTP') throw badRequest('Target is supported only for HTTP APIs');
  if (!FUNCTION.test(target) && !URL.test(target))
    throw badRequest('Target must be the ARN of a Lambda function or an HTTP URL');
  if (routeKey !== undefined) checkRouteKey('HTTP', routeKey);
}

const integrationFor = (
  target: string,
): Pick<IntegrationRecord, 'IntegrationType' | 'IntegrationUri'> & Partial<IntegrationRecord> =>
  FUNCTION.test(target)
    ? { IntegrationType: 'AWS_PROXY', IntegrationUri: target, IntegrationMethod: 'POST', PayloadFormatVersion: '2.0' }
    : { IntegrationType: 'HTTP_PROXY', IntegrationUri: target, IntegrationMethod: 'ANY', PayloadFormatVersion: '1.0' };

/**
 * Creates the integration, route and stage of a quick-created API.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop.html#http-api-quick-create
 */
export function createQuickly(
  apiId: string,
  { Target, RouteKey, CredentialsArn }: QuickTarget,
  { state, clock }: Apigatewayv2Context,
): void {
  const IntegrationId = state.newId();
  state.integrations.put(apiId, IntegrationId, {
    ...integrationFor(Target!),
    ApiGatewayManaged: true,
    ConnectionType: 'INTERNET',
    IntegrationId,
    TimeoutInMillis: HTTP_TIMEOUT,
    ...(CredentialsArn && { CredentialsArn }),
  });
  const RouteId = state.newId();
  state.routes.put(apiId, RouteId, {
    ApiGatewayManaged: true,
    ApiKeyRequired: false,
    AuthorizationType: 'NONE',
    RouteId,
    RouteKey: RouteKey ?? DEFAULT_ROUTE,
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

/** Returns the managed integration and route of a quick-created API. */
function quickParts(apiId: string, { integrations, routes }: Apigatewayv2Context['state']) {
  return {
    integration: integrations.list(apiId).find(({ ApiGatewayManaged }) => ApiGatewayManaged),
    route: routes.list(apiId).find(({ ApiGatewayManaged }) => ApiGatewayManaged),
  };
}

/**
 * Validates a change of a quick-created API's parts.
 * @throws AwsError `BadRequestException` if the API was not quick-created, or the integration or route was deleted
 */
export function checkQuickChange(
  { ApiId, ProtocolType }: Pick<ApiRecord, 'ApiId' | 'ProtocolType'>,
  { Target, RouteKey, CredentialsArn }: QuickTarget,
  { state }: Apigatewayv2Context,
): void {
  if (Target !== undefined) checkQuickTarget(ProtocolType, Target, RouteKey);
  else if (RouteKey !== undefined) checkRouteKey(ProtocolType, RouteKey);
  const { integration, route } = quickParts(ApiId, state);
  if (((Target ?? (CredentialsArn || undefined)) !== undefined && !integration) || (RouteKey !== undefined && !route))
    throw badRequest(
      'Target, RouteKey and CredentialsArn can be changed only for APIs that were created with a Target',
    );
  if (RouteKey !== undefined && state.routes.list(ApiId).some((one) => one !== route && one.RouteKey === RouteKey))
    throw conflict(`Route with key ${RouteKey} already exists for this API`);
}

/** Changes the parts of a quick-created API. */
export function changeQuickly(
  apiId: string,
  { Target, RouteKey, CredentialsArn }: QuickTarget,
  { state }: Apigatewayv2Context,
): void {
  const { integration, route } = quickParts(apiId, state);
  if (integration && (Target ?? CredentialsArn) !== undefined)
    state.integrations.update(apiId, integration.IntegrationId, (draft) => {
      if (Target !== undefined) Object.assign(draft, integrationFor(Target));
      if (CredentialsArn) draft.CredentialsArn = CredentialsArn;
      else if (CredentialsArn === '') delete draft.CredentialsArn;
    });
  if (route && RouteKey !== undefined)
    state.routes.update(apiId, route.RouteId, (draft) => {
      draft.RouteKey = RouteKey;
    });
}
