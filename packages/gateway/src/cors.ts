import type { HeaderValues } from '@emu/wire';
import { headerOf } from './identify.ts';
import type { GatewayResponse } from './request.ts';

/** Response headers that browser SDKs read besides the ones every page may. */
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
/** Seconds a browser may remember the answer to a preflight. */
const MAX_AGE = '600';

/** Whether a browser asks if it may send a request. */
export function isPreflight(method: string, headers: HeaderValues): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** Allows whatever the browser asks for. @see https://fetch.spec.whatwg.org/#http-cors-protocol */
export function preflight(headers: HeaderValues): GatewayResponse {
  const wanted = headerOf(headers, 'access-control-request-headers');
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': wanted ?? '*',
      'access-control-max-age': MAX_AGE,
      ...(headers['access-control-request-private-network'] === 'true'
        ? { 'access-control-allow-private-network': 'true' }
        : {}),
      vary: 'Access-Control-Request-Headers, Access-Control-Request-Private-Network',
    },
    body: '',
  };
}

/** Lets a page read the response, unless the service has said itself who may. */
export function allowOrigin(response: GatewayResponse): void {
  const { headers } = response;
  for (const name in headers)
    if (name.toLowerCase() === 'access-control-allow-origin') {
      // An empty value says that no page may.
      if (headers[name] === '') delete headers[name];
      return;
    }
  headers['access-control-allow-origin'] = '*';
  headers['access-control-expose-headers'] = EXPOSED;
}
