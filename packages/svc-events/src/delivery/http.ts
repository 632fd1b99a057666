import { type DeepReadonly, parseArn } from '@emu/core/service';
import type { HttpParameters, Target } from '@emu/service-types/events';
import { AwsError, isObject, textOf } from '@emu/wire';
import { authorizationOf } from '../connections/authorization-header.ts';
import { type OutgoingRequest, type OutgoingResponse, sendRequest } from '../connections/outgoing.ts';
import { eventsError } from '../errors.ts';
import { type BusEvent, eventJson } from '../event.ts';
import { connectionOf } from '../lookup.ts';
import type { ConnectionAuth, InvocationParameters } from '../records.ts';
import { apiDestinationType } from '../resources.ts';
import { JSON_PATHS } from '../rules/json-path.ts';
import type { EventsState } from '../state.ts';
import { type Attempt, DELIVERED } from './outcome.ts';

/** HTTP statuses that AWS retries. */
const RETRIED = new Set([401, 407, 409, 429]);

/**
 * Default headers of requests to API destinations, which parameters may override.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-api-destinations.html
 */
const HEADERS = {
  'accept-encoding': 'gzip,deflate',
  connection: 'close',
  'content-type': 'application/json; charset=utf-8',
};
/** Headers that parameters must not override. */
const FIXED_HEADERS = { range: 'bytes=0-1048575', 'user-agent': 'Amazon/EventBridge/ApiDestinations' };

/** Returns a rule's HTTP parameters for an event, with JSON paths replaced by values of the event. */
function resolve(given: DeepReadonly<HttpParameters> | undefined, event: BusEvent): DeepReadonly<HttpParameters> {
  const whole = JSON.parse(eventJson(event)) as unknown;
  const fill = (text: string): string => {
    const value = text.startsWith('$.') && JSON_PATHS.parse(text) ? JSON_PATHS.valueAt(whole, text) : text;
    return value === undefined ? '' : textOf(value);
  };
  const fillAll = (values: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
  return {
    PathParameterValues: (given?.PathParameterValues ?? []).map(fill),
    HeaderParameters: fillAll(given?.HeaderParameters),
    QueryStringParameters: fillAll(given?.QueryStringParameters),
  };
}

/** Replaces the asterisks of a path by values, in order. */
function fillPath(endpoint: string, values: readonly string[] = []): string {
  let next = 0;
  return endpoint.replaceAll('*', () => encodeURIComponent(values[next++] ?? '*'));
}

/** Adds the rule's parameters and then those of the connection, which take precedence. */
function addParameters(
  request: OutgoingRequest & { body: string },
  rule: DeepReadonly<HttpParameters> | undefined,
  connection: DeepReadonly<InvocationParameters> | undefined,
): void {
  for (const [key, value] of Object.entries(rule?.HeaderParameters ?? {})) request.headers[key.toLowerCase()] = value;
  for (const [key, value] of Object.entries(rule?.QueryStringParameters ?? {}))
    request.url.searchParams.set(key, value);
  for (const { key, value } of connection?.header ?? []) request.headers[key.toLowerCase()] = value;
  for (const { key, value } of connection?.query ?? []) request.url.searchParams.set(key, value);
  if (!connection?.body?.length) return;
  const body: unknown = JSON.parse(request.body);
  if (!isObject(body)) return;
  request.body = JSON.stringify({
    ...body,
    ...Object.fromEntries(connection.body.map(({ key, value }) => [key, value])),
  });
}

/** Classifies a response. */
function classifyResponse({ status, retryAfter }: OutgoingResponse): Attempt {
  if (status >= 200 && status <= 299) return DELIVERED;
  const wait = Number(retryAfter);
  return {
    delivered: false,
    code: status === 429 ? 'THROTTLING' : 'SDK_CLIENT_ERROR',
    message: `The target answered with the status ${status}.`,
    retry: RETRIED.has(status) || status >= 500,
    ...(wait > 0 && { retryAfter: wait * 1000 }),
  };
}

/** Reason why a request is not sent. */
type FailedAttempt = Extract<Attempt, { delivered: false }>;

/** Outcome of a request. */
export type HttpOutcome = { answer: OutgoingResponse } | { failure: FailedAttempt };

/** Parameters of a request besides its URL. */
export interface HttpCall {
  readonly arn: string;
  /** Parameters with their JSON paths resolved. */
  readonly parameters: DeepReadonly<HttpParameters>;
  readonly body: string;
  /** Maximum bytes of the response body; 0 skips the body. */
  readonly mostBytes?: number;
}

/**
 * Calls an API destination.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-api-destinations.html
 */
export async function callApiDestination(
  state: EventsState,
  target: DeepReadonly<Target>,
  event: BusEvent,
  input: string,
): Promise<Attempt> {
  const parameters = resolve(target.HttpParameters, event);
  return attemptOf(await sendToApiDestination(state, { arn: target.Arn, parameters, body: input }));
}

const attemptOf = (outcome: HttpOutcome): Attempt =>
  'failure' in outcome ? outcome.failure : classifyResponse(outcome.answer);

/**
 * Sends a request to an API destination through its connection.
 * @throws AwsError for an unknown destination or an unauthorized connection
 */
export async function sendToApiDestination(state: EventsState, call: HttpCall): Promise<HttpOutcome> {
  const { arn, parameters, body, mostBytes } = call;
  const key = apiDestinationType.parse(arn)?.key;
  const destination = key && state.apiDestinations.get(key.name);
  if (!destination || destination.id !== key.id)
    throw eventsError('ResourceNotFoundException', `The API destination ${arn} does not exist.`);
  const connection = connectionOf(destination.connectionArn, state);
  if (connection?.auth === undefined)
    throw eventsError('AccessDeniedException', `The connection ${destination.connectionArn} is not authorized.`);
  if (!(await state.rateLimits.admit(destination.name, destination.rateLimit)))
    return {
      failure: { delivered: false, code: 'THROTTLING', message: 'The rate limit is exceeded.', retry: true },
    };
  const request = {
    url: new URL(fillPath(destination.endpoint, parameters.PathParameterValues)),
    method: destination.method,
    headers: { ...HEADERS },
    body,
  };
  addParameters(request, parameters, connection.http);
  return sendAuthorized(state, { id: connection.id, auth: connection.auth }, request, FIXED_HEADERS, mostBytes);
}

/** Sends a request with the connection's authentication header. @param fixed headers that cannot be overridden */
async function sendAuthorized(
  state: EventsState,
  { id, auth }: Readonly<{ id: string; auth: DeepReadonly<ConnectionAuth> }>,
  request: OutgoingRequest,
  fixed: Readonly<Record<string, string>>,
  mostBytes?: number,
  timeout?: number,
): Promise<HttpOutcome> {
  const { header, value, token } = await authorizationOf(state, { id, auth });
  Object.assign(request.headers, { [header]: value }, fixed);
  const outcome = await attemptRequest(state, request, mostBytes, timeout);
  // Fetch a new token for the next attempt after a rejected one.
  if (token !== undefined && 'answer' in outcome && (outcome.answer.status === 401 || outcome.answer.status === 407))
    await state.tokens.refused(id, token);
  return outcome;
}

/** Request of an HTTP task, with a URL of its own. */
export interface ConnectionCall {
  readonly connectionArn: string;
  readonly url: string;
  readonly method: string;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** JSON text; undefined without a body. */
  readonly body: string | undefined;
  /** Builds the request body from the JSON text and the connection's parameters. */
  readonly encode: (body: string) => string;
  /** Headers that cannot be overridden. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly mostBytes: number;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Sends a request through a connection, whose parameters take precedence.
 * @returns the outcome, and the request including the parts from the connection
 * @throws AwsError for an unknown or unauthorized connection
 */
export async function sendByConnection(
  state: EventsState,
  call: ConnectionCall,
): Promise<{ outcome: HttpOutcome; sent: OutgoingRequest }> {
  const { connectionArn, url, method, headers, query, body, encode, fixed, mostBytes, timeout } = call;
  const connection = connectionOf(connectionArn, state);
  if (!connection) throw eventsError('ResourceNotFoundException', `Connection ${connectionArn} does not exist.`);
  const { id, auth, http } = connection;
  if (auth === undefined)
    throw eventsError('AccessDeniedException', `The connection ${connectionArn} is not authorized.`);
  const request = { url: new URL(url), method, headers: { ...headers }, body: body ?? '{}' };
  addParameters(request, { HeaderParameters: headers, QueryStringParameters: query }, http);
  const { body: whole, ...rest } = request;
  const sends = body !== undefined || (http?.body?.length ?? 0) > 0;
  const sent: OutgoingRequest = sends ? { ...rest, body: encode(whole) } : rest;
  return { outcome: await sendAuthorized(state, { id, auth }, sent, fixed, mostBytes, timeout), sent };
}

async function attemptRequest(
  { service: { names } }: EventsState,
  request: OutgoingRequest,
  mostBytes = 0,
  timeout?: number,
): Promise<HttpOutcome> {
  try {
    return { answer: await sendRequest(names, request, mostBytes, timeout) };
  } catch (error) {
    return { failure: refused(error instanceof Error ? error : new Error(String(error))) };
  }
}

/** Returns the outcome for a target that cannot be reached or responds too late; it is retried. */
const refused = (error: Error): FailedAttempt => ({
  delivered: false,
  code: 'SDK_CLIENT_ERROR',
  message: error.message,
  retry: true,
});

/** Calls a REST API of API Gateway in the emulator. */
export async function callApiGateway(
  state: EventsState,
  target: DeepReadonly<Target>,
  event: BusEvent,
  input: string,
): Promise<Attempt> {
  const parameters = resolve(target.HttpParameters, event);
  return attemptOf(await sendToApiGateway(state, { arn: target.Arn, parameters, body: input }));
}

/** Sends a request to a method of a REST API. @throws AwsError for an invalid ARN */
export async function sendToApiGateway(state: EventsState, call: HttpCall): Promise<HttpOutcome> {
  const { arn, parameters, body, mostBytes } = call;
  const { region, resource } = parseArn(arn)!;
  const [api, stage, method, ...path] = resource.split('/');
  if (api === undefined || stage === undefined || method === undefined)
    throw new AwsError('ValidationException', `The ARN ${arn} names no method.`);
  const filled = fillPath(path.join('/'), parameters.PathParameterValues);
  const request = {
    url: new URL(`${await state.service.selfUrl()}/${stage === '$default' ? '' : `${stage}/`}${filled}`),
    method: method === '*' ? 'POST' : method,
    // An API of another region has another host.
    headers: { 'content-type': 'application/json', host: `${api}.execute-api.${region}.amazonaws.com` },
    body,
  };
  addParameters(request, parameters, undefined);
  return attemptRequest(state, request, mostBytes);
}
