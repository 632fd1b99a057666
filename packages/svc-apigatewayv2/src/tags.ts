import { Tagging, tagsAsMap } from '@emu/core/service';
import { badRequest } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of APIs, stages, domain names, VPC links, portals and portal products. */
export const tagging = new Tagging({
  form: tagsAsMap,
  most: MAX_TAGS,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        return badRequest('Tag keys cannot start with aws:');
      case 'key-length':
        return badRequest('Tag keys must have 1 to 128 characters');
      case 'value-length':
        return badRequest('Tag values must have at most 256 characters');
      case 'characters':
        return badRequest('Invalid characters in a tag');
      case 'too-many':
        return badRequest(`A resource cannot have more than ${MAX_TAGS} tags`);
      default:
        return undefined;
    }
  },
});

/** Tag that sets the id of a new API, as in LocalStack. */
export const CUSTOM_ID = '_custom_id_';
