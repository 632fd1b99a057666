import { Fields, sendToEndpoint, withStageVariables } from '@emu/apigateway-common';
import { serviceRequest } from '@emu/apigateway-common/service-request';
import type { DeepReadonly } from '@emu/core/service';
import type { Integration } from '@emu/service-types/apigateway';
import type { Call, CallAnswer } from '../call.ts';
import { configurationFault } from '../fault.ts';
import { endpointFault, mapParameters, type Outgoing, override, recordAnswer } from './http.ts';
import { requestBody } from './request-body.ts';
import { mapAnswer } from './response.ts';

/**
 * Calls another service's operation with the integration's role.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-integration-types.html
 */
export async function callService(call: Call, integration: DeepReadonly<Integration>): Promise<CallAnswer> {
  const { state, request, stage, apiId, trace } = call;
  const role = integration.credentials;
  if (role === undefined) throw configurationFault('Execution role is missing');
  const base: Outgoing = { headers: Fields.headers(), query: new Fields(false), path: {} };
  base.headers.set('Content-Type', request.headers.get('content-type') ?? 'application/json');
  // For this header, services with XML protocols respond in JSON.
  base.headers.set('Accept', 'application/json').set('User-Agent', `AmazonAPIGateway_${apiId}`);
  base.headers.set('X-Amzn-Apigateway-Api-Id', apiId).set('X-Amzn-Trace-Id', trace);
  const mapped = mapParameters(call, integration, base);
  const body = await requestBody(call, integration);
  const signed = await serviceRequest(state.scope, {
    uri: withStageVariables(integration.uri ?? '', stage.variables),
    role,
    method: integration.httpMethod === 'ANY' ? request.method : integration.httpMethod!,
    ...override(call, mapped),
    body,
  });
  if (!signed) throw configurationFault('Invalid endpoint address');
  call.log.request(signed.shown, signed.headers, signed.body);
  const started = state.clock.now();
  try {
    const answer = await sendToEndpoint({
      ...signed,
      names: state.scope.service.names,
      timeout: integration.timeoutInMillis ?? 29_000,
      signal: request.signal,
    });
    recordAnswer(call, answer, state.clock.now() - started);
    return await mapAnswer(call, integration, { ...answer, selector: String(answer.status) });
  } catch (error) {
    throw endpointFault(call, error);
  } finally {
    call.notes.integration.latency ??= state.clock.now() - started;
  }
}
