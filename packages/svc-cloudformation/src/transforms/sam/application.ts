import { isObject } from '@emu/wire';
import { resourceProblem } from './errors.ts';
import { type ProblemOf, should } from './expect.ts';
import { checkProperties } from './properties.ts';
import { checkTags } from './tags.ts';
import type { Translation } from './translation.ts';
import { isIntrinsic, type Obj, type Resource, samTags } from './values.ts';

/**
 * Translates a nested application. Those of the Serverless Application Repository are validated, but unavailable.
 * @throws SamProblem
 */
export function translateApplication(id: string, resource: Resource, to: Translation): void {
  const { Location, Tags, Parameters, NotificationARNs, TimeoutInMinutes } = resource.Properties ?? {};
  const problemOf: ProblemOf = (problem) => resourceProblem(id, problem);
  if (Location === undefined) throw problemOf('Resource is missing the required [Location] property.');
  checkProperties(id, resource);
  checkTags(id, Tags);
  if (isObject(Location) && !isIntrinsic(Location)) {
    const application = propertyOf(Location, 'ApplicationId', problemOf, to);
    if (application.includes('{{resolve:'))
      throw problemOf(
        "Serverless Application Repostiory does not support dynamic reference in 'ApplicationId' property.",
      );
    propertyOf(Location, 'SemanticVersion', problemOf, to);
    throw problemOf(`Cannot access application: ${application}.`);
  }
  if (typeof Location !== 'string') throw problemOf('Cannot access application: its Location is not a URL.');
  const { Type: _, Properties: __, ...attributes } = resource;
  const TemplateURL = to.resolver.resolve(Location);
  to.add(
    id,
    'AWS::CloudFormation::Stack',
    { TemplateURL, Parameters, NotificationARNs, TimeoutInMinutes, Tags: samTags(Tags, 'lambda:createdBy') },
    attributes,
  );
}

/**
 * Returns one part of a repository application's location.
 * @throws SamProblem
 */
function propertyOf(location: Obj, name: string, problemOf: ProblemOf, to: Translation): string {
  if (!Object.hasOwn(location, name)) throw problemOf(`Resource is missing the required [${name}] property.`);
  const value = to.resolver.resolve(location[name]);
  if (name === 'ApplicationId' && (value === undefined || value === null))
    throw problemOf(`Property '${name}' is required.`);
  if (value === '' || value === undefined || value === null) throw problemOf(`Property '${name}' cannot be blank.`);
  if (isObject(value))
    throw problemOf(`Property '${name}' cannot be resolved. Only FindInMap and Ref intrinsic functions are supported.`);
  if (typeof value !== 'string') throw problemOf(should(`Location.${name}`, 'string'));
  return value;
}
