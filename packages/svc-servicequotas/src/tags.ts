import { Tagging, tagsAsList, tagsAsMap } from '@emu/core/service';
import type { Tag } from '@emu/service-types/servicequotas';
import { illegalArgument, servicequotasError } from './errors.ts';

const MAX_TAGS = 50;

/**
 * Tags of quotas. The model defines length limits and characters.
 * @see https://docs.aws.amazon.com/servicequotas/latest/userguide/sq-tagging.html
 */
export const tagging = new Tagging<Tag[], Record<string, string>>({
  form: tagsAsList('Key', 'Value'),
  kept: tagsAsMap,
  most: MAX_TAGS,
  repeats: true,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        return illegalArgument('Tag keys must not begin with aws:, which AWS reserves.');
      case 'too-many':
        return servicequotasError('TooManyTagsException', `A quota cannot have more than ${MAX_TAGS} tags.`);
      default:
        return undefined;
    }
  },
});
