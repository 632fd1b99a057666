import { Tagging, tagsAsList, tagsAsMap } from '@emu/core/service';
import type { Tag } from '@emu/service-types/stepfunctions';
import { invalid, stepfunctionsError } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of state machines and activities. */
export const tagging = new Tagging<Tag[], Record<string, string>>({
  form: tagsAsList('key', 'value'),
  kept: tagsAsMap,
  most: MAX_TAGS,
  repeats: true,
  refuse: (problem) =>
    problem.code === 'too-many'
      ? stepfunctionsError('TooManyTags', `A resource cannot have more than ${MAX_TAGS} tags.`)
      : invalid('A tag key or value is not valid.'),
});
