import { Tagging, tagsAsList } from '@emu/core/service';
import { invalidTag, tooManyTags } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of repositories. The model defines the length limits. */
export const tagging = new Tagging({
  form: tagsAsList('Key', 'Value'),
  most: MAX_TAGS,
  refuse(problem) {
    switch (problem.code) {
      case 'duplicate':
        return invalidTag(`Duplicate tag key ${problem.key}.`);
      case 'reserved':
        return invalidTag('Tag keys beginning with aws: are reserved.');
      case 'too-many':
        return tooManyTags(`A repository cannot have more than ${MAX_TAGS} tags.`);
      default:
        return undefined;
    }
  },
});
