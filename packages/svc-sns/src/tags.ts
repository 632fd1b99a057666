import { Tagging, tagsAsList, tagsAsMap } from '@emu/core/service';
import { invalidParameter, snsError } from './errors.ts';

/** Tags of topics. */
export const tagging = new Tagging({
  form: tagsAsList('Key', 'Value'),
  kept: tagsAsMap,
  refuse({ code }) {
    switch (code) {
      case 'duplicate':
        return invalidParameter('Duplicated keys are not allowed.');
      case 'reserved':
        return invalidParameter('System tags cannot be added/updated by requester');
      case 'too-many':
        return snsError('TagLimitExceededException', 'Could not complete request: tag quota of per resource exceeded');
      default:
        return undefined;
    }
  },
});
