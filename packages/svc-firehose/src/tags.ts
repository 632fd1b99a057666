import { Tagging, tagsAsMap } from '@emu/core/service';
import { invalidArgument, limitExceeded } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of delivery streams. How long they may be is the model's. */
export const tagging = new Tagging<Record<string, string>>({
  form: tagsAsMap,
  most: MAX_TAGS,
  refuse(problem) {
    switch (problem.code) {
      case 'duplicate':
        return invalidArgument(`The tag key ${problem.key} is given more than once.`);
      case 'too-many':
        return limitExceeded(`A delivery stream cannot have more than ${MAX_TAGS} tags.`);
      default:
        return undefined;
    }
  },
});
