import type { ProtocolType } from '@emu/service-types/apigatewayv2';
import { badRequest } from '../errors.ts';

/** Key of the fallback route, and name of the stage without a path. */
export const DEFAULT_ROUTE = '$default';
/** Key of the route for new connections. */
export const CONNECT_ROUTE = '$connect';
const TARGET = /^integrations\/([a-z0-9]+)$/;
const METHODS: ReadonlySet<string> = new Set(['ANY', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const SEGMENT = /^(?:[^{}\s/]*|\{[\w.-]+\})$/;
const GREEDY = /^\{[\w.-]+\+\}$/;

/**
 * Validates a route key: method and path, or a message key.
 * @throws AwsError `BadRequestException`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
export function checkRouteKey(protocol: ProtocolType, key: string): void {
  if (protocol === 'WEBSOCKET') {
    if (key === '' || key.length > 128) throw badRequest(`The provided route key is not valid: ${key}`);
    if (key.startsWith('$') && !['$connect', '$disconnect', '$default'].includes(key))
      throw badRequest(`The provided route key is not valid: ${key}`);
    return;
  }
  if (key === '$default') return;
  const space = key.indexOf(' ');
  const [method, path] = [key.slice(0, Math.max(space, 0)), key.slice(space + 1)];
  if (!METHODS.has(method) || !path.startsWith('/'))
    throw badRequest(
      'The provided route key is not formatted properly for HTTP protocol. Format should be "<HTTP METHOD> /<RESOURCE PATH>" or "$default"',
    );
  const segments = path.slice(1).split('/');
  for (const [at, segment] of segments.entries()) {
    const greedy = GREEDY.test(segment);
    if ((greedy && at < segments.length - 1) || (!greedy && !SEGMENT.test(segment)))
      throw badRequest(`The provided route key has an invalid path: ${path}`);
  }
  const names = segments.flatMap((segment) => /^\{([^}+]+)\+?\}$/.exec(segment)?.[1] ?? []);
  if (new Set(names).size < names.length) throw badRequest(`The path ${path} names a variable more than once`);
}

/** Returns the integration id of a route; undefined if it has none. */
export const integrationIdOf = ({ Target }: { Target?: string | undefined }): string | undefined =>
  Target === undefined ? undefined : TARGET.exec(Target)?.[1];
