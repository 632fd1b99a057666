import type { DeepReadonly } from '@emu/core/service';
import { badRequest } from '../errors.ts';
import { integrations } from '../resources/integrations.ts';
import { TIMEOUTS } from '../validation/integration.ts';

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations.html#CreateIntegration */
export const CreateIntegration = integrations.createHandler('CreateIntegration', {
  defaults({ input: { IntegrationType, IntegrationSubtype }, owner: { ProtocolType } }) {
    const isLambda = IntegrationType === 'AWS_PROXY' && IntegrationSubtype === undefined;
    return {
      ConnectionType: 'INTERNET' as const,
      TimeoutInMillis: TIMEOUTS[ProtocolType].most,
      ...(isLambda && { IntegrationMethod: 'POST' }),
      ...(ProtocolType === 'WEBSOCKET' && {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
        IntegrationResponseSelectionExpression: '${integration.response.statuscode}',
        PassthroughBehavior: 'WHEN_NO_MATCH' as const,
      }),
      // The payload format of functions is required in requests.
      ...(ProtocolType === 'HTTP' && !isLambda && { PayloadFormatVersion: '1.0' }),
    };
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid.html#GetIntegration */
export const GetIntegration = integrations.getHandler('GetIntegration', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations.html#GetIntegrations */
export const GetIntegrations = integrations.listHandler('GetIntegrations', {});

/** Returns a mapping with changes: an empty value removes a parameter. */
function merged<Value>(
  before: DeepReadonly<Record<string, Value>> | undefined,
  change: Readonly<Record<string, Value>>,
  isEmpty: (value: Value) => boolean,
): Record<string, Value> {
  const all = { ...(before as Record<string, Value> | undefined), ...change };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value)));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid.html#UpdateIntegration */
export const UpdateIntegration = integrations.updateHandler('UpdateIntegration', {
  values({ before, input }) {
    const { RequestParameters: request, ResponseParameters: response } = input;
    return {
      ...(request && { RequestParameters: merged(before.RequestParameters, request, (value) => value === '') }),
      ...(response && {
        ResponseParameters: merged(before.ResponseParameters, response, (value) => Object.keys(value).length === 0),
      }),
    };
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid.html#DeleteIntegration */
export const DeleteIntegration = integrations.deleteHandler('DeleteIntegration', {
  check({ ApiGatewayManaged, IntegrationId }) {
    // It can be updated, but is deleted only with its API.
    if (ApiGatewayManaged) throw badRequest(`Cannot delete Integration '${IntegrationId}', which API Gateway manages`);
  },
});
