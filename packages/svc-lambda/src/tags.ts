import { Tagging, type TagProblem, tagsAsMap } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { invalidParameterValue } from './errors.ts';
import { LIMITS } from './limits.ts';

/** Returns Lambda's messages for invalid tags. */
function refusal(problem: TagProblem): AwsError {
  switch (problem.code) {
    case 'too-many':
      return invalidParameterValue('Number of tags exceeds resource tag limit.');
    case 'reserved':
      return invalidParameterValue(`Tag key ${problem.key} is invalid: the prefix aws: is reserved.`);
    case 'key-length':
      return invalidParameterValue('Tag keys must be between 1 and 128 characters long.');
    case 'value-length':
      return invalidParameterValue('Tag values must be at most 256 characters long.');
    default:
      return invalidParameterValue(
        'Tag keys and values may contain letters, numbers, spaces and the characters _.:/=+-@ only.',
      );
  }
}

/**
 * Tags of functions, event source mappings, capacity providers and code signing configurations.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-tags.html
 */
export const tagging = new Tagging<Record<string, string>>({ form: tagsAsMap, most: LIMITS.tags, refuse: refusal });
