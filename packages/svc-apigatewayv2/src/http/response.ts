import { Fields } from '@emu/apigateway-common';
import type { DataPlaneResponse } from '@emu/core/service';
import { isObject, parseJson } from '@emu/wire';

/** Response of an HTTP API. */
export interface HttpAnswer {
  status: number;
  headers: Fields;
  body: Buffer;
}

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain;charset=UTF-8';
/** Hop-by-hop headers and headers set by API Gateway. */
const OWN_HEADERS = ['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'proxy-connection'];
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Returns a response of API Gateway itself: an object with a message. */
export const messageAnswer = (status: number, message: string): HttpAnswer => ({
  status,
  headers: Fields.headers([['content-type', JSON_TYPE]]),
  body: Buffer.from(JSON.stringify({ message })),
});

/** Returns the response for a function that failed or returned an invalid result. */
export const internalError = (): HttpAnswer => messageAnswer(500, 'Internal Server Error');

/** Replaces characters that are invalid in header values. */
const clean = (value: unknown): string => String(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ');

/**
 * Returns the response for a function's result.
 * @param version of the payload format: 2.0 allows any result, 1.0 requires a status
 * @returns undefined for an invalid result
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function functionAnswer(payload: string, version: string): HttpAnswer | undefined {
  let result: unknown;
  try {
    result = parseJson(payload);
  } catch {
    return undefined;
  }
  if (isObject(result) && result.statusCode !== undefined) return described(result, version);
  if (version !== '2.0') return undefined;
  return {
    status: 200,
    headers: Fields.headers([['content-type', JSON_TYPE]]),
    body: Buffer.from(typeof result === 'string' ? result : payload),
  };
}

function described(result: Record<string, unknown>, version: string): HttpAnswer | undefined {
  const { statusCode, headers: single = {}, multiValueHeaders: multi, cookies, body, isBase64Encoded } = result;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  if ((single !== null && !isObject(single)) || (body !== undefined && body !== null && isObject(body)))
    return undefined;
  const headers = Fields.headers();
  if (version !== '2.0' && isObject(multi))
    for (const [name, values] of Object.entries(multi))
      if (NAME.test(name) && Array.isArray(values))
        for (const value of values) headers.add(name.toLowerCase(), clean(value));
  for (const [name, value] of Object.entries(single ?? {}))
    if (NAME.test(name) && value !== null && value !== undefined && !headers.has(name))
      headers.add(name.toLowerCase(), clean(value));
  if (version === '2.0' && Array.isArray(cookies))
    for (const cookie of cookies) headers.add('set-cookie', clean(cookie));
  if (!headers.has('content-type')) headers.set('content-type', TEXT_TYPE);
  const text = body === undefined || body === null ? '' : String(body);
  return { status, headers, body: Buffer.from(text, isBase64Encoded === true ? 'base64' : 'utf8') };
}

/**
 * Returns the HTTP response.
 * @param requestId of the request
 */
export function outgoing({ status, headers, body }: HttpAnswer, requestId: string): DataPlaneResponse {
  const sent: Record<string, string | string[]> = {};
  for (const [name, values] of headers.entries()) {
    const lower = name.toLowerCase();
    sent[lower] = values.length === 1 ? values[0]! : lower === 'set-cookie' ? [...values] : values.join(',');
  }
  for (const name of OWN_HEADERS) delete sent[name];
  sent['apigw-requestid'] = requestId;
  return { status, headers: sent, body };
}
