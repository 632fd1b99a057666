import { Tagging, tagsAsList } from '@emu/core/service';
import { invalid, quotaExceeded } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of groups. The model defines the length limits. */
export const tagging = new Tagging({
  form: tagsAsList('Key', 'Value'),
  most: MAX_TAGS,
  refuse(problem) {
    switch (problem.code) {
      case 'duplicate':
        return invalid(`The tag key ${problem.key} is given more than once.`);
      case 'reserved':
        return invalid('Tag keys beginning with aws: are reserved.');
      case 'too-many':
        return quotaExceeded(`A schedule group cannot have more than ${MAX_TAGS} tags.`);
      default:
        return undefined;
    }
  },
});
