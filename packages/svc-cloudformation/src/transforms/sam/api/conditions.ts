import { isObject } from '@emu/wire';
import type { Translation } from '../translation.ts';
import type { Obj } from '../values.ts';
import { methodKey, type RouteEvent } from './events.ts';

/** Maximum number of conditions in Fn::Or. */
const MAX_CONDITIONS = 10;
const NONE = { Ref: 'AWS::NoValue' };

/** Returns the conditions of the routes' functions, in order; undefined if one has none. */
function conditionsOf(routes: readonly RouteEvent[]): string[] | undefined {
  const found = new Set<string>();
  for (const { function: resource } of routes) {
    if (typeof resource.Condition !== 'string') return undefined;
    found.add(resource.Condition);
  }
  return [...found].sort();
}

/** Returns a condition that is true if any of several is: the only one itself, or a new one with the given name. */
function either(conditions: readonly string[], name: string, to: Translation): string {
  if (conditions.length === 1) return conditions[0]!;
  let rest = [...conditions];
  let numbers = Math.ceil((rest.length - 1) / (MAX_CONDITIONS - 1)) - 1;
  let made = name;
  while (rest.length > 1) {
    made = numbers > 0 ? `${name}${numbers--}` : name;
    to.conditions[made] = { 'Fn::Or': rest.slice(0, MAX_CONDITIONS).map((Condition) => ({ Condition })) };
    rest = [...rest.slice(MAX_CONDITIONS), made];
  }
  return made;
}

/** Returns the condition of an implicit API: exists only if all of its functions have conditions. */
export function implicitCondition(id: string, routes: readonly RouteEvent[], to: Translation): string | undefined {
  const conditions = conditionsOf(routes);
  return conditions?.length ? either(conditions, `${id}Condition`, to) : undefined;
}

const where = (condition: string, value: unknown): Obj => ({ 'Fn::If': [condition, value, NONE] });

/** Applies the functions' conditions to the methods of routes and to their integrations. */
export function conditionalMethods({ paths }: Obj, routes: readonly RouteEvent[]): void {
  for (const { path, method, function: resource } of routes) {
    const methods = isObject(paths) ? paths[path] : undefined;
    const key = methodKey(method);
    const definition = isObject(methods) ? methods[key] : undefined;
    if (typeof resource.Condition !== 'string' || !isObject(definition) || 'Fn::If' in definition) continue;
    const integration = definition['x-amazon-apigateway-integration'];
    if (isObject(integration) && integration.uri !== undefined)
      integration.uri = where(resource.Condition, integration.uri);
    (methods as Obj)[key] = where(resource.Condition, definition);
  }
}

/** Applies the conditions of functions to the methods and paths of a definition. */
export function conditionalPaths(id: string, body: Obj, routes: readonly RouteEvent[], to: Translation): void {
  if (!isObject(body.paths)) return;
  const paths = body.paths as Obj;
  for (const [path, methods] of Object.entries(paths)) {
    const mine = routes.filter((route) => route.path === path);
    if (!isObject(methods) || !mine.length) continue;
    conditionalMethods({ paths: { [path]: methods } }, mine);
    const conditions = conditionsOf(mine);
    if (!conditions) continue;
    const spelt = path.replaceAll('/', 'SLASH').replaceAll('{', 'OB').replaceAll('}', 'CB');
    paths[path] = where(either(conditions, `${id}${spelt}PathCondition`, to), methods);
  }
}

/** Policies ordered from least to most retention. */
const KEEPS = ['Delete', 'Snapshot', 'Retain'];

/** Returns the deletion or replacement policy of an implicit API: the strictest of its functions. */
export function implicitPolicies(routes: readonly RouteEvent[]): Obj {
  const strictest = (name: string) =>
    routes
      .map(({ function: resource }) => resource[name])
      .filter((policy): policy is string => typeof policy === 'string')
      .sort((a, b) => KEEPS.indexOf(b) - KEEPS.indexOf(a))[0];
  return { DeletionPolicy: strictest('DeletionPolicy'), UpdateReplacePolicy: strictest('UpdateReplacePolicy') };
}

/** Returns the tags that functions propagate to the implicit API of their routes. */
export function propagatedTags(routes: readonly RouteEvent[]): Obj {
  const tags: Obj = {};
  for (const {
    function: { Properties },
  } of routes)
    if (isObject(Properties) && Properties.PropagateTags === true && isObject(Properties.Tags))
      Object.assign(tags, Properties.Tags);
  return Object.keys(tags).length ? { PropagateTags: true, Tags: tags } : {};
}
