import { type HeaderValues, headerOf } from '@emu/wire';
import type { GatewayResponse } from '../request/gateway-request.ts';

/** Response headers that browser SDKs read, besides those that are always readable. */
const EXPOSED = [
  'Date',
  'ETag',
  'Location',
  'Content-Length',
  'Content-Range',
  'Last-Modified',
  'Retry-After',
  'X-Amz-Apigw-Id',
  'X-Amz-Checksum-CRC32',
  'X-Amz-Checksum-CRC32C',
  'X-Amz-Checksum-CRC64NVME',
  'X-Amz-Checksum-SHA1',
  'X-Amz-Checksum-SHA256',
  'X-Amz-Bucket-Region',
  'X-Amz-Delete-Marker',
  'X-Amz-Function-Error',
  'X-Amz-Id-2',
  'X-Amz-Log-Result',
  'X-Amz-Request-Id',
  'X-Amz-Version-Id',
  'X-Amzn-ErrorType',
  'X-Amzn-Query-Error',
  'X-Amzn-RequestId',
  'X-Amzn-Trace-Id',
].join(', ');

const METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';
/** Seconds for which browsers may cache the response to a preflight. */
const MAX_AGE = '600';

/** Whether a request is a browser's preflight. */
export function isPreflight(method: string, headers: HeaderValues): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/**
 * Returns the response to a preflight of a page that may use emu. It allows everything.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function preflight(headers: HeaderValues): GatewayResponse {
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': headerOf(headers, 'origin') ?? '',
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': headerOf(headers, 'access-control-request-headers') ?? '*',
      'access-control-max-age': MAX_AGE,
      vary: 'Origin, Access-Control-Request-Headers',
    },
    body: '',
  };
}

/** Lets pages of an origin that may use emu read a response, unless the service has decided that itself. */
export function allowOrigin(response: GatewayResponse, origin: string): void {
  const { headers } = response;
  if (nameIn(headers, ALLOW_ORIGIN) !== undefined) {
    dropEmptyOrigin(response);
    return;
  }
  const vary = nameIn(headers, 'vary') ?? 'vary';
  headers[vary] = [headers[vary] ?? [], 'Origin'].flat().join(', ');
  Object.assign(headers, corsHeaders(origin));
}

/** Returns the headers, besides `Vary: Origin`, that let pages of an origin read a response. */
export const corsHeaders = (origin: string): Record<string, string> => ({
  [ALLOW_ORIGIN]: origin,
  'access-control-expose-headers': EXPOSED,
});

/** Removes an empty header, which services set to forbid every page to read their response. */
export function dropEmptyOrigin({ headers }: GatewayResponse): void {
  const name = nameIn(headers, ALLOW_ORIGIN);
  if (name !== undefined && headers[name] === '') delete headers[name];
}

/** Response header with the origin that may read the response. */
export const ALLOW_ORIGIN = 'access-control-allow-origin';

/** Returns the spelling of a response header's name; undefined without the header. @param wanted in lower case */
export function nameIn(headers: GatewayResponse['headers'], wanted: string): string | undefined {
  for (const name in headers) if (name.toLowerCase() === wanted) return name;
  return undefined;
}
