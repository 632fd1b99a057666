import { servicePrincipalName } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { invocations, PARTITION, requests } from '../arns-data.ts';
import type { Translation } from '../translation.ts';
import { defined, inheritedAttributes, type Obj, ref } from '../values.ts';
import { methodKey, pathPattern, type RouteEvent } from './events.ts';

/** Path of the default route. */
export const DEFAULT = '$default';

/** Returns the name of a function in an integration: the function or its alias. */
export function functionUri(
  { functionId, function: { Properties } }: RouteEvent,
  partition: string,
  to: Translation,
  streams = false,
): Obj {
  const alias = to.resolver.resolve(isObject(Properties) ? Properties.AutoPublishAlias : undefined);
  const name = typeof alias === 'string' ? to.aliasId(functionId, alias) : `${functionId}.Arn`;
  return {
    'Fn::Sub': invocations(partition, name, streams),
  };
}

/** Returns the routes whose function is also the API's default route; one permission covers both. */
function coveredBy(routes: readonly RouteEvent[]): ReadonlySet<RouteEvent> {
  const byDefault = new Set(routes.filter(({ path }) => path === DEFAULT).map(({ functionId }) => functionId));
  return new Set(routes.filter(({ functionId, path }) => path !== DEFAULT && byDefault.has(functionId)));
}

/**
 * Adds HTTP API routes to the paths of a definition, with permissions to invoke their functions.
 * @returns routes that had no integration before
 */
export function addRoutes(id: string, paths: Obj, routes: readonly RouteEvent[], to: Translation): RouteEvent[] {
  const covered = coveredBy(routes);
  return routes.filter((route) => addRoute(id, paths, route, covered.has(route), to));
}

/** @returns whether the route was added; an existing one is only changed */
function addRoute(id: string, paths: Obj, route: RouteEvent, isCovered: boolean, to: Translation): boolean {
  const { path, method, properties } = route;
  const key = methodKey(method);
  const methods = (isObject(paths[path]) ? paths[path] : {}) as Obj;
  paths[path] = methods;
  const existing = isObject(methods[key]) ? methods[key] : undefined;
  const { TimeoutInMillis, PayloadFormatVersion } = properties;
  const integrated = existing?.['x-amazon-apigateway-integration'];
  if (isObject(integrated)) {
    if (TimeoutInMillis !== undefined) integrated.timeoutInMillis = TimeoutInMillis;
    if (PayloadFormatVersion !== undefined) integrated.payloadFormatVersion = PayloadFormatVersion;
    return false;
  }
  const definition: Obj = existing ?? {};
  definition['x-amazon-apigateway-integration'] = defined({
    type: 'aws_proxy',
    httpMethod: 'POST',
    payloadFormatVersion: PayloadFormatVersion ?? '2.0',
    uri: functionUri(route, PARTITION, to),
    timeoutInMillis: TimeoutInMillis,
  });
  definition.responses ??= {};
  if (path === DEFAULT) definition.isDefaultRoute = true;
  const parameters = parametersOf(path, definition.parameters);
  if (parameters.length) definition.parameters = parameters;
  methods[key] = definition;
  if (!isCovered) permit(id, route, to);
  return true;
}

/** Returns the path parameters; all are required. */
function parametersOf(path: string, given: unknown): Obj[] {
  const known = (Array.isArray(given) ? given.filter(isObject) : []).map((parameter) =>
    parameter.in === 'path' ? { ...parameter, required: true } : parameter,
  ) as Obj[];
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
  const missing = names.filter((name) => !known.some((parameter) => parameter.name === name));
  return [...known, ...missing.map((name) => ({ name, in: 'path', required: true }))];
}

/** Grants an API permission to invoke a route's function. */
export function permit(id: string, route: RouteEvent, to: Translation): void {
  const { functionId, function: resource, name, path, method } = route;
  const alias = to.resolver.resolve(isObject(resource.Properties) ? resource.Properties.AutoPublishAlias : undefined);
  const called =
    path === DEFAULT
      ? '*'
      : path === `/${DEFAULT}`
        ? DEFAULT
        : `${method === 'any' ? '*' : method.toUpperCase()}${pathPattern(path)}`;
  const text = requests(PARTITION, called);
  to.add(
    `${functionId}${name}Permission`,
    'AWS::Lambda::Permission',
    {
      Action: 'lambda:InvokeFunction',
      FunctionName: ref(typeof alias === 'string' ? to.aliasId(functionId, alias) : functionId),
      Principal: servicePrincipalName('apigateway'),
      SourceArn: {
        'Fn::Sub': [text, { __ApiId__: typeof route.api === 'string' ? route.api : ref(id), __Stage__: '*' }],
      },
    },
    inheritedAttributes(resource),
  );
}
