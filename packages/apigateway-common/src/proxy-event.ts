import { isObject, parseJson } from '@emu/wire';
import type { Fields } from './fields.ts';

/** Data for a proxy integration event. */
export interface ProxyRequest {
  /** Resource path with variables, for example `/users/{id}`. */
  readonly resource: string;
  /** Path without the stage. */
  readonly path: string;
  readonly httpMethod: string;
  readonly headers: Fields;
  readonly query: Fields;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly stageVariables: Readonly<Record<string, string>>;
  readonly requestContext: object;
  readonly body: Buffer;
  /** Whether the body is sent as base64. */
  readonly binary: boolean;
}

const orNull = <T extends object>(values: T): T | null => (Object.keys(values).length === 0 ? null : values);

/**
 * Returns the proxy integration event of a REST API, which equals payload format 1.0 without its version.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function proxyEvent(request: ProxyRequest): Record<string, unknown> {
  const { resource, path, httpMethod, headers, query, body, binary } = request;
  return {
    resource,
    path,
    httpMethod,
    headers: orNull(headers.last()),
    multiValueHeaders: orNull(headers.lists()),
    queryStringParameters: orNull(query.last()),
    multiValueQueryStringParameters: orNull(query.lists()),
    pathParameters: orNull(request.pathParameters),
    stageVariables: orNull(request.stageVariables),
    requestContext: request.requestContext,
    body: body.length === 0 ? null : body.toString(binary ? 'base64' : 'utf8'),
    isBase64Encoded: body.length > 0 && binary,
  };
}

/** Parsed proxy response of a function. */
export interface ProxyAnswer {
  readonly status: number;
  /** All headers with their values, in order. */
  readonly headers: readonly (readonly [name: string, values: readonly string[]])[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

const MEMBERS: ReadonlySet<string> = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);

/**
 * Parses the response of a function with REST API proxy integration.
 * @param payload JSON returned by the function
 * @returns undefined for an invalid response, which results in 502
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function proxyAnswer(payload: string): ProxyAnswer | undefined {
  let answer: unknown;
  try {
    answer = parseJson(payload);
  } catch {
    return undefined;
  }
  if (!isObject(answer) || Object.keys(answer).length === 0) return undefined;
  for (const name of Object.keys(answer)) if (!MEMBERS.has(name)) return undefined;
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = answer;
  const status = statusCode === undefined || statusCode === null ? 200 : Number(statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  if (body !== undefined && body !== null && typeof body !== 'string') return undefined;
  if (isBase64Encoded !== undefined && isBase64Encoded !== null && typeof isBase64Encoded !== 'boolean')
    return undefined;
  const fields = answerHeaders(headers ?? {}, multiValueHeaders ?? {});
  return fields && { status, headers: fields, body: body ?? '', isBase64Encoded: isBase64Encoded === true };
}

/** Merges single and multi-value headers: multi-value ones first; a header in both has all values. */
function answerHeaders(single: unknown, multi: unknown): ProxyAnswer['headers'] | undefined {
  if (!isObject(single) || !isObject(multi)) return undefined;
  const fields = new Map<string, [name: string, values: string[]]>();
  for (const [name, values] of Object.entries(multi)) {
    if (!Array.isArray(values) || values.some((value) => typeof value === 'object' && value !== null)) return undefined;
    fields.set(name.toLowerCase(), [name, values.map(String)]);
  }
  for (const [name, value] of Object.entries(single)) {
    if (typeof value === 'object' && value !== null) return undefined;
    if (value === null || value === undefined) continue;
    const field = fields.get(name.toLowerCase());
    if (!field) fields.set(name.toLowerCase(), [name, [String(value)]]);
    else if (!field[1].includes(String(value))) field[1].push(String(value));
  }
  return [...fields.values()];
}
