import { Tagging, tagsAsMap } from '@emu/core/service';
import { taggingRefused } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of user pools. */
export const tagging = new Tagging({
  form: tagsAsMap,
  most: MAX_TAGS,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        return taggingRefused('Tag keys must not begin with aws:, which AWS reserves.');
      case 'characters':
        return taggingRefused('Some tags contain invalid characters.');
      case 'too-many':
        return taggingRefused(`A user pool cannot have more than ${MAX_TAGS} tags.`);
      default:
        return undefined;
    }
  },
});
