import { Tagging, tagsAsList } from '@emu/core/service';
import type { Tag } from '@emu/service-types/cloudwatch';
import { invalid, invalidParameterValue } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of all resources with an ARN; the last value of a duplicate key counts. */
export const tagging = new Tagging<Tag[]>({
  form: tagsAsList('Key', 'Value'),
  most: MAX_TAGS,
  repeats: true,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        return invalidParameterValue('Tag keys beginning with aws: are reserved.');
      case 'too-many':
        return invalid(`A resource cannot have more than ${MAX_TAGS} tags.`);
      default:
        return undefined;
    }
  },
});
