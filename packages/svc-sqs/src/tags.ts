import { Tagging, type TagProblem, tagsAsMap } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { invalidParameterValue } from './errors.ts';

/** Creates the error for empty or too long tag keys. */
export const tagKeyLength = (): AwsError =>
  invalidParameterValue('Tag keys must be between 1 and 128 characters in length.');

/** Returns SQS's messages for invalid tags. */
function refusal(problem: TagProblem): AwsError {
  switch (problem.code) {
    case 'key-length':
      return tagKeyLength();
    case 'value-length':
      return invalidParameterValue('Tag values must be between 0 and 256 characters in length.');
    case 'reserved':
      return invalidParameterValue("Tag keys can't start with 'aws:'. This prefix is reserved for use by AWS.");
    default:
      return invalidParameterValue(
        'Tag keys and values can only contain letters, digits, white space and _ . : / = + - @.',
      );
  }
}

/**
 * Tags of queues.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html
 */
export const tagging = new Tagging({
  form: tagsAsMap,
  refuse: (problem, queue) =>
    problem.code === 'too-many' ? invalidParameterValue(`Too many tags added for queue ${queue}.`) : refusal(problem),
});
