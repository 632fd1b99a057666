import { isObject } from '@emu/wire';
import { documentProblem, resourceProblem } from './errors.ts';
import type { Obj, Resource } from './values.ts';

/** Whether a type belongs to SAM. */
export const isServerless = (type: unknown): type is string =>
  typeof type === 'string' && type.startsWith('AWS::Serverless::');

/**
 * Validates the structure of a template before any translation.
 * @returns its resources
 * @throws SamProblem
 */
export function resourcesOf({ Resources: resources, Mappings, Parameters }: Obj): Record<string, Resource> {
  if (!isObject(resources) || !Object.keys(resources).length) throw documentProblem("'Resources' section is required");
  for (const section of [Mappings, Parameters])
    if (section !== undefined && !isObject(section))
      throw documentProblem("'Mappings' or 'Parameters' is either null or not a valid dictionary.");
  if (!Object.values(resources).every(isObject))
    throw documentProblem("All 'Resources' must be Objects. If you're using YAML, this may be an indentation issue.");
  for (const [id, resource] of Object.entries(resources as Record<string, Resource>)) {
    if (resource.Condition && typeof resource.Condition !== 'string')
      throw documentProblem('Every Condition member must be a string.');
    if (isServerless(resource.Type) && resource.Properties !== undefined && !isObject(resource.Properties))
      throw resourceProblem(id, "Attribute 'Properties' should be a map.");
  }
  return resources as Record<string, Resource>;
}

/**
 * Validates a logical id.
 * @throws SamProblem
 */
export function checkLogicalId(id: string): void {
  if (!/^[A-Za-z0-9]+$/.test(id)) throw resourceProblem(id, 'Logical ids must be alphanumeric.');
}
