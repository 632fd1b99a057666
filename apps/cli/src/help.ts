import { OPTION_ENTRIES } from '@emu/core';

const WIDTH = 34;

/** The settings that only the environment has, as `--help` lists them. */
export function environmentHelp(): string {
  const rows = OPTION_ENTRIES.filter(([, { flag }]) => flag === undefined).map(
    ([name, { description, defaultText }]) =>
      `${`  ${name}`.padEnd(WIDTH)}${name.length + 2 >= WIDTH ? `\n${' '.repeat(WIDTH)}` : ''}${description} ${shownDefault(defaultText)}`,
  );
  return `Settings that only the environment has:\n${rows.join('\n')}`;
}

/** `[default: …]`, nothing for an empty list. */
export const shownDefault = (text: string): string => `[default: ${text === '' ? 'none' : text}]`;
