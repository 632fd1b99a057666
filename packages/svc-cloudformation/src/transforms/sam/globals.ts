import { documentProblem } from './errors.ts';
import { isIntrinsic, isObject, type Obj, type Resource } from './values.ts';

/** Types that a template has global properties for, by the name of the section. */
const SECTIONS: Readonly<Record<string, string>> = {
  Api: 'AWS::Serverless::Api',
  CapacityProvider: 'AWS::Serverless::CapacityProvider',
  Function: 'AWS::Serverless::Function',
  HttpApi: 'AWS::Serverless::HttpApi',
  LayerVersion: 'AWS::Serverless::LayerVersion',
  SimpleTable: 'AWS::Serverless::SimpleTable',
  StateMachine: 'AWS::Serverless::StateMachine',
  WebSocketApi: 'AWS::Serverless::WebSocketApi',
};

/** Properties by type that all resources of the type have, from the section `Globals`. @throws SamProblem */
export function readGlobals(globals: unknown): ReadonlyMap<string, Obj> {
  const byType = new Map<string, Obj>();
  if (globals === undefined) return byType;
  if (!isObject(globals)) throw documentProblem("'Globals' section is invalid. It must be a non-empty dictionary");
  for (const [section, properties] of Object.entries(globals)) {
    const type = SECTIONS[section];
    if (type === undefined)
      throw documentProblem(
        `'Globals' section is invalid. '${section}' is not supported. Must be one of the following values - ['Api', 'Function', 'HttpApi', 'SimpleTable', 'StateMachine', 'LayerVersion', 'CapacityProvider', 'WebSocketApi']`,
      );
    if (!isObject(properties))
      throw documentProblem(`'Globals' section is invalid. Value of ${section} must be a dictionary`);
    byType.set(type, properties);
  }
  return byType;
}

/** The resource with the global properties of its type, except those that it ignores. */
export function withGlobals(resource: Resource, globals: ReadonlyMap<string, Obj>): Resource {
  const shared = globals.get(resource.Type);
  const { IgnoreGlobals: ignored, ...rest } = resource;
  if (!shared || ignored === '*') return rest as Resource;
  const kept = Array.isArray(ignored)
    ? Object.fromEntries(Object.entries(shared).filter(([name]) => !ignored.includes(name)))
    : shared;
  return { ...rest, Properties: merge(kept, resource.Properties ?? {}) as Obj } as Resource;
}

/** Objects are merged, lists are joined, and of anything else the resource's own counts. */
function merge(shared: unknown, own: unknown): unknown {
  const whole = isIntrinsic(shared) || isIntrinsic(own);
  if (isObject(shared) && isObject(own) && !whole) {
    const merged: Obj = { ...(shared as Obj) };
    for (const [name, value] of Object.entries(own as Obj))
      merged[name] = Object.hasOwn(merged, name) ? merge(merged[name], value) : value;
    return merged;
  }
  if (Array.isArray(shared) && Array.isArray(own)) return [...shared, ...own];
  return own;
}
