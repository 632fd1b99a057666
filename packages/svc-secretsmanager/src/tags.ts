import { Tagging, tagsAsList } from '@emu/core/service';
import type { Tag } from '@emu/service-types/secretsmanager';
import { invalidParameter, limitExceeded } from './errors.ts';

const MAX_TAGS = 50;

/** Tags of a secret, with `InvalidParameterException` and `LimitExceededException`. The model checks the lengths. */
export const tagging = new Tagging<Tag[]>({
  form: tagsAsList('Key', 'Value'),
  most: MAX_TAGS,
  repeats: true,
  refuse(problem) {
    switch (problem.code) {
      case 'key-length':
        return invalidParameter('Tag keys must not be empty.');
      case 'reserved':
        return invalidParameter('Tag keys beginning with aws: are reserved.');
      case 'too-many':
        return limitExceeded(`You can't have more than ${MAX_TAGS} tags on a secret.`);
      default:
        return undefined;
    }
  },
});
