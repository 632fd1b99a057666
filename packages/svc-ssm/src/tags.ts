import { Tagging, tagsAsList, tagsAsMap } from '@emu/core/service';
import type { Tag } from '@emu/service-types/ssm';
import { invalid, ssmError } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of resources. */
export const tagging = new Tagging<Tag[], Record<string, string>>({
  form: tagsAsList('Key', 'Value'),
  kept: tagsAsMap,
  most: MAX_TAGS,
  repeats: true,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        return invalid('aws: prefixed tag key names are not allowed for external use.');
      case 'too-many':
        return ssmError('TooManyTagsError', `The number of tags exceeds the limit of ${MAX_TAGS}.`);
      default:
        return undefined;
    }
  },
});
