import { Fields } from '@emu/apigateway-common';
import type { GatewayResponse } from '@emu/service-types/apigateway';
import { DEFAULT_TEMPLATES, responseInForce } from '../apis/gateway-response.ts';
import type { Call, CallAnswer } from './call.ts';
import type { GatewayFault } from './fault.ts';
import { render, requestValues } from './mapping.ts';

/**
 * Returns the response for an error of API Gateway itself, from the API's gateway responses.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gatewayResponse-definition.html
 */
export async function faultAnswer(call: Call, fault: GatewayFault): Promise<CallAnswer> {
  const { definition, context, request } = call;
  const { type, contextMessage: message, errorType, details } = fault;
  if (details.log !== undefined) call.log.add(() => details.log!, true);
  const response = responseInForce(
    type,
    (one) =>
      definition.gatewayResponses.find(({ responseType }) => responseType === one) as GatewayResponse | undefined,
  );
  context.error = {
    message,
    messageString: JSON.stringify(message),
    responseType: type,
    validationErrorString: details.validation ?? null,
  };
  context.resourcePath ??= call.resource?.path;
  const templates = response.responseTemplates ?? {};
  const wanted = (request.headers.get('accept') ?? '').split(',').map((one) => one.split(';')[0]!.trim());
  const contentType =
    wanted.find((one) => Object.hasOwn(templates, one)) ?? Object.keys(templates)[0] ?? 'application/json';
  const headers = Fields.headers([['Content-Type', contentType]]);
  headers.set('x-amzn-ErrorType', errorType);
  for (const [target, source] of Object.entries(response.responseParameters ?? {})) {
    const value = source.startsWith('integration.') ? undefined : requestValues(call, source).at(-1);
    if (value !== undefined) headers.set(target.slice('gatewayresponse.header.'.length), value);
  }
  const template = templates[contentType];
  // Observed default of AWS, although it documents the same template for all types.
  const denied = type === 'ACCESS_DENIED' && template === DEFAULT_TEMPLATES['application/json'];
  let body = JSON.stringify(denied ? { Message: message } : { message });
  try {
    // A failing template must not hide the original error.
    if (template !== undefined && !denied) body = await render(call, template, request.body);
  } catch (error) {
    call.log.add(() => String(error), true);
  }
  const status = Number(response.statusCode ?? details.status ?? 500);
  return { status, headers, body: Buffer.from(body) };
}
