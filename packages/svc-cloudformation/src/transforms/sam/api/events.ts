import { eventProblem } from '../errors.ts';
import type { Translation } from '../translation.ts';
import { isObject, type Obj, type Resource } from '../values.ts';

/** Whether a resource is a state machine, whose routes start executions. */
export const isMachine = ({ Type }: Resource): boolean => Type === 'AWS::Serverless::StateMachine';

/** What is said before a problem of a route: whose event it is, for functions. */
export const ownerOf = ({ functionId, function: resource }: Pick<RouteEvent, 'functionId' | 'function'>): string =>
  isMachine(resource) ? '' : `Resource with id [${functionId}] is invalid. `;

/** An event of a function or a state machine that is a route of an API. */
export interface RouteEvent {
  readonly functionId: string;
  readonly function: Resource;
  readonly name: string;
  readonly path: string;
  /** In lower case; `any` for every method. */
  readonly method: string;
  readonly properties: Obj;
  /** What the event names as its API: a reference, or an id; undefined for the implicit API. */
  readonly api: unknown;
}

/** Ids of the APIs that events get which name none, by the type of the event. */
export const IMPLICIT = { Api: 'ServerlessRestApi', HttpApi: 'ServerlessHttpApi' } as const;

const ANY = 'any';

/**
 * The routes that functions, and state machines, have in APIs of a kind.
 * @throws SamProblem for events that lack what a route takes
 */
export function routesOf(type: keyof typeof IMPLICIT, to: Translation): RouteEvent[] {
  const routes: RouteEvent[] = [];
  for (const [functionId, resource] of Object.entries(to.resources)) {
    if (resource.Type !== 'AWS::Serverless::Function' && !(type === 'Api' && isMachine(resource))) continue;
    const { Events: events } = isObject(resource.Properties) ? resource.Properties : {};
    if (!isObject(events)) continue;
    for (const [name, event] of Object.entries(events)) {
      if (!isObject(event) || event.Type !== type) continue;
      try {
        routes.push(routeOf(type, functionId, resource, name, isObject(event.Properties) ? event.Properties : {}));
      } catch (error) {
        to.report(error, ownerOf({ functionId, function: resource }));
      }
    }
  }
  return routes;
}

function routeOf(
  type: keyof typeof IMPLICIT,
  functionId: string,
  resource: Resource,
  name: string,
  properties: Obj,
): RouteEvent {
  const api = type === 'Api' ? properties.RestApiId : properties.ApiId;
  const { Path, Method } = properties;
  const route = { functionId, function: resource, name, properties, api };
  if (type === 'HttpApi' && Path === undefined && Method === undefined)
    return { ...route, path: '$default', method: ANY };
  for (const [property, value] of [
    ['Path', Path],
    ['Method', Method],
  ] as const)
    if (typeof value !== 'string')
      throw eventProblem(
        name,
        value === undefined
          ? `Event is missing the required properties [${property}].`
          : `Api Event must have a String specified for '${property}'.`,
      );
  return { ...route, path: Path as string, method: (Method as string).toLowerCase() };
}

/** The id of the API of a route that is a resource of the template; undefined where it is none. */
export function apiIdOf({ api }: RouteEvent, implicit: string, to: Translation): string | undefined {
  if (api === undefined) return implicit;
  if (typeof api === 'string') return Object.hasOwn(to.resources, api) ? api : undefined;
  return isObject(api) && typeof api.Ref === 'string' ? api.Ref : undefined;
}

/** The member of a path's definition that a method is. */
export const methodKey = (method: string): string => (method === ANY ? 'x-amazon-apigateway-any-method' : method);

/** A path as the ARNs of its invocations have it. */
export const pathPattern = (path: string): string => path.replace(/\{[^}]*\}/g, '*');
