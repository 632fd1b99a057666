import { effectNote, optionEntries } from '@emu/core';
import type { Option } from '@emu/core/service';
import { DECLARED_OPTIONS, SERVICE_NAMES } from '@emu/emulator';

/** All options with their environment variables, in the order of the help text. */
export const OPTION_ENTRIES = optionEntries(DECLARED_OPTIONS);

/** Returns the help text of an option: its description, whether it has no effect yet, and its default. */
export const describe = (option: Option<unknown>, variable?: string): string =>
  [
    `${option.description}${effectNote(option, SERVICE_NAMES)}`,
    ...(variable === undefined ? [] : [variable]),
    `[default: ${option.defaultText === '' ? 'none' : option.defaultText}]`,
  ].join(' ');
