import { describe, OPTION_ENTRIES } from './options.ts';

const WIDTH = 34;

/** The settings that only the environment has, as `--help` lists them. */
export function environmentHelp(): string {
  const rows = OPTION_ENTRIES.filter(([, { flag }]) => flag === undefined).map(
    ([name, option]) =>
      `${`  ${name}`.padEnd(WIDTH)}${name.length + 2 >= WIDTH ? `\n${' '.repeat(WIDTH)}` : ''}${describe(option)}`,
  );
  return `Settings that only the environment has:\n${rows.join('\n')}`;
}
