import type { DeepReadonly } from '@emu/core';
import type { InputOf, Integration, OutputOf } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { conflict, invalid } from '../errors.ts';
import { apiOf, integrationOf } from '../lookup.ts';
import { given } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { IntegrationRecord } from '../records.ts';
import { checkIntegration, TIMEOUTS } from '../validation/integration.ts';
import { integrationIdOf } from '../validation/route-key.ts';

const SETTINGS = [
  'ConnectionId',
  'ConnectionType',
  'ContentHandlingStrategy',
  'CredentialsArn',
  'Description',
  'IntegrationMethod',
  'IntegrationSubtype',
  'IntegrationUri',
  'PassthroughBehavior',
  'PayloadFormatVersion',
  'RequestParameters',
  'RequestTemplates',
  'ResponseParameters',
  'TemplateSelectionExpression',
  'TimeoutInMillis',
  'TlsConfig',
] as const;

const describe = (integration: DeepReadonly<IntegrationRecord>): Integration => integration as Integration;

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations.html#CreateIntegration */
export function CreateIntegration(
  input: InputOf<'CreateIntegration'>,
  ctx: Apigatewayv2Context,
): OutputOf<'CreateIntegration'> {
  const { ApiId, ProtocolType } = apiOf(input, ctx);
  checkIntegration(ProtocolType, input);
  const { state } = ctx;
  const IntegrationId = state.newId();
  const { IntegrationType, IntegrationSubtype } = input;
  const isLambda = IntegrationType === 'AWS_PROXY' && IntegrationSubtype === undefined;
  const integration = state.integrations.put(ApiId, IntegrationId, {
    ConnectionType: 'INTERNET',
    ...(isLambda && { IntegrationMethod: 'POST' }),
    ...(ProtocolType === 'WEBSOCKET' && {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
      IntegrationResponseSelectionExpression: '${integration.response.statuscode}',
      PassthroughBehavior: 'WHEN_NO_MATCH' as const,
    }),
    ...(ProtocolType === 'HTTP' && { PayloadFormatVersion: '1.0' }),
    ...given(input, SETTINGS),
    IntegrationId,
    IntegrationType,
    TimeoutInMillis: input.TimeoutInMillis ?? TIMEOUTS[ProtocolType].most,
  });
  state.changed(ApiId);
  return describe(integration);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid.html#GetIntegration */
export function GetIntegration(input: InputOf<'GetIntegration'>, ctx: Apigatewayv2Context): OutputOf<'GetIntegration'> {
  return describe(integrationOf(input, ctx));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations.html#GetIntegrations */
export function GetIntegrations(
  input: InputOf<'GetIntegrations'>,
  ctx: Apigatewayv2Context,
): OutputOf<'GetIntegrations'> {
  const { ApiId } = apiOf(input, ctx);
  return paging
    .page('GetIntegrations', withLimit(input), ctx.state.integrations.list(ApiId), ({ IntegrationId }) => IntegrationId)
    .list(describe);
}

/** A mapping with changes: an empty value takes a parameter away. */
function merged<Value>(
  before: Readonly<Record<string, Value>> | undefined,
  change: Readonly<Record<string, Value>> | undefined,
  isEmpty: (value: Value) => boolean,
): Record<string, Value> | undefined {
  if (!change) return before;
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => !isEmpty(value)));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid.html#UpdateIntegration */
export function UpdateIntegration(
  input: InputOf<'UpdateIntegration'>,
  ctx: Apigatewayv2Context,
): OutputOf<'UpdateIntegration'> {
  const integration = integrationOf(input, ctx) as IntegrationRecord;
  const { ApiId, ProtocolType } = apiOf(input, ctx);
  const RequestParameters = merged(integration.RequestParameters, input.RequestParameters, (value) => value === '');
  const ResponseParameters = merged(
    integration.ResponseParameters,
    input.ResponseParameters,
    (value) => Object.keys(value).length === 0,
  );
  const changed: IntegrationRecord = {
    ...integration,
    ...given(input, [...SETTINGS, 'IntegrationType']),
    ...(RequestParameters && { RequestParameters }),
    ...(ResponseParameters && { ResponseParameters }),
  };
  checkIntegration(ProtocolType, changed);
  const updated = ctx.state.integrations.put(ApiId, integration.IntegrationId, changed);
  ctx.state.changed(ApiId);
  return describe(updated);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid.html#DeleteIntegration */
export function DeleteIntegration(
  input: InputOf<'DeleteIntegration'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeleteIntegration'> {
  const { IntegrationId, ApiGatewayManaged } = integrationOf(input, ctx);
  const { ApiId } = input;
  const { state } = ctx;
  // It can be updated, and only goes with its API.
  if (ApiGatewayManaged) throw invalid(`Cannot delete Integration '${IntegrationId}', which API Gateway manages`);
  const route = state.routes.list(ApiId).find((one) => integrationIdOf(one as { Target?: string }) === IntegrationId);
  if (route)
    throw conflict(`Cannot delete Integration '${IntegrationId}' due to Route '${route.RouteId}' referencing it`);
  state.integrationResponses.clear(`${ApiId}/${IntegrationId}`);
  state.integrations.delete(ApiId, IntegrationId);
  state.changed(ApiId);
  return {};
}
