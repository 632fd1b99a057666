import { Tagging, tagsAsMap } from '@emu/core/service';
import { badRequest } from './errors.ts';

const MAX_TAGS = 50;

/**
 * Tags of groups. The model defines length limits and characters.
 * @see https://docs.aws.amazon.com/ARG/latest/userguide/tagging-resource-groups.html
 */
export const tagging = new Tagging<Record<string, string>>({
  form: tagsAsMap,
  most: MAX_TAGS,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        return badRequest('Tag keys must not begin with aws:, which AWS reserves.');
      case 'too-many':
        return badRequest(`A group cannot have more than ${MAX_TAGS} tags.`);
      default:
        return undefined;
    }
  },
});
