import {
  callFunction,
  type EndpointRequest,
  Fields,
  type FunctionAnswer,
  functionOfUri,
  gatewayPrincipal,
  InputVariable,
  renderTemplate,
  sendToEndpoint,
  UTIL,
  withStageVariables,
} from '@emu/apigateway-common';
import { WholeRegex } from '@emu/core/regex';
import { restApis } from '@emu/core/service';
import { AwsError, optionalText, parseJson } from '@emu/wire';
import { withTimeout } from '../http/timeout.ts';
import type { IntegrationRecord, IntegrationResponseRecord } from '../records.ts';
import { executionArn } from '../resources.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import { functionOf } from '../runtime/function-uri.ts';
import type { Apigatewayv2State } from '../state.ts';
import { functionEvent, type SocketEvent } from './events.ts';
import type { SocketExecution } from './execution.ts';
import { applyRequestParameters, responseHeaders } from './parameters.ts';
import { DEFAULT_KEY, keyOfMessage, selectedKey, valuesOfMessage } from './selection.ts';

/** Result of an integration. */
export interface SocketAnswer {
  readonly status: number;
  /** Message to the client, if the route has a response. */
  readonly body: string;
  /** Headers of the handshake response. */
  readonly headers: Readonly<Record<string, string>>;
}

const NO_PARAMETERS = { path: {}, querystring: {}, header: {} };

const variablesOf = (body: string, { context }: SocketEvent, stage: CompiledStage): Record<string, unknown> => ({
  input: new InputVariable(body, NO_PARAMETERS),
  context: structuredClone(context),
  stageVariables: { ...stage.variables },
  util: UTIL,
});

/** Returns the template of a key, or the default template. */
const templateOf = (
  templates: Readonly<Record<string, string>> | undefined,
  key: string | undefined,
): string | undefined => (key === undefined ? undefined : templates?.[key]) ?? templates?.[DEFAULT_KEY];

/**
 * Returns the integration request: the message transformed by its template, or unchanged.
 * @throws Error if neither applies
 */
async function requestOf(integration: IntegrationRecord, event: SocketEvent, stage: CompiledStage): Promise<Buffer> {
  const text = await requestText(integration, event, stage);
  return Buffer.from(text, integration.ContentHandlingStrategy === 'CONVERT_TO_BINARY' ? 'base64' : 'utf8');
}

async function requestText(integration: IntegrationRecord, event: SocketEvent, stage: CompiledStage): Promise<string> {
  const { RequestTemplates = {}, TemplateSelectionExpression, PassthroughBehavior = 'WHEN_NO_MATCH' } = integration;
  const key = keyOfMessage(TemplateSelectionExpression ?? DEFAULT_KEY, event.body);
  const template = templateOf(RequestTemplates, key);
  if (template !== undefined) return renderTemplate(template, variablesOf(event.body, event, stage));
  const passes =
    PassthroughBehavior === 'WHEN_NO_MATCH' ||
    (PassthroughBehavior === 'WHEN_NO_TEMPLATES' && Object.keys(RequestTemplates).length === 0);
  if (!passes) throw new Error('No template matches the message, and passthrough is disabled');
  return event.body;
}

/** Result of an endpoint, before response mapping. */
interface EndpointResult {
  readonly status: number;
  readonly headers: Fields;
  readonly body: Buffer;
}

/** Returns the integration response whose pattern matches a status or a function's error message. */
const responseFor = (
  responses: readonly IntegrationResponseRecord[],
  text: string,
): IntegrationResponseRecord | undefined =>
  responses.find(({ IntegrationResponseKey: key }) => {
    const pattern = /^\/(.+)\/$/.exec(key)?.[1];
    return pattern !== undefined && new WholeRegex(pattern, { dotAll: true }).test(text);
  });

/**
 * Maps a result with the integration response for its status.
 * @param own the response, if known
 */
async function responseOf(
  responses: readonly IntegrationResponseRecord[],
  { status, headers, body }: EndpointResult,
  event: SocketEvent,
  stage: CompiledStage,
  own = responseFor(responses, String(status)),
): Promise<SocketAnswer> {
  const chosen = own ?? responses.find(({ IntegrationResponseKey: key }) => key === DEFAULT_KEY);
  const ofMessage = valuesOfMessage(event.body);
  const key = selectedKey(chosen?.TemplateSelectionExpression ?? DEFAULT_KEY, (name) => {
    if (name === 'integration.response.statuscode') return String(status);
    const [, many, header] = /^integration\.response\.(multivalue)?header\.(.+)$/.exec(name) ?? [];
    if (header === undefined) return ofMessage(name);
    return many === undefined ? headers.get(header) : headers.all(header).join(',') || undefined;
  });
  const template = templateOf(chosen?.ResponseTemplates, key);
  const text = body.toString(chosen?.ContentHandlingStrategy === 'CONVERT_TO_TEXT' ? 'base64' : 'utf8');
  const made = template === undefined ? text : await renderTemplate(template, variablesOf(text, event, stage));
  const mapped = responseHeaders(chosen?.ResponseParameters, { headers, body: text, context: event.context, stage });
  return { status, body: made, headers: mapped };
}

/** Context of a running integration. */
interface Running {
  readonly state: Apigatewayv2State;
  readonly stage: CompiledStage;
  readonly integration: IntegrationRecord;
  readonly execution: SocketExecution;
  readonly cause: string;
  readonly signal: AbortSignal;
}

/**
 * Calls the integration of a route with an event.
 * @param execution of the event, which records the outcome
 * @returns undefined if it failed
 * @throws LateAnswer, AwsError, TemplateError and others if it could not be called
 */
export async function integrateEvent(
  state: Apigatewayv2State,
  stage: CompiledStage,
  integration: IntegrationRecord,
  execution: SocketExecution,
  cause: string,
): Promise<SocketAnswer | undefined> {
  const neverAborted = new AbortController().signal;
  const { clock } = state;
  const began = clock.now();
  try {
    const answer = await withTimeout(clock, integration.TimeoutInMillis, neverAborted, (signal) =>
      answerOf({ state, stage, integration, execution, cause, signal }),
    );
    if (answer) execution.integration.status = answer.status;
    return answer;
  } catch (error) {
    execution.integration.error = error instanceof Error ? error.message : String(error);
    throw error;
  } finally {
    execution.integration.latency = clock.now() - began;
  }
}

async function answerOf(running: Running): Promise<SocketAnswer | undefined> {
  const { stage, integration, execution } = running;
  const { event } = execution;
  const responses = stage.configuration.integrationResponses[integration.IntegrationId] ?? [];
  switch (integration.IntegrationType) {
    case 'MOCK': {
      const request = await requestText(integration, event, stage);
      const result = { status: mockStatus(request), headers: Fields.headers(), body: Buffer.from(request) };
      return responseOf(responses, result, event, stage);
    }
    case 'AWS_PROXY': {
      const answer = await invoke(running, JSON.stringify(functionEvent(event)));
      return answer.failed ? undefined : proxyAnswer(answer.payload);
    }
    case 'AWS': {
      const sent = await requestOf(integration, event, stage);
      if (functionOf(withStageVariables(integration.IntegrationUri ?? '', stage.variables)) === undefined)
        return responseOf(responses, await callService(running, sent), event, stage);
      const answer = await invoke(running, sent.length === 0 ? '{}' : sent.toString());
      const result = { status: 200, headers: Fields.headers(), body: Buffer.from(answer.payload) };
      if (!answer.failed) return responseOf(responses, result, event, stage);
      const own = responseFor(responses, errorMessageOf(answer.payload));
      return own && responseOf(responses, result, event, stage, own);
    }
    case 'HTTP_PROXY': {
      const { status, body } = await forward(running, Buffer.from(event.body));
      return { status, body: body.toString(), headers: {} };
    }
    default:
      return responseOf(responses, await forward(running, await requestOf(integration, event, stage)), event, stage);
  }
}

/**
 * Returns the status in a MOCK integration's template.
 * @throws Error if it has none
 */
function mockStatus(request: string): number {
  const document: unknown = parseJson(request);
  const status = Number((document as { statusCode?: unknown } | null)?.statusCode);
  if (!Number.isInteger(status)) throw new Error('The template of a MOCK integration names no statusCode');
  return status;
}

/** Returns the message of a function's error; empty if it has none. */
function errorMessageOf(payload: string): string {
  try {
    const { errorMessage } = parseJson(payload) as { errorMessage?: unknown };
    return typeof errorMessage === 'string' ? errorMessage : '';
  } catch {
    return '';
  }
}

/** Invokes a function and records a failure. */
async function invoke(
  { state, stage, integration, execution, cause, signal }: Running,
  payload: string,
): Promise<FunctionAnswer> {
  const { IntegrationUri = '', CredentialsArn } = integration;
  const uri = withStageVariables(IntegrationUri, stage.variables);
  const { log, event } = execution;
  log.request(uri, Fields.headers([['Content-Type', 'application/json']]), payload);
  const began = state.clock.now();
  const requestId = state.ids.uuid();
  execution.integration.requestId = requestId;
  const answer = await callFunction(state.scope, {
    functionArn: functionOfUri(uri) ?? uri,
    accountId: state.accountId,
    sourceArn: executionArn(`${stage.api.ApiId}/${stage.name}/${event.routeKey}`, state),
    role: CredentialsArn,
    payload,
    cause,
    requestId,
    signal,
  });
  execution.integration.integrationStatus = 200;
  log.response(200, state.clock.now() - began, Fields.headers(), answer.payload);
  if (answer.failed)
    execution.integration.error = `Lambda execution failed with status 200 due to customer function error: ${answer.payload}`;
  return answer;
}

/** Converts a function's result to a response: an object with a status, or undefined. */
function proxyAnswer(payload: string): SocketAnswer | undefined {
  let result: unknown;
  try {
    result = parseJson(payload);
  } catch {
    return undefined;
  }
  if (typeof result !== 'object' || result === null) return { status: 200, body: '', headers: {} };
  const { statusCode = 200, body, headers } = result as Record<string, unknown>;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  const named = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  return {
    status,
    body: optionalText(body) ?? '',
    headers: Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), String(value)])),
  };
}

/** Returns the mapped headers and parameters of an endpoint request. */
function parametersOf({ integration, execution, stage }: Running): {
  headers: Fields;
  query: Fields;
  path: Record<string, string>;
} {
  const headers = Fields.headers([['content-type', 'application/json']]);
  const mapped = { headers, query: new Fields(false), path: {} };
  applyRequestParameters(integration.RequestParameters, execution.event, stage, mapped);
  return mapped;
}

/** Sends a request and records its outcome. */
async function send(
  { state, execution }: Running,
  shown: string,
  parts: Omit<EndpointRequest, 'names'>,
): Promise<EndpointResult> {
  const { log, integration } = execution;
  const request: EndpointRequest = { names: state.service.names, ...parts };
  log.request(shown, request.headers, request.body);
  const began = state.clock.now();
  const answer = await sendToEndpoint(request);
  const requestId = answer.headers.get('x-amzn-requestid') ?? answer.headers.get('x-amz-request-id');
  Object.assign(integration, { integrationStatus: answer.status, requestId });
  log.response(answer.status, state.clock.now() - began, answer.headers, answer.body);
  return answer;
}

/**
 * Forwards a message to an endpoint.
 * @throws Error if it is unreachable
 */
async function forward(running: Running, body: Buffer): Promise<EndpointResult> {
  const { integration, stage, state, signal } = running;
  const { IntegrationUri = '', IntegrationMethod = 'POST', TimeoutInMillis, ConnectionType } = integration;
  if (ConnectionType === 'VPC_LINK') await checkLink(running);
  const { headers, query, path } = parametersOf(running);
  const filled = withStageVariables(IntegrationUri, stage.variables).replace(/\{([\w.-]+)\}/g, (whole, name: string) =>
    Object.hasOwn(path, name) ? encodeURIComponent(path[name]!) : whole,
  );
  const url = new URL(filled);
  for (const [name, values] of query.entries()) for (const value of values) url.searchParams.append(name, value);
  const { ClientCertificateId: id } = stage.stage;
  const certificates = id === undefined ? undefined : await state.service.capability(restApis);
  return send(running, url.href, {
    url,
    method: IntegrationMethod === 'ANY' ? 'POST' : IntegrationMethod,
    headers,
    body,
    timeout: TimeoutInMillis,
    signal,
    certificate: id === undefined ? undefined : certificates?.clientCertificate(state, id),
  });
}

/**
 * Checks that the VPC link of a private integration exists. emu has no VPCs: the request goes to the host of its URI.
 * @throws Error
 */
async function checkLink({ state, stage, integration, cause }: Running): Promise<void> {
  const { accountId } = state;
  const vpcLinkId = withStageVariables(integration.ConnectionId ?? '', stage.variables);
  try {
    const principal = gatewayPrincipal(accountId);
    await state.scope.call('apigateway', 'GetVpcLink', { vpcLinkId }, { accountId, principal, cause });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new Error('VPC Link is not available', { cause: error });
  }
}

/**
 * Calls a service operation with the integration's role.
 * @throws Error if it cannot be called
 */
async function callService(running: Running, body: Buffer): Promise<EndpointResult> {
  const { integration, stage, state, signal } = running;
  const { IntegrationUri = '', IntegrationMethod = 'POST', CredentialsArn, TimeoutInMillis } = integration;
  // Loaded on demand, since few integrations sign requests.
  const { serviceRequest } = await import('@emu/apigateway-common/service-request');
  const signed = await serviceRequest(state.scope, {
    uri: withStageVariables(IntegrationUri, stage.variables),
    role: CredentialsArn!,
    method: IntegrationMethod === 'ANY' ? 'POST' : IntegrationMethod,
    ...parametersOf(running),
    body,
  });
  if (!signed) throw new Error('Invalid endpoint address');
  return send(running, signed.shown, { ...signed, timeout: TimeoutInMillis, signal });
}
