import {
  callFunction,
  Fields,
  functionOfUri,
  InputVariable,
  renderTemplate,
  sendToEndpoint,
  UTIL,
  withStageVariables,
} from '@emu/apigateway-common';
import { withTimeout } from '../http/timeout.ts';
import type { IntegrationRecord, IntegrationResponseRecord } from '../records.ts';
import { executionArn } from '../resources.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { Apigatewayv2State } from '../state.ts';
import { functionEvent, type SocketEvent } from './events.ts';

/** What an integration made of an event. */
export interface SocketAnswer {
  readonly status: number;
  /** What the client is sent, where the route answers. */
  readonly body: string;
  /** Of a handshake's answer. */
  readonly headers: Readonly<Record<string, string>>;
}

const NO_PARAMETERS = { path: {}, querystring: {}, header: {} };
/** What stands for every template and status that has none of its own. */
const DEFAULT_KEY = '$default';

const variablesOf = (body: string, { context }: SocketEvent, stage: CompiledStage): Record<string, unknown> => ({
  input: new InputVariable(body, NO_PARAMETERS),
  context: structuredClone(context),
  stageVariables: { ...stage.variables },
  util: UTIL,
});

/** Key of the template that an integration selects. */
const templateKey = (expression: string | undefined): string => (expression ?? DEFAULT_KEY).replace(/^\\/, '');

/** What an integration is sent: the message as its template makes it, or as it is. @throws Error where it is neither */
function requestOf(integration: IntegrationRecord, event: SocketEvent, stage: CompiledStage): string {
  const { RequestTemplates = {}, TemplateSelectionExpression, PassthroughBehavior = 'WHEN_NO_MATCH' } = integration;
  const template = RequestTemplates[templateKey(TemplateSelectionExpression)];
  if (template !== undefined) return renderTemplate(template, variablesOf(event.body, event, stage));
  const passes =
    PassthroughBehavior === 'WHEN_NO_MATCH' ||
    (PassthroughBehavior === 'WHEN_NO_TEMPLATES' && Object.keys(RequestTemplates).length === 0);
  if (!passes) throw new Error('No template matches the message, and none is passed through');
  return event.body;
}

/** The answer as the response of the integration for its status makes it. */
function responseOf(
  responses: readonly IntegrationResponseRecord[],
  status: number,
  body: string,
  event: SocketEvent,
  stage: CompiledStage,
): SocketAnswer {
  const own = responses.find(({ IntegrationResponseKey: key }) => {
    const pattern = /^\/(.+)\/$/.exec(key)?.[1];
    return pattern !== undefined && new RegExp(`^(?:${pattern})$`).test(String(status));
  });
  const chosen = own ?? responses.find(({ IntegrationResponseKey: key }) => key === DEFAULT_KEY);
  const template = chosen?.ResponseTemplates?.[templateKey(chosen.TemplateSelectionExpression)];
  const made = template === undefined ? body : renderTemplate(template, variablesOf(body, event, stage));
  return { status, body: made, headers: {} };
}

/**
 * Has the integration of a route do what is to be done about an event.
 * @returns undefined where it failed
 * @throws LateAnswer, AwsError, TemplateError and others where it could not do it
 */
export function integrateEvent(
  state: Apigatewayv2State,
  stage: CompiledStage,
  integration: IntegrationRecord,
  event: SocketEvent,
  cause: string,
): Promise<SocketAnswer | undefined> {
  const nobody = new AbortController().signal;
  return withTimeout(state.clock, integration.TimeoutInMillis, nobody, async (signal) => {
    const responses = stage.configuration.integrationResponses[integration.IntegrationId] ?? [];
    switch (integration.IntegrationType) {
      case 'MOCK': {
        const request = requestOf(integration, event, stage);
        return responseOf(responses, mockStatus(request), request, event, stage);
      }
      case 'AWS_PROXY':
        return proxyAnswer(
          await invoke(state, stage, integration, event, cause, JSON.stringify(functionEvent(event)), signal),
        );
      case 'AWS': {
        const sent = requestOf(integration, event, stage);
        const answer = await invoke(state, stage, integration, event, cause, sent === '' ? '{}' : sent, signal);
        return answer === undefined ? undefined : responseOf(responses, 200, answer, event, stage);
      }
      default: {
        const proxies = integration.IntegrationType === 'HTTP_PROXY';
        const { status, body } = await forward(
          integration,
          stage,
          proxies ? event.body : requestOf(integration, event, stage),
          signal,
        );
        return proxies ? { status, body, headers: {} } : responseOf(responses, status, body, event, stage);
      }
    }
  });
}

/** The status that the template of a MOCK integration names. @throws Error where it names none */
function mockStatus(request: string): number {
  const document: unknown = JSON.parse(request);
  const status = Number((document as { statusCode?: unknown } | null)?.statusCode);
  if (!Number.isInteger(status)) throw new Error('The template of a MOCK integration names no statusCode');
  return status;
}

async function invoke(
  state: Apigatewayv2State,
  stage: CompiledStage,
  { IntegrationUri = '', CredentialsArn }: IntegrationRecord,
  { routeKey }: SocketEvent,
  cause: string,
  payload: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const uri = withStageVariables(IntegrationUri, stage.variables);
  const answer = await callFunction(state.scope, {
    functionArn: functionOfUri(uri) ?? uri,
    accountId: state.accountId,
    sourceArn: executionArn(`${stage.api.ApiId}/${stage.name}/${routeKey}`, state),
    role: CredentialsArn,
    payload,
    cause,
    signal,
  });
  return answer.failed ? undefined : answer.payload;
}

/** A function's result as an answer: an object with a status, or nothing where a route does not answer. */
function proxyAnswer(payload: string | undefined): SocketAnswer | undefined {
  if (payload === undefined) return undefined;
  let result: unknown;
  try {
    result = JSON.parse(payload);
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
    body: body === undefined || body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body),
    headers: Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), String(value)])),
  };
}

async function forward(
  { IntegrationUri = '', IntegrationMethod = 'POST', TimeoutInMillis }: IntegrationRecord,
  stage: CompiledStage,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const answer = await sendToEndpoint({
    url: new URL(withStageVariables(IntegrationUri, stage.variables)),
    method: IntegrationMethod === 'ANY' ? 'POST' : IntegrationMethod,
    headers: Fields.headers([['content-type', 'application/json']]),
    body: Buffer.from(body),
    timeout: TimeoutInMillis,
    signal,
  });
  return { status: answer.status, body: answer.body.toString() };
}
