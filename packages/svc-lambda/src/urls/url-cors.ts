import type { DataPlaneRequest, DataPlaneResponse, DeepReadonly } from '@emu/core/service';
import type { Cors } from '@emu/service-types/lambda';

const matches = (allowed: readonly string[] | undefined, value: string): boolean =>
  allowed?.some((one) => one === '*' || one.toLowerCase() === value.toLowerCase()) ?? false;

/** Whether a request is a CORS preflight request. */
export const isPreflight = ({ method, headers }: DataPlaneRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/**
 * Returns the CORS headers of a URL's configuration, which replace the function's own.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Cors.html
 */
export function corsHeaders(cors: DeepReadonly<Cors>, request: DataPlaneRequest): Record<string, string> {
  const { origin } = request.headers;
  if (typeof origin !== 'string' || !matches(cors.AllowOrigins, origin)) return {};
  const exact = cors.AllowCredentials === true || !cors.AllowOrigins?.includes('*');
  return {
    'access-control-allow-origin': exact ? origin : '*',
    ...(exact && { vary: 'Origin' }),
    ...(cors.AllowCredentials && { 'access-control-allow-credentials': 'true' }),
    ...(cors.ExposeHeaders?.length && { 'access-control-expose-headers': cors.ExposeHeaders.join(',') }),
  };
}

/** Responds to a preflight request without invoking the function. */
export function preflight(cors: DeepReadonly<Cors>, request: DataPlaneRequest): DataPlaneResponse {
  const headers = corsHeaders(cors, request);
  const method = String(request.headers['access-control-request-method']);
  if (headers['access-control-allow-origin'] !== undefined && matches(cors.AllowMethods, method)) {
    headers['access-control-allow-methods'] = cors.AllowMethods!.join(',');
    if (cors.AllowHeaders?.length) headers['access-control-allow-headers'] = cors.AllowHeaders.join(',');
    if (cors.MaxAge !== undefined) headers['access-control-max-age'] = String(cors.MaxAge);
  }
  return { status: 200, headers, body: '' };
}
