import { Tagging, tagsAsList } from '@emu/core/service';
import type { Tag } from '@emu/service-types/sesv2';
import { badRequest } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of SES's resources; their lengths are limited by the model. */
export const tagging = new Tagging<Tag[]>({
  form: tagsAsList('Key', 'Value'),
  most: MAX_TAGS,
  refuse(problem) {
    switch (problem.code) {
      case 'duplicate':
        return badRequest(`Tag key <${problem.key}> is given more than once.`);
      case 'reserved':
        return badRequest('Tag keys must not begin with aws:.');
      case 'too-many':
        return badRequest(`A resource cannot have more than ${MAX_TAGS} tags.`);
      case 'characters':
        return badRequest(`Tag <${problem.key}> has characters that tags may not have.`);
      default:
        return badRequest(`Tag <${problem.key}> is too long.`);
    }
  },
});
