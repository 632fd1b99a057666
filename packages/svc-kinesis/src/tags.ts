import { Tagging, tagsAsMap } from '@emu/core/service';
import { invalidArgument, limitExceeded } from './errors.ts';

const MAX_TAGS = 50;

/**
 * Tags of streams and consumers: `InvalidArgumentException`, `LimitExceededException`. The model defines their maximum
 * lengths.
 */
export const tagging = new Tagging({
  form: tagsAsMap,
  most: MAX_TAGS,
  refuse(problem) {
    switch (problem.code) {
      case 'characters':
        return invalidArgument(
          'Some tags contain invalid characters. Valid characters: Unicode letters, digits, white space, _ . / = + - % @ :.',
        );
      case 'reserved':
        return invalidArgument('Tag keys must not begin with aws:, which AWS reserves.');
      case 'too-many':
        return limitExceeded(`A resource cannot have more than ${MAX_TAGS} tags associated with it.`);
      default:
        return undefined;
    }
  },
});
