import type { OptionEntry } from '@emu/core/service';
import { describe, OPTION_ENTRIES } from './options.ts';
import { wrapped } from './wrapped.ts';

/** Column of the descriptions. */
const INDENT = 34;
/** Returns the line width: that of the terminal, within limits. */
const WIDTH = Math.max(80, Math.min(process.stdout.columns || 120, 140));

/** Descriptions by flag that replace those of the options. */
export type FlagTexts = Readonly<Record<string, string>>;

/** Lists the flags of a command for `--help`, each with the name of its value. */
export function flagsHelp(flags: readonly string[], texts: FlagTexts = {}): string {
  const rows = OPTION_ENTRIES.flatMap((entry) => {
    const [variable, option] = entry;
    if (option.flag === undefined || !flags.includes(option.flag)) return [];
    const description = texts[option.flag] ?? option.description;
    return [row(`--${option.flag}${placeholderOf(entry, ' ')}`, describe({ ...option, description }, variable))];
  });
  return `Flags, each with its environment variable:\n${rows.join('\n')}`;
}

/** Lists the settings without flags for `--help`. */
export function environmentHelp(): string {
  const rows = OPTION_ENTRIES.filter(([, { flag }]) => flag === undefined).map((entry) =>
    row(entry[0] + placeholderOf(entry, '='), describe(entry[1])),
  );
  return `Settings without flags:\n${rows.join('\n')}`;
}

/** Returns the placeholder for the value of an option; a boolean flag has none. */
const placeholderOf = ([, { boolean, flag, placeholder }]: OptionEntry, separator: string): string =>
  boolean ? (flag === undefined ? `${separator}true|false` : '') : separator + placeholder;

/** Formats a name with its description beside it, or below a long name. */
function row(name: string, description: string): string {
  const head = `  ${name}`;
  const margin = ' '.repeat(INDENT);
  const [first, ...others] = wrapped(description, WIDTH - INDENT);
  const beside = head.length < INDENT ? [head.padEnd(INDENT) + first] : [head, margin + first];
  return [...beside, ...others.map((line) => margin + line)].join('\n');
}
