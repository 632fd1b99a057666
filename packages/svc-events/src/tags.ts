import { Tagging, tagsAsList } from '@emu/core/service';
import { invalid, limitExceeded } from './errors.ts';

/** Tags of rules and buses. If a key occurs twice in a request, the last value applies. */
export const tagging = new Tagging({
  form: tagsAsList('Key', 'Value'),
  repeats: true,
  refuse({ code }) {
    if (code === 'reserved') return invalid('Tag keys beginning with aws: are reserved.');
    return code === 'too-many' ? limitExceeded() : undefined;
  },
});
