import { Tagging, tagsAsList } from '@emu/core/service';
import { kmsError } from './errors.ts';

/**
 * Tags of keys. The model checks their lengths.
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_TagResource.html
 */
export const tagging = new Tagging({
  form: tagsAsList('TagKey', 'TagValue'),
  refuse({ code }) {
    switch (code) {
      case 'duplicate':
        return kmsError('TagException', 'Duplicate tag keys');
      case 'reserved':
        return kmsError('TagException', 'Tags beginning with aws: are reserved');
      case 'too-many':
        return kmsError('TagException', 'Too many tags');
      default:
        return undefined;
    }
  },
});
