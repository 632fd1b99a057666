import { isObject } from '@emu/wire';
import { isServerless } from '../document.ts';
import { eventProblem, InvalidSamTemplate, resourceProblem, SamProblem } from '../errors.ts';
import { mapOf, type ProblemOf, requiredText, should } from '../expect.ts';
import type { Translation } from '../translation.ts';
import type { Obj, Resource } from '../values.ts';

/** Whether a resource is a state machine, whose routes start executions. */
export const isMachine = ({ Type }: Resource): boolean => Type === 'AWS::Serverless::StateMachine';

/** Returns the prefix of a route problem: for functions, the event. */
export const ownerOf = ({ functionId, function: resource }: Pick<RouteEvent, 'functionId' | 'function'>): string =>
  isMachine(resource) ? '' : `Resource with id [${functionId}] is invalid. `;

/** An API event of a function or state machine: a route. */
export interface RouteEvent {
  readonly functionId: string;
  readonly function: Resource;
  readonly name: string;
  readonly path: string;
  /** In lower case; `any` for all methods. */
  readonly method: string;
  readonly properties: Obj;
  /** The API in the event: a reference or an id; undefined for the implicit API. */
  readonly api: unknown;
}

/** Ids of implicit APIs by event type. */
export const IMPLICIT = { Api: 'ServerlessRestApi', HttpApi: 'ServerlessHttpApi' } as const;

const ANY = 'any';
const DEFAULT = '$default';

/**
 * Collects all events of functions and state machines that are routes of one kind of API.
 * @throws InvalidSamTemplate if events lack required properties; other checks are skipped then
 */
export function routesOf(type: keyof typeof IMPLICIT, to: Translation): RouteEvent[] {
  const routes: RouteEvent[] = [];
  const problems: string[] = [];
  for (const [functionId, resource] of Object.entries(to.resources)) {
    if (resource.Type !== 'AWS::Serverless::Function' && !(type === 'Api' && isMachine(resource))) continue;
    const { Events: events } = isObject(resource.Properties) ? resource.Properties : {};
    try {
      for (const [name, event] of Object.entries(isObject(events) ? events : {}))
        if (isObject(event) && event.Type === type) {
          const route = routeOf(type, functionId, resource, name, event.Properties ?? {});
          checkReference(type, route, to);
          const api = apiIdOf(route, IMPLICIT[type], to);
          const isManaged = type === 'HttpApi' && api !== undefined && isGenerated(api, to);
          if (isManaged && routes.some((other) => isSame(route, other, type, to)))
            throw eventProblem(
              name,
              `API method '${methodKey(route.method)}' defined multiple times for path '${route.path}'.`,
            );
          routes.push(route);
        }
    } catch (error) {
      if (!(error instanceof SamProblem)) throw error;
      problems.push(resourceProblem(functionId, error.message).message);
    }
  }
  if (problems.length) throw new InvalidSamTemplate(problems);
  return routes;
}

/** Whether the definition of an API consists of its routes alone. */
function isGenerated(api: string, to: Translation): boolean {
  const resource = to.resources[api];
  if (resource === undefined) return Object.values(IMPLICIT).some((id) => id === api);
  const { DefinitionBody, DefinitionUri } = isObject(resource.Properties) ? resource.Properties : {};
  return isServerless(resource.Type) && DefinitionBody === undefined && DefinitionUri === undefined;
}

const isSame = (one: RouteEvent, other: RouteEvent, type: keyof typeof IMPLICIT, to: Translation): boolean =>
  one.path === other.path &&
  methodKey(one.method) === methodKey(other.method) &&
  apiIdOf(one, IMPLICIT[type], to) === apiIdOf(other, IMPLICIT[type], to);

/** Required kind of API for events that name one. */
const REFERENCES = {
  Api: { property: 'RestApiId', type: 'AWS::Serverless::Api', others: ['AWS::Serverless::HttpApi'] },
  HttpApi: { property: 'ApiId', type: 'AWS::Serverless::HttpApi', others: [] },
} as const;

/**
 * Requires that an event's API is in the template and of the right kind.
 * @throws SamProblem
 */
function checkReference(kind: keyof typeof IMPLICIT, { name, api, properties }: RouteEvent, to: Translation): void {
  const { property, type, others } = REFERENCES[kind];
  const problemOf: ProblemOf = (problem) => eventProblem(name, problem);
  if (kind === 'HttpApi' && properties.RouteSettings !== undefined)
    mapOf(properties.RouteSettings, 'RouteSettings', problemOf);
  if (api === undefined) return;
  const id = isObject(api) && Object.hasOwn(api, 'Ref') ? api.Ref : api;
  if (typeof id !== 'string' && (id === api || !isObject(id))) throw problemOf(should(property, 'string'));
  const known = isObject(id) ? undefined : (to.resources[id]?.Type ?? (id === IMPLICIT[kind] ? type : undefined));
  if (known === undefined || others.some((other) => other === known))
    throw problemOf(`${property} must be a valid reference to an '${type}' resource in same template.`);
}

function routeOf(
  type: keyof typeof IMPLICIT,
  functionId: string,
  resource: Resource,
  name: string,
  properties: unknown,
): RouteEvent {
  const problemOf: ProblemOf = (problem) => eventProblem(name, problem);
  if (!isObject(properties)) throw problemOf('Properties should be a map.');
  const api = type === 'Api' ? properties.RestApiId : properties.ApiId;
  const { Path, Method } = properties;
  const route = { functionId, function: resource, name, properties, api };
  if (type === 'HttpApi' && !Path && !Method) return { ...route, path: DEFAULT, method: ANY };
  return {
    ...route,
    path: requiredText(Path, 'Path', problemOf),
    method: requiredText(Method, 'Method', problemOf).toLowerCase(),
  };
}

/** Returns the id of the route's API in the template; undefined if the API is not in the template. */
export function apiIdOf({ api }: RouteEvent, implicit: string, to: Translation): string | undefined {
  if (api === undefined) return implicit;
  if (typeof api === 'string') return Object.hasOwn(to.resources, api) ? api : undefined;
  return isObject(api) && typeof api.Ref === 'string' ? api.Ref : undefined;
}

/** Returns the member of a path for a method. */
export const methodKey = (method: string): string => (method === ANY ? 'x-amazon-apigateway-any-method' : method);

/** Returns the path in ARNs of invocations. */
export const pathPattern = (path: string): string => path.replace(/\{[\w.-]+\+?\}/g, '*');
