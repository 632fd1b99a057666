import { isObject } from '@emu/wire';
import { IMPLICIT, routesOf } from './api/events.ts';
import { translateHttpApis } from './api/http.ts';
import { translateRestApis } from './api/rest.ts';
import { translateWebSocketApi } from './api/websocket.ts';
import { translateApplication } from './application.ts';
import { translateCapacityProvider } from './capacity-provider.ts';
import { translateConnectors, withoutConnectors } from './connectors/connector.ts';
import { checkLogicalId, isServerless, resourcesOf } from './document.ts';
import { InvalidSamTemplate, resourceProblem, SamProblem } from './errors.ts';
import { translateFunction } from './function.ts';
import { readGlobals, withGlobals } from './globals.ts';
import { translateLayer } from './layer.ts';
import { checkProperties } from './properties.ts';
import { translateStateMachine } from './state-machine.ts';
import { translateTable } from './table.ts';
import { type SamOptions, Translation } from './translation.ts';
import { copy, defined, type Obj, objectOf, pick, type Resource } from './values.ts';

export { InvalidSamTemplate, type SamOptions };

/** Name of the transform in templates. */
export const SAM_TRANSFORM = 'AWS::Serverless-2016-10-31';

type Translator = (id: string, resource: Resource, to: Translation) => void;

/** Translator of each type. */
const TRANSLATORS: Readonly<Record<string, Translator>> = {
  'AWS::Serverless::Application': translateApplication,
  'AWS::Serverless::CapacityProvider': translateCapacityProvider,
  'AWS::Serverless::Function': translateFunction,
  'AWS::Serverless::LayerVersion': translateLayer,
  'AWS::Serverless::SimpleTable': translateTable,
  'AWS::Serverless::StateMachine': translateStateMachine,
  'AWS::Serverless::WebSocketApi': translateWebSocketApi,
};

/** APIs are translated after all functions, together with their routes; connectors after all of their ends. */
const LATER = new Set(['AWS::Serverless::Api', 'AWS::Serverless::Connector', 'AWS::Serverless::HttpApi']);

/**
 * Translates a template of the Serverless Application Model to CloudFormation.
 * @param template parsed template, not modified; short forms of intrinsic functions are expanded
 * @throws InvalidSamTemplate with all problems
 * @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-specification.html
 */
export function transformSam(template: Readonly<Obj>, options: SamOptions): Obj {
  try {
    return translate(copy(template) as Obj, options);
  } catch (error) {
    if (error instanceof SamProblem) throw new InvalidSamTemplate([error.message]);
    throw error;
  }
}

function translate(template: Obj, options: SamOptions): Obj {
  const { Globals, Transform: _, Resources: __, ...rest } = template;
  const given = resourcesOf(template);
  const globals = readGlobals(Globals);
  const resources = Object.fromEntries(
    Object.entries(given).map(([id, resource]) => [id, supported(withGlobals(id, resource, globals))]),
  );
  const to = new Translation(resources, template, options, globals);
  const routes = { Api: routesOf('Api', to), HttpApi: routesOf('HttpApi', to) };
  const implied = new Set<string>();
  for (const kind of ['Api', 'HttpApi'] as const)
    if (routes[kind].some(({ api }) => api === undefined)) implied.add(IMPLICIT[kind]);
  // An implicit API replaces a resource with its id.
  for (const [id, resource] of Object.entries(resources))
    if (!implied.has(id) || LATER.has(resource.Type)) translateOne(id, resource, to);
  translateRestApis(routes.Api, routes.HttpApi, to);
  translateHttpApis(routes.HttpApi, to);
  translateConnectors(to);
  if (to.problems.length) throw new InvalidSamTemplate(to.problems);
  return assemble(rest, to);
}

/** Attributes of a SAM resource besides its type and properties; AWS's translator drops all others. */
const ATTRIBUTES = ['Condition', 'DeletionPolicy', 'DependsOn', 'Metadata', 'UpdatePolicy', 'UpdateReplacePolicy'];

/**
 * Returns a SAM resource without unknown attributes and null values, which AWS's translator reads as absent; others
 * unchanged.
 */
function supported(resource: Resource): Resource {
  if (!isServerless(resource.Type)) return resource;
  const { Type, Properties, Connectors } = resource;
  return {
    ...pick(resource, ATTRIBUTES),
    Type,
    ...(Connectors !== undefined && { Connectors }),
    ...(Properties !== undefined && { Properties: withoutNulls(Properties) }),
  };
}

/** Properties that AWS's translator requires to be maps even if they are null. */
const NEVER_NULL = new Set(['Auth', 'RouteSettings']);

/** Returns the properties of a resource without null values, also in the properties of its events. */
function withoutNulls(properties: Obj): Obj {
  const present = Object.entries(properties).filter(([name, value]) => value !== null || NEVER_NULL.has(name));
  const events = Object.entries(objectOf(properties.Events)).map(([name, event]) => [
    name,
    isObject(event) && isObject(event.Properties) ? { ...event, Properties: withoutNulls(event.Properties) } : event,
  ]);
  return { ...Object.fromEntries(present), ...(events.length && { Events: Object.fromEntries(events) }) };
}

function translateOne(id: string, given: Resource, to: Translation): void {
  const resource = withoutConnectors(given);
  const { Type } = resource;
  if (!isServerless(Type)) {
    to.output[id] ??= resource;
    return;
  }
  const prefix = Type === 'AWS::Serverless::Function' ? `Resource with id [${id}] is invalid. ` : '';
  const work = () => {
    checkLogicalId(id);
    // The location of an application is checked first.
    if (Type !== 'AWS::Serverless::Application') checkProperties(id, resource);
    if (LATER.has(Type)) return;
    const translator = TRANSLATORS[Type];
    if (!translator) throw resourceProblem(id, `The resource type ${Type} is not supported by emu.`);
    translator(id, resource, to);
  };
  to.translate(id, work, prefix);
}

/** Returns the template with the created resources and without the transform. */
function assemble(rest: Obj, to: Translation): Obj {
  const { Conditions: _, ...sections } = rest;
  const replaced = to.references.replace({ ...sections, Resources: to.output }) as Obj;
  for (const resource of Object.values(replaced.Resources as Record<string, Resource>))
    if (resource.DependsOn !== undefined) resource.DependsOn = to.references.dependencies(resource.DependsOn);
  return defined({
    ...replaced,
    Conditions: Object.keys(to.conditions).length ? to.conditions : undefined,
  });
}
