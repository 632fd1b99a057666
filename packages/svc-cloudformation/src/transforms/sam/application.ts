import { resourceProblem } from './errors.ts';
import type { Translation } from './translation.ts';
import { isObject, type Resource, tagList } from './values.ts';

/** Translates a nested application that a template stands for. Those of the repository are not to be had. @throws SamProblem */
export function translateApplication(id: string, resource: Resource, to: Translation): void {
  const { Location, Tags, Parameters, NotificationARNs, TimeoutInMinutes } = resource.Properties ?? {};
  if (Location === undefined) throw resourceProblem(id, 'Resource is missing the required [Location] property.');
  if (isObject(Location) && typeof Location.ApplicationId !== 'string')
    throw resourceProblem(id, 'Resource is missing the required [ApplicationId] property.');
  if (typeof Location !== 'string')
    throw resourceProblem(id, `Cannot access application: ${isObject(Location) ? Location.ApplicationId : Location}.`);
  const { Type: _, Properties: __, ...attributes } = resource;
  const TemplateURL = to.resolver.resolve(Location);
  to.add(
    id,
    'AWS::CloudFormation::Stack',
    { TemplateURL, Parameters, NotificationARNs, TimeoutInMinutes, Tags: tagList(Tags, 'lambda:createdBy') },
    attributes,
  );
}
