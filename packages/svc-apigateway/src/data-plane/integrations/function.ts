import { callFunction, Fields, functionOfUri, proxyAnswer, proxyEvent } from '@emu/apigateway-common';
import { type DeepReadonly, parseArn } from '@emu/core';
import type { Integration } from '@emu/service-types/apigateway';
import { AwsError } from '@emu/wire';
import type { Call, CallAnswer } from '../call.ts';
import { configurationFault, GatewayFault, malformedAnswer } from '../fault.ts';
import { jsonOf, requestValues } from '../mapping.ts';
import { requestBody } from './request-body.ts';
import { mapAnswer, passedHeaders } from './response.ts';

/** What the function's event has as `requestContext`. */
function requestContext({ context, resource }: Call): Record<string, unknown> {
  const { requestOverride, responseOverride, isCanaryRequest, xrayTraceId, error, integration, ...rest } = context;
  const shown: Record<string, unknown> = { ...rest, resourceId: resource.id, resourcePath: resource.path };
  if (isCanaryRequest === true) shown.isCanaryRequest = true;
  return shown;
}

/** Headers of a request as a function sees them. */
function eventHeaders(call: Call): Fields {
  const { request, trace } = call;
  const headers = request.headers.copy();
  headers.delete('connection');
  headers.set('X-Amzn-Trace-Id', trace);
  const forwarded = request.headers.get('x-forwarded-for');
  headers.set('X-Forwarded-For', forwarded === undefined ? request.sourceIp : `${forwarded}, ${request.sourceIp}`);
  headers.set('X-Forwarded-Port', request.host.split(':')[1] ?? (request.secure ? '443' : '80'));
  headers.set('X-Forwarded-Proto', request.secure ? 'https' : 'http');
  return headers;
}

/** Calls the function that an integration names. @throws GatewayFault where it cannot be called */
async function invoke(call: Call, integration: DeepReadonly<Integration>, payload: string, event = false) {
  const { state, stage, request, trace, sourceArn } = call;
  const functionArn = functionOfUri(integration.uri ?? '', stage.variables);
  if (functionArn === undefined || functionArn === '') throw configurationFault('Invalid endpoint address');
  const { credentials, timeoutInMillis = 29_000 } = integration;
  call.log.add(() => `Sending request to ${integration.uri}`);
  const controller = new AbortController();
  const timer = state.clock.after(timeoutInMillis, () => controller.abort());
  const started = state.clock.now();
  try {
    const signal = request.signal ? AbortSignal.any([request.signal, controller.signal]) : controller.signal;
    const running = callFunction(state.scope, {
      functionArn,
      accountId: state.accountId,
      sourceArn,
      role: isCallers(credentials) ? undefined : credentials,
      payload,
      traceHeader: trace,
      cause: request.requestId,
      event,
      signal,
    });
    const answer = await Promise.race([running, aborted(controller.signal)]);
    if (!answer) {
      running.catch(() => undefined);
      throw new GatewayFault('INTEGRATION_TIMEOUT', 'Endpoint request timed out', 'InternalServerErrorException');
    }
    return answer;
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw functionRefusal(error);
  } finally {
    call.integrationLatency = state.clock.now() - started;
    timer.cancel();
  }
}

/** Whether the integration is called as whoever calls the method. */
const isCallers = (credentials: string | undefined): boolean => parseArn(credentials ?? '')?.accountId === '*';

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

/** What a client is answered where the function may not be called, is not there or is busy. */
function functionRefusal(error: AwsError): GatewayFault {
  if (error.code === 'AccessDeniedException' || error.code === 'ResourceNotFoundException')
    return configurationFault('Invalid permissions on Lambda function');
  return new GatewayFault('DEFAULT_5XX', 'Internal server error', 'InternalServerErrorException', {
    log: `Lambda invocation failed: ${error.message}`,
    status: 500,
  });
}

/**
 * A proxy integration with a function.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export async function callProxyFunction(call: Call, integration: DeepReadonly<Integration>): Promise<CallAnswer> {
  const { request, resource, pathParameters, stage } = call;
  const headers = eventHeaders(call);
  const query = request.query.copy();
  const path = { ...pathParameters };
  for (const [target, source] of Object.entries(integration.requestParameters ?? {})) {
    const [, , place, ...rest] = target.split('.');
    const [name, values] = [rest.join('.'), requestValues(call, source)];
    if (values.length === 0) continue;
    if (place === 'path') path[name] = values.at(-1)!;
    else (place === 'header' || place === 'multivalueheader' ? headers : query).set(name, ...values);
  }
  const event = proxyEvent({
    resource: resource.path,
    path: decodedPath(request.path),
    httpMethod: request.method,
    headers,
    query,
    pathParameters: path,
    stageVariables: stage.variables,
    requestContext: requestContext(call),
    body: request.body,
    binary: call.isBinary(request.headers.get('content-type')),
  });
  const { payload, failed } = await invoke(call, integration, JSON.stringify(event));
  call.log.add(() => `Endpoint response body before transformations: ${payload}`);
  if (failed)
    throw malformedAnswer(
      `Lambda execution failed with status 200 due to customer function error: ${errorOf(payload)}`,
    );
  const answer = proxyAnswer(payload);
  if (!answer) throw malformedAnswer('Execution failed due to configuration error: Malformed Lambda proxy response');
  const passed = passedHeaders(
    Fields.headers(answer.headers.flatMap(([name, values]) => values.map((value) => [name, value] as const))),
  );
  if (!passed.has('content-type')) passed.set('Content-Type', 'application/json');
  const accepted = request.headers.get('accept')?.split(',')[0] ?? (call.isBinary('*/*') ? '*/*' : undefined);
  const decode = answer.isBase64Encoded && (call.isBinary(accepted) || call.isBinary(passed.get('content-type')));
  return { status: answer.status, headers: passed, body: Buffer.from(answer.body, decode ? 'base64' : 'utf8') };
}

const errorOf = (payload: string): string => {
  const { errorMessage } = (jsonOf(payload) as { errorMessage?: unknown } | undefined) ?? {};
  return typeof errorMessage === 'string' ? errorMessage : payload;
};

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * An integration with a function whose request and answer are mapped.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-custom-integrations.html
 */
export async function callMappedFunction(call: Call, integration: DeepReadonly<Integration>): Promise<CallAnswer> {
  const event = Object.entries(integration.requestParameters ?? {}).some(
    ([target, source]) =>
      target.toLowerCase() === 'integration.request.header.x-amz-invocation-type' &&
      requestValues(call, source).at(-1) === 'Event',
  );
  const body = requestBody(call, integration).toString();
  const { payload, failed } = await invoke(call, integration, body === '' ? '{}' : body, event);
  call.log.add(() => `Endpoint response body before transformations: ${payload}`);
  return mapAnswer(call, integration, {
    headers: Fields.headers([['Content-Type', 'application/json']]),
    body: Buffer.from(payload),
    selector: failed ? errorOf(payload) : '',
  });
}
