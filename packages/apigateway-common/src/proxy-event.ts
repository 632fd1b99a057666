import { isObject } from '@emu/wire';
import type { Fields } from './fields.ts';

/** What the event of a proxy integration with a function is made from. */
export interface ProxyRequest {
  /** Path of the resource, with its variables, e.g. `/users/{id}`. */
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
  /** Whether the body goes as base64. */
  readonly binary: boolean;
}

const orNull = <T extends object>(values: T): T | null => (Object.keys(values).length === 0 ? null : values);

/**
 * The event of a proxy integration of a REST API, which is that of payload format 1.0 but for its version.
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

/** A function's answer to a proxy event, taken apart. */
export interface ProxyAnswer {
  readonly status: number;
  /** Every header with its values, in order. */
  readonly headers: readonly (readonly [name: string, values: readonly string[]])[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

const MEMBERS: ReadonlySet<string> = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);

/**
 * Takes the answer of a function behind a proxy integration of a REST API apart.
 * @param payload JSON that the function returned
 * @returns undefined where it is not of the form that API Gateway asks for, which is answered with 502
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function proxyAnswer(payload: string): ProxyAnswer | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(payload);
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

/** Those of several values come first; one that is in both has the values of both. */
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
