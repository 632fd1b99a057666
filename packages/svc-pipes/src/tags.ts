import { Tagging, tagsAsMap } from '@emu/core/service';
import { invalid } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of pipes. The model defines the length limits. */
export const tagging = new Tagging({
  form: tagsAsMap,
  most: MAX_TAGS,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        return invalid('Tag keys beginning with aws: are reserved.');
      case 'too-many':
        return invalid(`A pipe cannot have more than ${MAX_TAGS} tags.`);
      default:
        return undefined;
    }
  },
});
