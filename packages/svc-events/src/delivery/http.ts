import { type DeepReadonly, parseArn } from '@emu/core';
import type { HttpParameters, Target } from '@emu/service-types/events';
import { AwsError, awsError } from '@emu/wire';
import { authorizationOf } from '../authorization-header.ts';
import { type BusEvent, eventJson } from '../event.ts';
import { parsePath, valueAt } from '../json-path.ts';
import { connectionOf } from '../lookup.ts';
import { type OutgoingAnswer, type OutgoingRequest, sendOut } from '../outgoing.ts';
import type { ConnectionAuth, InvocationParameters } from '../records.ts';
import { apiDestinationType } from '../resources.ts';
import type { EventsState } from '../state.ts';
import { type Attempt, DELIVERED } from './outcome.ts';

/** Statuses after which AWS tries again. */
const RETRIED = new Set([401, 407, 409, 429]);

/**
 * Headers of every request to an API destination that parameters may change.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-api-destinations.html
 */
const HEADERS = {
  'accept-encoding': 'gzip,deflate',
  connection: 'close',
  'content-type': 'application/json; charset=utf-8',
};
/** Those that they may not. */
const FIXED_HEADERS = { range: 'bytes=0-1048575', 'user-agent': 'Amazon/EventBridge/ApiDestinations' };

/** A rule's parameters for an event: what is written as a JSON path is what the event has there. */
function resolve(given: DeepReadonly<HttpParameters> | undefined, event: BusEvent): DeepReadonly<HttpParameters> {
  const whole = JSON.parse(eventJson(event)) as unknown;
  const fill = (text: string): string => {
    const value = text.startsWith('$.') && parsePath(text) ? valueAt(whole, text) : text;
    return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  };
  const fillAll = (values: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
  return {
    PathParameterValues: (given?.PathParameterValues ?? []).map(fill),
    HeaderParameters: fillAll(given?.HeaderParameters),
    QueryStringParameters: fillAll(given?.QueryStringParameters),
  };
}

/** Puts values in the place of the asterisks of a path, in order. */
function fillPath(endpoint: string, values: readonly string[] = []): string {
  let next = 0;
  return endpoint.replaceAll('*', () => encodeURIComponent(values[next++] ?? '*'));
}

/** Adds a rule's parameters, then those of the connection, which win. */
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
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  request.body = JSON.stringify({
    ...body,
    ...Object.fromEntries(connection.body.map(({ key, value }) => [key, value])),
  });
}

/** What an answer means. */
function judge({ status, retryAfter }: OutgoingAnswer): Attempt {
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

/** A request that is not sent: why. */
type Unsent = Extract<Attempt, { delivered: false }>;

/** What came of a request. */
export type HttpOutcome = { answer: OutgoingAnswer } | { failure: Unsent };

/** What is sent besides the address, as an integration says it. */
export interface HttpCall {
  readonly arn: string;
  /** With their paths resolved. */
  readonly parameters: DeepReadonly<HttpParameters>;
  readonly body: string;
  /** Bytes of the answer's body that are read; 0 where it does not matter. */
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

const attemptOf = (outcome: HttpOutcome): Attempt => ('failure' in outcome ? outcome.failure : judge(outcome.answer));

/**
 * Sends a request to an API destination by its connection.
 * @throws AwsError where there is no such destination, or its connection is not authorized
 */
export async function sendToApiDestination(state: EventsState, call: HttpCall): Promise<HttpOutcome> {
  const { arn, parameters, body, mostBytes } = call;
  const key = apiDestinationType.parse(arn)?.key;
  const destination = key && state.apiDestinations.get(key.name);
  if (!destination || destination.id !== key.id)
    throw awsError('ResourceNotFoundException', `The API destination ${arn} does not exist.`);
  const connection = connectionOf(destination.connectionArn, state);
  if (connection?.auth === undefined)
    throw awsError('AccessDeniedException', `The connection ${destination.connectionArn} is not authorized.`);
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

/** Sends a request with what proves who a connection is. @param fixed headers that nothing replaces */
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
  const outcome = await attemptRequest(request, mostBytes, timeout);
  // A token that is refused is fetched anew for the next attempt.
  if (token !== undefined && 'answer' in outcome && (outcome.answer.status === 401 || outcome.answer.status === 407))
    await state.tokens.refused(id, token);
  return outcome;
}

/** A request of an HTTP task, which names its own address. */
export interface ConnectionCall {
  readonly connectionArn: string;
  readonly url: string;
  readonly method: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** JSON text; undefined where nothing is sent. */
  readonly body: string | undefined;
  /** Makes the body that is sent of the JSON text with the connection's parameters. */
  readonly encode: (body: string) => string;
  /** Headers that nothing replaces. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly mostBytes: number;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Sends a request by a connection, whose parameters win.
 * @returns what came of it, and the request with what the connection has added
 * @throws AwsError where there is no such connection, or it is not authorized
 */
export async function sendByConnection(
  state: EventsState,
  call: ConnectionCall,
): Promise<{ outcome: HttpOutcome; sent: OutgoingRequest }> {
  const { connectionArn, url, method, headers, query, body, encode, fixed, mostBytes, timeout } = call;
  const connection = connectionOf(connectionArn, state);
  if (!connection) throw awsError('ResourceNotFoundException', `Connection ${connectionArn} does not exist.`);
  const { id, auth, http } = connection;
  if (auth === undefined) throw awsError('AccessDeniedException', `The connection ${connectionArn} is not authorized.`);
  const request = { url: new URL(url), method, headers: { ...headers }, body: body ?? '{}' };
  addParameters(request, { HeaderParameters: headers, QueryStringParameters: query }, http);
  const { body: whole, ...rest } = request;
  const sends = body !== undefined || (http?.body?.length ?? 0) > 0;
  const sent: OutgoingRequest = sends ? { ...rest, body: encode(whole) } : rest;
  return { outcome: await sendAuthorized(state, { id, auth }, sent, fixed, mostBytes, timeout), sent };
}

async function attemptRequest(request: OutgoingRequest, mostBytes = 0, timeout?: number): Promise<HttpOutcome> {
  try {
    return { answer: await sendOut(request, mostBytes, timeout) };
  } catch (error) {
    return { failure: refused(error instanceof Error ? error : new Error(String(error))) };
  }
}

/** A target that cannot be reached, or takes too long, is tried again. */
const refused = (error: Error): Unsent => ({
  delivered: false,
  code: 'SDK_CLIENT_ERROR',
  message: error.message,
  retry: true,
});

/** Calls a REST API of API Gateway through the emulator. */
export async function callApiGateway(
  state: EventsState,
  target: DeepReadonly<Target>,
  event: BusEvent,
  input: string,
): Promise<Attempt> {
  const parameters = resolve(target.HttpParameters, event);
  return attemptOf(await sendToApiGateway(state, { arn: target.Arn, parameters, body: input }));
}

/** Sends a request to a method of a REST API. @throws AwsError for an ARN that names none */
export async function sendToApiGateway(state: EventsState, call: HttpCall): Promise<HttpOutcome> {
  const { arn, parameters, body, mostBytes } = call;
  const { resource } = parseArn(arn)!;
  const [api, stage, method, ...path] = resource.split('/');
  if (api === undefined || stage === undefined || method === undefined)
    throw new AwsError('ValidationException', `The ARN ${arn} names no method.`);
  const filled = fillPath(path.join('/'), parameters.PathParameterValues);
  const request = {
    url: new URL(`${await state.service.selfUrl()}/_aws/execute-api/${api}/${stage}/${filled}`),
    method: method === '*' ? 'POST' : method,
    headers: { 'content-type': 'application/json' },
    body,
  };
  addParameters(request, parameters, undefined);
  return attemptRequest(request, mostBytes);
}
