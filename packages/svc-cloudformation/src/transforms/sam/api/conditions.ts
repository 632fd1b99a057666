import { isObject } from '@emu/wire';
import type { Translation } from '../translation.ts';
import type { Obj } from '../values.ts';
import { methodKey, type RouteEvent } from './events.ts';

/** The most conditions of one Fn::Or. */
const MOST = 10;
const NONE = { Ref: 'AWS::NoValue' };

/** The conditions of the functions of some routes, in order; undefined where one of them has none. */
function conditionsOf(routes: readonly RouteEvent[]): string[] | undefined {
  const found = new Set<string>();
  for (const { function: resource } of routes) {
    if (typeof resource.Condition !== 'string') return undefined;
    found.add(resource.Condition);
  }
  return [...found].sort();
}

/** A condition that holds where one of several does: the only one itself, or a new one of the name. */
function either(conditions: readonly string[], name: string, to: Translation): string {
  if (conditions.length === 1) return conditions[0]!;
  let rest = [...conditions];
  let numbers = Math.ceil((rest.length - 1) / (MOST - 1)) - 1;
  let made = name;
  while (rest.length > 1) {
    made = numbers > 0 ? `${name}${numbers--}` : name;
    to.conditions[made] = { 'Fn::Or': rest.slice(0, MOST).map((Condition) => ({ Condition })) };
    rest = [...rest.slice(MOST), made];
  }
  return made;
}

/** The condition of an implicit API: one where each of its functions has one. */
export function implicitCondition(id: string, routes: readonly RouteEvent[], to: Translation): string | undefined {
  const conditions = conditionsOf(routes);
  return conditions?.length ? either(conditions, `${id}Condition`, to) : undefined;
}

const where = (condition: string, value: unknown): Obj => ({ 'Fn::If': [condition, value, NONE] });

/** Makes the methods of some routes depend on the conditions of their functions, and what calls these. */
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

/** Makes the methods and paths of a definition depend on the conditions of the functions that are called by them. */
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

/** Policies from those that keep the least to those that keep the most. */
const KEEPS = ['Delete', 'Snapshot', 'Retain'];

/** What becomes of an implicit API when it is deleted or replaced: what the most careful of its functions says. */
export function implicitPolicies(routes: readonly RouteEvent[]): Obj {
  const strictest = (name: string) =>
    routes
      .map(({ function: resource }) => resource[name])
      .filter((policy): policy is string => typeof policy === 'string')
      .sort((a, b) => KEEPS.indexOf(b) - KEEPS.indexOf(a))[0];
  return { DeletionPolicy: strictest('DeletionPolicy'), UpdateReplacePolicy: strictest('UpdateReplacePolicy') };
}

/** The tags that functions pass on to the implicit API of their routes. */
export function propagatedTags(routes: readonly RouteEvent[]): Obj {
  const tags: Obj = {};
  for (const {
    function: { Properties },
  } of routes)
    if (isObject(Properties) && Properties.PropagateTags === true && isObject(Properties.Tags))
      Object.assign(tags, Properties.Tags);
  return Object.keys(tags).length ? { PropagateTags: true, Tags: tags } : {};
}
