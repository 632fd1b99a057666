import { type Option, optionEntries } from '@emu/core';
import { DECLARED_OPTIONS } from '@emu/emulator';

/** Every option with its environment variable, in the order in which help shows them. */
export const OPTION_ENTRIES = optionEntries(DECLARED_OPTIONS);

/** What help says of an option: its description and its default. */
export const describe = (option: Option<unknown>, variable?: string): string =>
  [
    option.description,
    ...(variable === undefined ? [] : [variable]),
    `[default: ${option.defaultText === '' ? 'none' : option.defaultText}]`,
  ].join(' ');
