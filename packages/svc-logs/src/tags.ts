import { Tagging, tagsAsMap } from '@emu/core/service';
import { invalidParameter, logsError } from './errors.ts';

/** Tags of log groups and other resources with ARNs. */
export const tagging = new Tagging({
  form: tagsAsMap,
  refuse({ code }) {
    switch (code) {
      case 'too-many':
        return logsError('TooManyTagsException', 'The resource has too many tags.');
      case 'reserved':
        return invalidParameter('Tag keys beginning with aws: are reserved for use by AWS.');
      default:
        return undefined;
    }
  },
});
