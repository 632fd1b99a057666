import { Tagging, tagsAsMap } from '@emu/core/service';
import { invalidParameter } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of identity pools. */
export const tagging = new Tagging({
  form: tagsAsMap,
  most: MAX_TAGS,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        return invalidParameter('Tag keys must not begin with aws:, which AWS reserves.');
      case 'characters':
        return invalidParameter('Some tags contain invalid characters.');
      case 'too-many':
        return invalidParameter(`An identity pool cannot have more than ${MAX_TAGS} tags.`);
      default:
        return undefined;
    }
  },
});
