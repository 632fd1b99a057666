import { Tagging, tagsAsList, tagsAsMap } from '@emu/core/service';
import type { Tag } from '@emu/service-types/firehose';
import { limitExceeded } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of delivery streams. The model defines their maximum lengths. */
export const tagging = new Tagging<Tag[], Record<string, string>>({
  form: tagsAsList('Key', 'Value'),
  kept: tagsAsMap,
  most: MAX_TAGS,
  repeats: true,
  refuse(problem) {
    switch (problem.code) {
      case 'too-many':
        return limitExceeded(`A delivery stream cannot have more than ${MAX_TAGS} tags.`);
      default:
        return undefined;
    }
  },
});
