import type { DataPlaneResponse } from '@emu/core/service';
import { type AwsError, optionalText, parseJson } from '@emu/wire';

/** HTTP response format of handlers. */
interface HandlerResponse {
  statusCode?: unknown;
  headers?: Record<string, unknown>;
  cookies?: unknown;
  body?: unknown;
  isBase64Encoded?: unknown;
}

const JSON_TYPE = 'application/json';

/**
 * Converts a handler's result to an HTTP response: an object with a `statusCode` is complete; anything else becomes the
 * body.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-response-payload
 */
export function urlResponse(payload: Buffer): DataPlaneResponse {
  const text = payload.toString();
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // A custom runtime may respond with anything.
    return { status: 200, headers: { 'content-type': JSON_TYPE }, body: payload };
  }
  if (typeof value === 'object' && value !== null && 'statusCode' in value) return described(value);
  const body = typeof value === 'string' ? value : text;
  return { status: 200, headers: { 'content-type': JSON_TYPE }, body };
}

function described({ statusCode, headers, cookies, body, isBase64Encoded }: HandlerResponse): DataPlaneResponse {
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return internalError();
  const text = optionalText(body) ?? '';
  return {
    status,
    headers: responseHeaders(headers, cookies),
    body: isBase64Encoded === true ? Buffer.from(text, 'base64') : text,
  };
}

/** Returns the response headers in lower case, with JSON as default content type. */
export function responseHeaders(
  headers: Record<string, unknown> | undefined,
  cookies: unknown,
): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = { 'content-type': JSON_TYPE };
  for (const [name, value] of Object.entries(headers ?? {}))
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) all[name.toLowerCase()] = clean(value);
  // The length is computed from the body; the handler's value is ignored.
  delete all['content-length'];
  delete all['transfer-encoding'];
  if (Array.isArray(cookies) && cookies.length > 0) all['set-cookie'] = cookies.map(clean);
  return all;
}

/** Converts a value to a valid header value. */
const clean = (value: unknown): string => String(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ');

/** Returns the response for a failed function. */
export const internalError = (): DataPlaneResponse => ({
  status: 502,
  headers: { 'content-type': JSON_TYPE },
  body: 'Internal Server Error',
});

/** Returns the response for a caller with an invalid signature. */
export const unauthenticated = ({ code, message }: AwsError): DataPlaneResponse => ({
  status: 403,
  headers: { 'content-type': JSON_TYPE, 'x-amzn-errortype': code },
  body: JSON.stringify({ message }),
});

/** Returns the response for a denied caller. */
export const forbidden = (message: string | null): DataPlaneResponse => ({
  status: 403,
  headers: { 'content-type': JSON_TYPE, 'x-amzn-errortype': 'AccessDeniedException' },
  body: JSON.stringify({ Message: message }),
});
