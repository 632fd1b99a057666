import { translateHttpApis } from './api/http.ts';
import { translateRestApis } from './api/rest.ts';
import { translateWebSocketApi } from './api/websocket.ts';
import { translateApplication } from './application.ts';
import { translateCapacityProvider } from './capacity-provider.ts';
import { translateConnectors, withoutConnectors } from './connectors/connector.ts';
import { documentProblem, InvalidSamTemplate, resourceProblem, SamProblem } from './errors.ts';
import { translateFunction } from './function.ts';
import { readGlobals, withGlobals } from './globals.ts';
import { translateLayer } from './layer.ts';
import { checkProperties } from './properties.ts';
import { translateStateMachine } from './state-machine.ts';
import { translateTable } from './table.ts';
import { type SamOptions, Translation } from './translation.ts';
import { copy, defined, isObject, type Obj, type Resource } from './values.ts';

export { InvalidSamTemplate, type SamOptions };

/** The transform that templates name. */
export const SAM_TRANSFORM = 'AWS::Serverless-2016-10-31';

type Translator = (id: string, resource: Resource, to: Translation) => void;

/** What is made of which type. */
const TRANSLATORS: Readonly<Record<string, Translator>> = {
  'AWS::Serverless::Application': translateApplication,
  'AWS::Serverless::CapacityProvider': translateCapacityProvider,
  'AWS::Serverless::Function': translateFunction,
  'AWS::Serverless::LayerVersion': translateLayer,
  'AWS::Serverless::SimpleTable': translateTable,
  'AWS::Serverless::StateMachine': translateStateMachine,
  'AWS::Serverless::WebSocketApi': translateWebSocketApi,
};

/** APIs are made with their routes, when all functions are known; connectors, when all that they connect is. */
const LATER = new Set(['AWS::Serverless::Api', 'AWS::Serverless::Connector', 'AWS::Serverless::HttpApi']);

/**
 * Translates a template of the Serverless Application Model into one of CloudFormation.
 * @param template as parsed, which stays as it is; short forms of intrinsic functions are written out
 * @throws InvalidSamTemplate everything that is wrong with it
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
  const { Globals, Transform: _, Resources, ...rest } = template;
  if (!isObject(Resources) || !Object.keys(Resources).length) throw documentProblem("'Resources' section is required");
  for (const resource of Object.values(Resources))
    if (!isObject(resource))
      throw documentProblem("All 'Resources' must be Objects. If you're using YAML, this may be an indentation issue.");
  const globals = readGlobals(Globals);
  const resources = Object.fromEntries(
    Object.entries(Resources as Record<string, Resource>).map(([id, resource]) => [id, withGlobals(resource, globals)]),
  );
  const to = new Translation(resources, template, options, globals);
  for (const [id, resource] of Object.entries(resources)) translateOne(id, resource, to);
  translateRestApis(to);
  translateHttpApis(to);
  translateConnectors(to);
  if (to.problems.length) throw new InvalidSamTemplate(inOrder(to.problems));
  return assemble(rest, to);
}

/** Problems in the order of the resources' ids. */
function inOrder(problems: readonly string[]): string[] {
  const idOf = (problem: string) => /^(?:Transforming r|R)esource with id \[([^\]]*)\]/.exec(problem)?.[1] ?? '';
  return [...problems].sort((a, b) => (idOf(a) < idOf(b) ? -1 : idOf(a) > idOf(b) ? 1 : 0));
}

function translateOne(id: string, given: Resource, to: Translation): void {
  const resource = withoutConnectors(given);
  const { Type } = resource;
  if (typeof Type !== 'string' || !Type.startsWith('AWS::Serverless::')) {
    to.output[id] ??= resource;
    return;
  }
  try {
    checkProperties(id, resource);
    if (LATER.has(Type)) return;
    const translator = TRANSLATORS[Type];
    if (!translator) throw resourceProblem(id, `The resource type ${Type} is not supported by emu.`);
    if (resource.Properties !== undefined && !isObject(resource.Properties))
      throw resourceProblem(id, "Attribute 'Properties' should be a map.");
    translator(id, resource, to);
  } catch (error) {
    to.report(error);
    to.refused.add(id);
  }
}

/** The template with the resources that were made, and without the transform. */
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
