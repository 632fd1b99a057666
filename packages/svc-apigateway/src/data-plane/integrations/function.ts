import {
  callFunction,
  Fields,
  type FunctionAnswer,
  type FunctionCall,
  functionOfUri,
  invocationUrl,
  type ProxyAnswer,
  proxyAnswer,
  proxyEvent,
  streamFunction,
  withStageVariables,
} from '@emu/apigateway-common';
import { type DeepReadonly, parseArn, type ServiceCaller } from '@emu/core/service';
import type { Integration } from '@emu/service-types/apigateway';
import { AwsError } from '@emu/wire';
import type { Call, CallAnswer } from '../call.ts';
import { eventHeaders } from '../event-headers.ts';
import { configurationFault, GatewayFault, malformedAnswer } from '../fault.ts';
import { jsonOf, requestValues } from '../mapping.ts';
import { checkTargets } from './http.ts';
import { requestBody } from './request-body.ts';
import { mapAnswer, passedHeaders } from './response.ts';
import { headOf, watched } from './streaming.ts';

/** Returns `requestContext` of the function's event. */
function requestContext({ context, resource }: Call): Record<string, unknown> {
  const { requestOverride, responseOverride, isCanaryRequest, xrayTraceId, error, integration, ...rest } = context;
  const shown: Record<string, unknown> = { ...rest, resourceId: resource.id, resourcePath: resource.path };
  if (isCanaryRequest === true) shown.isCanaryRequest = true;
  return shown;
}

/**
 * Invokes the function of an integration.
 * @param ask performs the call; `shown` is the payload as logged
 * @throws GatewayFault if the call fails or times out
 */
async function invoke<Answer>(
  call: Call,
  integration: DeepReadonly<Integration>,
  payload: string,
  ask: (caller: ServiceCaller, request: FunctionCall) => Promise<Answer>,
  { event = false, shown = payload }: { event?: boolean; shown?: string } = {},
): Promise<Answer> {
  const { state, stage, request, trace, sourceArn } = call;
  const functionArn = functionOfUri(integration.uri ?? '', stage.variables);
  if (functionArn === undefined || functionArn === '') throw configurationFault('Invalid endpoint address');
  // Functions are invoked by POST; other methods have no such operation.
  if ((integration.httpMethod === 'ANY' ? request.method : (integration.httpMethod ?? 'POST')) !== 'POST')
    throw configurationFault('Unable to determine service/operation name to be authorized');
  const { credentials, timeoutInMillis: limit = 29_000 } = integration;
  const headers = Fields.headers([
    ['x-amzn-lambda-integration-tag', request.requestId],
    ['X-Amz-Source-Arn', sourceArn],
    ['x-amzn-apigateway-api-id', call.apiId],
    ['Accept', 'application/json'],
    ['User-Agent', `AmazonAPIGateway_${call.apiId}`],
    ['X-Amzn-Trace-Id', trace],
    ['Content-Type', 'application/json'],
  ]);
  const url = invocationUrl(withStageVariables(integration.uri ?? '', stage.variables), state.region);
  call.log.request(url, headers, shown);
  const controller = new AbortController();
  const timer = state.clock.after(limit, () => controller.abort());
  const started = state.clock.now();
  const requestId = state.ids.uuid();
  call.notes.integration.requestId = requestId;
  try {
    const signal = request.signal ? AbortSignal.any([request.signal, controller.signal]) : controller.signal;
    const running = ask(state.scope, {
      functionArn,
      accountId: state.accountId,
      sourceArn,
      role: isCallers(credentials) ? undefined : credentials,
      payload,
      traceHeader: trace,
      cause: request.requestId,
      requestId,
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
    call.notes.integration.latency = state.clock.now() - started;
    timer.cancel();
  }
}

/** Records a function's response; Lambda responds with 200 to function errors, too. */
function recordAnswer(call: Call, { payload, failed }: FunctionAnswer): void {
  const { integration } = call.notes;
  integration.integrationStatus = 200;
  if (failed) integration.error = errorOf(payload);
  // Recorded from AWS: test_apigw_test_invoke_method_api.
  const headers = Fields.headers([
    ['Date', new Date(call.state.clock.now()).toUTCString()],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(Buffer.byteLength(payload))],
    ['Connection', 'keep-alive'],
    ['x-amzn-RequestId', integration.requestId ?? ''],
    ['x-amzn-Remapped-Content-Length', '0'],
    ['X-Amz-Executed-Version', '$LATEST'],
    ['X-Amzn-Trace-Id', call.trace],
  ]);
  call.log.response(200, integration.latency ?? 0, headers, payload);
}

/** Whether the integration uses the caller's identity. */
const isCallers = (credentials: string | undefined): boolean => parseArn(credentials ?? '')?.accountId === '*';

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

/** Returns the error for a client if the function may not be invoked, is unknown or busy. */
function functionRefusal(error: AwsError): GatewayFault {
  if (error.code === 'AccessDeniedException' || error.code === 'ResourceNotFoundException')
    return configurationFault('Invalid permissions on Lambda function');
  return new GatewayFault('DEFAULT_5XX', 'Internal server error', 'InternalServerErrorException', {
    log: `Lambda invocation failed: ${error.message}`,
    status: 500,
  });
}

/** Returns the JSON event of a proxy integration with a function. */
function eventOf(call: Call, integration: DeepReadonly<Integration>): string {
  const { request, resource, pathParameters, stage } = call;
  // Recorded from AWS: mappings are validated but have no effect on the event.
  checkTargets(integration);
  const event = proxyEvent({
    resource: resource.path,
    // Recorded from AWS: neither the path nor its variables are decoded.
    path: request.path,
    httpMethod: request.method,
    headers: eventHeaders(call),
    query: request.query,
    pathParameters,
    stageVariables: stage.variables,
    requestContext: requestContext(call),
    body: request.body,
    binary: call.isBinary(request.headers.get('content-type')),
  });
  return JSON.stringify(event);
}

const malformed = (): GatewayFault =>
  malformedAnswer('Execution failed due to configuration error: Malformed Lambda proxy response');

const functionFailed = (error: string): GatewayFault =>
  malformedAnswer(`Lambda execution failed with status 200 due to customer function error: ${error}`);

/** Returns the headers of a function's response for the client. */
function answeredHeaders({ headers }: ProxyAnswer): Fields {
  const passed = passedHeaders(
    Fields.headers(headers.flatMap(([name, values]) => values.map((value) => [name, value] as const))),
  );
  if (!passed.has('content-type')) passed.set('Content-Type', 'application/json');
  return passed;
}

/**
 * Calls a function with proxy integration.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export async function callProxyFunction(call: Call, integration: DeepReadonly<Integration>): Promise<CallAnswer> {
  if (integration.responseTransferMode === 'STREAM') return callStreamingFunction(call, integration);
  const { payload, failed } = await invoke(call, integration, eventOf(call, integration), callFunction);
  recordAnswer(call, { payload, failed });
  if (failed) throw functionFailed(errorOf(payload));
  const answer = proxyAnswer(payload);
  if (!answer) throw malformed();
  call.notes.integration.status = answer.status;
  const passed = answeredHeaders(answer);
  // The first media type that the client accepts decides, independent of the response's type; without the header, all
  // types are accepted.
  const [accepted = ''] = (call.request.headers.get('accept') ?? '').split(',');
  const decode = answer.isBase64Encoded && call.isBinary(accepted.trim() || '*/*');
  return { status: answer.status, headers: passed, body: Buffer.from(answer.body, decode ? 'base64' : 'utf8') };
}

/**
 * Calls a function with streaming proxy integration: response metadata first, then the body.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
 */
async function callStreamingFunction(call: Call, integration: DeepReadonly<Integration>): Promise<CallAnswer> {
  const ending = new AbortController();
  const stream = await invoke(call, integration, eventOf(call, integration), async (caller, request) => {
    const signal = AbortSignal.any([ending.signal, request.signal!]);
    const chunks = (await streamFunction(caller, { ...request, signal }))[Symbol.asyncIterator]();
    try {
      return { ...(await headOf(chunks)), chunks };
    } catch (error) {
      if (error instanceof AwsError || request.signal!.aborted) throw error;
      throw functionFailed(error instanceof Error ? error.message : String(error));
    }
  });
  const { head, rest, chunks } = stream;
  const { cookies, ...described } = (jsonOf(head ?? '') ?? {}) as Record<string, unknown>;
  const answer = head && proxyAnswer(JSON.stringify({ statusCode: 200, ...described }));
  if (!answer || (cookies !== undefined && !Array.isArray(cookies))) {
    ending.abort();
    throw malformed();
  }
  Object.assign(call.notes.integration, { integrationStatus: 200, status: answer.status });
  const headers = answeredHeaders(answer);
  for (const cookie of cookies ?? []) headers.add('Set-Cookie', String(cookie));
  return { status: answer.status, headers, body: Buffer.alloc(0), stream: watched(call, chunks, ending, rest) };
}

const errorOf = (payload: string): string => {
  const { errorMessage } = (jsonOf(payload) as { errorMessage?: unknown } | undefined) ?? {};
  return typeof errorMessage === 'string' ? errorMessage : payload;
};

/**
 * Calls a function with mapped request and response.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-custom-integrations.html
 */
export async function callMappedFunction(call: Call, integration: DeepReadonly<Integration>): Promise<CallAnswer> {
  const event = Object.entries(integration.requestParameters ?? {}).some(
    ([target, source]) =>
      target.toLowerCase() === 'integration.request.header.x-amz-invocation-type' &&
      requestValues(call, source).at(-1) === 'Event',
  );
  checkTargets(integration);
  const body = (await requestBody(call, integration)).toString();
  const given = body === '' ? '{}' : body;
  const { payload, failed } = await invoke(call, integration, given, callFunction, { event, shown: body });
  recordAnswer(call, { payload, failed });
  return mapAnswer(call, integration, {
    headers: Fields.headers([['Content-Type', 'application/json']]),
    body: Buffer.from(payload),
    selector: failed ? errorOf(payload) : '',
  });
}
