import { parseArgs } from 'node:util';
import { OPTION_ENTRIES } from './options.ts';

/** Flags by name without dashes, for `resolveConfig`. */
export type Flags = Record<string, string | boolean | readonly string[] | undefined>;

const booleans = new Set(OPTION_ENTRIES.flatMap(([, { flag, boolean }]) => (boolean && flag ? [flag] : [])));

/**
 * Adds the value to each boolean flag, so that every flag has one: `--dns` becomes `--dns=true`, `--no-dns`
 * `--dns=false`. Arguments after `--` are unchanged.
 */
export function normalise(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const normal = own.map((arg) => {
    if (!arg.startsWith('--')) return arg;
    const name = arg.slice(2);
    if (booleans.has(name)) return `--${name}=true`;
    return name.startsWith('no-') && booleans.has(name.slice(3)) ? `--${name.slice(3)}=false` : arg;
  });
  return [...normal, ...args.slice(own.length)];
}

/**
 * Parses the flags of a plain `emu` or `emu start` without yargs, which would double the start-up time. Returns
 * undefined for all other command lines, including invalid ones, which yargs parses.
 * @param args from `normalise`
 */
export function startFlags(args: readonly string[]): Flags | undefined {
  const options = Object.fromEntries(
    OPTION_ENTRIES.flatMap(([, { flag }]) => (flag ? [[flag, { type: 'string', multiple: true }] as const] : [])),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const plain = positionals.length === 0 || (positionals.length === 1 && positionals[0] === 'start');
    return plain ? values : undefined;
  } catch {
    // yargs and resolveConfig report the error.
    return undefined;
  }
}
