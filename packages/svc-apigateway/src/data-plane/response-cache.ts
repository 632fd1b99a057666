import type { Call, CallAnswer } from './call.ts';
import { GatewayFault } from './fault.ts';
import { requestValues } from './mapping.ts';

/**
 * Maximum bytes of a cached response.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-caching.html
 */
const MAX_BYTES = 1_048_576;

/** Location of a response in the cache. */
export interface CachePlace {
  readonly key: string;
  /** Milliseconds. */
  readonly life: number;
  /** Whether the client requests invalidation of the entry. */
  readonly refresh: boolean;
  /** Warning header for an ignored invalidation request. */
  readonly warning: string | undefined;
}

/**
 * Returns the cache location of a request by the stage's settings: by default for GET only, keyed by path and cache key
 * parameters; undefined if it is not cached.
 * @throws GatewayFault if the client may not invalidate the entry and the stage rejects such requests
 */
export function placeOf(call: Call): CachePlace | undefined {
  const { stage, resource, method, request, apiId } = call;
  if (!stage.cache || call.test) return undefined;
  const settings = stage.settings(resource.path, method.httpMethod!);
  const { methodIntegration } = method;
  if (!settings.cachingEnabled || !methodIntegration || request.method !== 'GET') return undefined;
  // Streamed responses are not cached.
  if (methodIntegration.responseTransferMode === 'STREAM') return undefined;
  const parts = (methodIntegration.cacheKeyParameters ?? []).map((source) => requestValues(call, source).join(','));
  const fresh = /(?:^|,)\s*max-age=0\b/.test(request.headers.get('cache-control') ?? '');
  let warning: string | undefined;
  let refresh = fresh;
  if (fresh && settings.requireAuthorizationForCacheControl !== false && !call.caller) {
    if (settings.unauthorizedCacheControlHeaderStrategy === 'FAIL_WITH_403')
      throw new GatewayFault('ACCESS_DENIED', 'Forbidden', 'AccessDeniedException');
    refresh = false;
    if (settings.unauthorizedCacheControlHeaderStrategy === 'SUCCEED_WITH_RESPONSE_HEADER')
      warning = '199 - Unauthorized Cache-Control Header';
  }
  const named = methodIntegration.cacheNamespace ?? resource.id;
  const key = [`${apiId}/${stage.name}/${stage.cacheName}/${named}`, resource.path, method.httpMethod, ...parts].join(
    '\n',
  );
  return { key, life: (settings.cacheTtlInSeconds ?? 300) * 1000, refresh, warning };
}

/** Returns the cached response of a request. */
export function cachedAnswer({ state }: Call, place: CachePlace): CallAnswer | undefined {
  if (place.refresh) return undefined;
  const found = state.responses.get(place.key, state.clock.now());
  return found && { status: found.status, headers: found.headers.copy(), body: found.body };
}

/** Caches a successful response. */
export function keepAnswer({ state }: Call, place: CachePlace, answer: CallAnswer): void {
  if (answer.status >= 400 || answer.body.length > MAX_BYTES) return;
  const { status, headers, body } = answer;
  state.responses.put(place.key, { status, headers: headers.copy(), body }, state.clock.now(), place.life);
}
