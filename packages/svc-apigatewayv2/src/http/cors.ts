import { Fields } from '@emu/apigateway-common';
import type { DataPlaneRequest, DeepReadonly } from '@emu/core/service';
import type { Cors } from '@emu/service-types/apigatewayv2';
import { asString } from '@emu/wire';
import type { HttpAnswer } from './response.ts';

/** Whether a request is a CORS preflight. */
export const isPreflight = ({ method, headers }: Pick<DataPlaneRequest, 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/** Whether an origin is allowed: by name, by scheme, or by wildcard. */
function allows(origins: readonly string[], origin: string): boolean {
  const lower = origin.toLowerCase();
  return origins.some((one) => {
    if (one === '*') return true;
    return one.endsWith('://*') ? lower.startsWith(one.slice(0, -1).toLowerCase()) : one.toLowerCase() === lower;
  });
}

/** Returns the CORS headers for an origin; none for an origin that is not allowed. */
function corsHeaders(cors: DeepReadonly<Cors>, origin: string | undefined): [name: string, value: string][] {
  const { AllowOrigins = [], AllowCredentials, ExposeHeaders = [] } = cors;
  if (origin === undefined || !allows(AllowOrigins, origin)) return [];
  return [
    ['access-control-allow-origin', AllowOrigins.includes('*') ? '*' : origin],
    ...(AllowOrigins.includes('*') ? [] : ([['vary', 'origin']] as [string, string][])),
    ...(AllowCredentials ? ([['access-control-allow-credentials', 'true']] as [string, string][]) : []),
    ...(ExposeHeaders.length > 0
      ? ([['access-control-expose-headers', ExposeHeaders.join(',')]] as [string, string][])
      : []),
  ];
}

const originOf = ({ headers }: Pick<DataPlaneRequest, 'headers'>): string | undefined => asString(headers.origin);

/**
 * Returns the response to a preflight, without calling a route.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export function preflightAnswer(cors: DeepReadonly<Cors>, request: Pick<DataPlaneRequest, 'headers'>): HttpAnswer {
  const allowed = corsHeaders(cors, originOf(request));
  const { AllowMethods = [], AllowHeaders = [], MaxAge } = cors;
  const headers = Fields.headers(allowed);
  if (allowed.length > 0) {
    if (AllowMethods.length > 0) headers.set('access-control-allow-methods', AllowMethods.join(','));
    if (AllowHeaders.length > 0) headers.set('access-control-allow-headers', AllowHeaders.join(','));
    if (MaxAge !== undefined) headers.set('access-control-max-age', String(MaxAge));
  }
  return { status: 204, headers, body: Buffer.alloc(0) };
}

/** Replaces the integration's CORS headers with the API's. */
export function applyCors(
  cors: DeepReadonly<Cors>,
  request: Pick<DataPlaneRequest, 'headers'>,
  answer: HttpAnswer,
): void {
  for (const [name] of [...answer.headers.entries()])
    if (name.toLowerCase().startsWith('access-control-')) answer.headers.delete(name);
  for (const [name, value] of corsHeaders(cors, originOf(request)))
    if (name === 'vary') answer.headers.add(name, value);
    else answer.headers.set(name, value);
}
