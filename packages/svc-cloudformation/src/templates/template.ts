import { exceedsBytes } from '@emu/core/service';
import { type AwsError, isObject } from '@emu/wire';
import { badTemplate, invalid } from '../errors.ts';
import type { JsonObject } from './values.ts';

/** A resource of a template, with unevaluated functions. */
export interface TemplateResource {
  Type: string;
  Properties?: JsonObject;
  Condition?: string;
  DependsOn?: string | string[];
  DeletionPolicy?: unknown;
  UpdateReplacePolicy?: unknown;
  CreationPolicy?: JsonObject;
  UpdatePolicy?: JsonObject;
  Metadata?: unknown;
  Description?: string;
}

/** A parameter of a template. */
export interface TemplateParameter {
  Type: string;
  Default?: unknown;
  AllowedValues?: unknown[];
  AllowedPattern?: string;
  MinLength?: unknown;
  MaxLength?: unknown;
  MinValue?: unknown;
  MaxValue?: unknown;
  NoEcho?: unknown;
  Description?: string;
  ConstraintDescription?: string;
}

/** An output of a template. */
export interface TemplateOutput {
  Value: unknown;
  Description?: string;
  Export?: { Name: unknown };
  Condition?: string;
}

/** A valid template with unevaluated functions. */
export interface Template {
  AWSTemplateFormatVersion?: string;
  Description?: string;
  Metadata?: JsonObject;
  Parameters: Record<string, TemplateParameter>;
  Mappings: Record<string, Record<string, Record<string, unknown>>>;
  Conditions: Record<string, unknown>;
  Rules: Record<string, JsonObject>;
  Resources: Record<string, TemplateResource>;
  Outputs: Record<string, TemplateOutput>;
}

const SECTIONS = new Set([
  'AWSTemplateFormatVersion',
  'Description',
  'Metadata',
  'Parameters',
  'Mappings',
  'Conditions',
  'Rules',
  'Transform',
  'Resources',
  'Outputs',
  'Hooks',
  'Globals',
]);
const RESOURCE_MEMBERS = new Set([
  'Type',
  'Properties',
  'Condition',
  'DependsOn',
  'DeletionPolicy',
  'UpdateReplacePolicy',
  'CreationPolicy',
  'UpdatePolicy',
  'Metadata',
  'Description',
  'Version',
  'Connectors',
  'IgnoreGlobals',
]);
const POLICIES = new Set(['Delete', 'Retain', 'RetainExceptOnCreate', 'Snapshot']);
const ALPHANUMERIC = /^[A-Za-z0-9]+$/;
/** Maximum number of entries per section. */
const LIMITS = { Resources: 500, Parameters: 200, Outputs: 200, Mappings: 200 } as const;
const MAX_DESCRIPTION = 1024;

/** Creates a `ValidationError` for a section with too many entries. */
export const tooMany = (members: string, count: number, most: number): AwsError =>
  badTemplate(`Number of ${members}, ${count}, is greater than maximum allowed, ${most}`);

const section = (template: JsonObject, name: string): JsonObject => {
  const value = template[name] ?? {};
  if (!isObject(value)) throw badTemplate(`${name} must be an object.`);
  return value;
};

/**
 * Validates the form of a template after macro expansion.
 * @throws AwsError `ValidationError` with CloudFormation's message
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-anatomy.html
 */
export function checkTemplate(raw: JsonObject): Template {
  for (const name of Object.keys(raw))
    if (!SECTIONS.has(name)) throw invalid(`Invalid template property or properties [${name}]`);
  const { AWSTemplateFormatVersion: version, Description } = raw;
  if (version !== undefined && version !== '2010-09-09')
    throw badTemplate(`Unrecognized template format version: ${String(version)}`);
  if (Description !== undefined && typeof Description !== 'string')
    throw badTemplate('Every Description member must be a string.');
  if (Description && exceedsBytes(Description, MAX_DESCRIPTION))
    throw badTemplate(`Description must be no longer than ${MAX_DESCRIPTION} bytes.`);
  const template: Template = {
    ...(typeof version === 'string' && { AWSTemplateFormatVersion: version }),
    ...(typeof Description === 'string' && { Description }),
    ...(isObject(raw.Metadata) && { Metadata: raw.Metadata }),
    Parameters: checkParameters(section(raw, 'Parameters')),
    Mappings: checkMappings(section(raw, 'Mappings')),
    Conditions: section(raw, 'Conditions'),
    Rules: section(raw, 'Rules') as Template['Rules'],
    Resources: checkResources(section(raw, 'Resources')),
    Outputs: checkOutputs(section(raw, 'Outputs')),
  };
  for (const [name, most] of Object.entries(LIMITS)) {
    const count = Object.keys(template[name as keyof typeof LIMITS]).length;
    if (count > most) throw tooMany(name.toLowerCase(), count, most);
  }
  return template;
}

function checkParameters(parameters: JsonObject): Template['Parameters'] {
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!ALPHANUMERIC.test(name)) throw badTemplate(`Parameter name ${name} is non alphanumeric.`);
    if (!isObject(parameter)) throw badTemplate('Any Parameters member must be an object.');
    if (typeof parameter.Type !== 'string') throw badTemplate(`Every Parameters object must contain a Type member.`);
  }
  return parameters as unknown as Template['Parameters'];
}

function checkMappings(mappings: JsonObject): Template['Mappings'] {
  for (const [name, mapping] of Object.entries(mappings)) {
    if (!isObject(mapping)) throw badTemplate(`Every Mappings member ${name} must be a map`);
    // Transforms in mappings are expanded earlier.
    for (const [key, entry] of Object.entries(mapping)) {
      if (!isObject(entry)) throw badTemplate(`Every Mappings member ${key} must be a map`);
      for (const value of Object.values(entry))
        if (isObject(value)) throw badTemplate('Every Mappings attribute must be a String or a List.');
    }
  }
  return mappings as Template['Mappings'];
}

function checkResources(resources: JsonObject): Template['Resources'] {
  if (Object.keys(resources).length === 0) throw badTemplate('At least one Resources member must be defined.');
  for (const [name, resource] of Object.entries(resources)) {
    if (!ALPHANUMERIC.test(name)) throw badTemplate(`Resource name ${name} is non alphanumeric.`);
    if (!isObject(resource)) throw badTemplate('Any Resources member must be an object.');
    if (typeof resource.Type !== 'string')
      throw badTemplate(`[/Resources/${name}] Every Resources object must contain a Type member.`);
    for (const member of Object.keys(resource))
      if (!RESOURCE_MEMBERS.has(member)) throw invalid(`Invalid template resource property '${member}'`);
    if (resource.Properties !== undefined && !isObject(resource.Properties))
      throw badTemplate(`[/Resources/${name}/Properties] Every Properties member must be an object.`);
    checkAttributes(name, resource as unknown as TemplateResource);
  }
  return resources as unknown as Template['Resources'];
}

function checkAttributes(
  name: string,
  { DependsOn, Condition, DeletionPolicy, UpdateReplacePolicy }: TemplateResource,
) {
  const dependencies = DependsOn === undefined ? [] : [DependsOn].flat();
  if (dependencies.some((one) => typeof one !== 'string'))
    throw badTemplate(`[/Resources/${name}/DependsOn] Every DependsOn value must be a string.`);
  if (Condition !== undefined && typeof Condition !== 'string')
    throw badTemplate(`[/Resources/${name}/Condition] Every Condition member must be a string.`);
  for (const [member, policy] of Object.entries({ DeletionPolicy, UpdateReplacePolicy }))
    if (typeof policy === 'string' && !POLICIES.has(policy))
      throw badTemplate(`Unrecognized ${member} ${policy} for resource ${name}`);
}

function checkOutputs(outputs: JsonObject): Template['Outputs'] {
  for (const [name, output] of Object.entries(outputs)) {
    if (!ALPHANUMERIC.test(name)) throw badTemplate(`Output name ${name} is non alphanumeric.`);
    if (!isObject(output)) throw badTemplate('Any Outputs member must be an object.');
    if (output.Value === undefined) throw badTemplate('Every Outputs member must contain a Value object');
    if (output.Export !== undefined && !(isObject(output.Export) && output.Export.Name !== undefined))
      throw badTemplate(`Output ${name} is malformed. The Name field of every Export member must be specified.`);
  }
  return outputs as unknown as Template['Outputs'];
}
