import { type Place, parseArn, taggable, taggedByArn, tagOperations } from '@emu/core/service';
import type { LambdaOperations } from '@emu/service-types/lambda';
import type { LambdaContext } from '../context.ts';
import { functionNotFound, invalidParameterValue, notFound } from '../errors.ts';
import {
  capacityProviderType,
  codeSigningConfigType,
  eventSourceMappingType,
  functionType,
  versionType,
} from '../resources.ts';
import { tagging } from '../tags.ts';

/** Creates the error for an ARN of another region. */
const unreachable = (_arn: string, { region }: Place, here: Place) =>
  region === here.region
    ? undefined
    : notFound(`Functions from '${region}' are not reachable in this region ('${here.region}')`);

const configNotFound = (arn: string) => notFound(`The Lambda code signing configuration ${arn} can not be found.`);

/**
 * Tags of functions, event source mappings, capacity providers and code signing configurations.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_TagResource.html
 */
export const tags = tagOperations<LambdaOperations, LambdaContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTags', 'Tags'],
  resource: taggedByArn({
    member: 'Resource',
    types: [
      taggable(versionType, () =>
        invalidParameterValue(
          'Tags on function aliases and versions are not supported. Please specify a function ARN.',
        ),
      ),
      taggable(functionType, (_key, arn) => functionNotFound(arn)),
      taggable(eventSourceMappingType, (_key, arn) => notFound(`Event source mapping not found: ${arn}`)),
      taggable(capacityProviderType, (_key, arn) => notFound(`Capacity provider not found: ${arn}`)),
      taggable(codeSigningConfigType, (_key, arn) => configNotFound(arn)),
    ],
    unknown: (arn, ctx) => unreachable(arn, parseArn(arn)!, ctx) ?? configNotFound(arn),
    elsewhere: unreachable,
  }),
  check({ added }) {
    if (added && !Object.keys(added).length)
      throw invalidParameterValue('An error occurred and the request cannot be processed.');
  },
});
