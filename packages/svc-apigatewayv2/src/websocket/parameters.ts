import { contextValue, type Fields, findByPath } from '@emu/apigateway-common';
import type { DeepReadonly } from '@emu/core/service';
import { optionalText, parseJson } from '@emu/wire';
import type { RouteRecord } from '../records.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { SocketEvent } from './events.ts';

/**
 * Valid sources and targets of mappings.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-data-transformations.html
 */
export const ROUTE_PARAMETER = /^route\.request\.(?:header|querystring)\.[^\s]+$/;
export const INTEGRATION_TARGET = /^integration\.request\.(?:header|querystring|path)\.[^\s]+$/;
export const INTEGRATION_SOURCE =
  /^(?:route\.request\.(?:multivalue)?(?:header|querystring)\.[^\s]+|route\.request\.body(?:\.[^\s]+)?|context\.[\w.-]+|stageVariables\.\w+|'.*')$/s;
export const RESPONSE_TARGET = /^(?:method|route)\.response\.header\.[\w!#$%&'*+.^`|~-]+$/;
export const RESPONSE_SOURCE =
  /^(?:integration\.response\.header\.[^\s]+|integration\.response\.body(?:\.[^\s]+)?|context\.[\w.-]+|stageVariables\.\w+|'.*')$/s;

/** Returns a part of a JSON body. */
function ofBody(body: string, path: string | undefined): string | undefined {
  if (path === undefined) return body;
  try {
    return optionalText(findByPath(parseJson(body), `$.${path}`));
  } catch {
    return undefined;
  }
}

/** Evaluates an expression available for requests and responses. */
function sharedValue(
  source: string,
  context: Readonly<Record<string, unknown>>,
  { variables }: CompiledStage,
): string | undefined {
  if (source.startsWith("'")) return source.slice(1, -1);
  const at = source.indexOf('.');
  const [root, name] = [source.slice(0, at), source.slice(at + 1)];
  return root === 'context' ? optionalText(contextValue(context, name)) : variables[name];
}

/** Evaluates an expression about the client's request: none or one value, or all values of a multi-value expression. */
function requestValues(
  source: string,
  { members, body, context }: SocketEvent,
  stage: CompiledStage,
): readonly string[] {
  const [, many, place, name] =
    /^route\.request\.(multivalue)?(header|querystring|body)(?:\.(.+))?$/s.exec(source) ?? [];
  if (place === undefined || place === 'body') {
    const value = place === undefined ? sharedValue(source, context, stage) : ofBody(body, name);
    return value === undefined ? [] : [value];
  }
  const given = (place === 'header' ? members.multiValueHeaders : members.multiValueQueryStringParameters) as
    | Readonly<Record<string, readonly string[]>>
    | undefined;
  const key = (one: string): string => (place === 'header' ? one.toLowerCase() : one);
  const [, values = []] = Object.entries(given ?? {}).find(([one]) => key(one) === key(name!)) ?? [];
  return many === undefined ? values.slice(-1) : values;
}

/** Applies an integration's request parameter mappings. */
export function applyRequestParameters(
  mappings: Readonly<Record<string, string>> | undefined,
  event: SocketEvent,
  stage: CompiledStage,
  { headers, query, path }: { headers: Fields; query: Fields; path: Record<string, string> },
): void {
  for (const [target, source] of Object.entries(mappings ?? {})) {
    const [, , place, ...rest] = target.split('.');
    const name = rest.join('.');
    const values = requestValues(source, event, stage);
    if (values.length === 0) continue;
    if (place === 'path') path[name] = values.join(',');
    else if (place === 'header') headers.set(name, values.join(','));
    else query.set(name, ...values);
  }
}

/** Returns the headers mapped by an integration response, with lower-case names. */
export function responseHeaders(
  mappings: Readonly<Record<string, string>> | undefined,
  result: { headers: Fields; body: string; context: Readonly<Record<string, unknown>>; stage: CompiledStage },
): Record<string, string> {
  const mapped: Record<string, string> = {};
  for (const [target, source] of Object.entries(mappings ?? {})) {
    const [, place, name] = /^integration\.response\.(header|body)(?:\.(.+))?$/s.exec(source) ?? [];
    const value =
      place === 'header'
        ? result.headers.get(name!)
        : place === 'body'
          ? ofBody(result.body, name)
          : sharedValue(source, result.context, result.stage);
    if (value !== undefined) mapped[target.split('.').slice(3).join('.').toLowerCase()] = value;
  }
  return mapped;
}

/** Returns the required parameters of a route that are missing in the handshake. */
export function missingParameters(
  { RequestParameters }: DeepReadonly<RouteRecord>,
  event: SocketEvent,
  stage: CompiledStage,
): string[] {
  return Object.entries(RequestParameters ?? {}).flatMap(([key, constraint]) =>
    constraint.Required && !requestValues(key, event, stage)[0] ? [key.split('.').slice(3).join('.')] : [],
  );
}
