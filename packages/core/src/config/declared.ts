import type { Option, OptionTable } from './option.ts';
import { OPTIONS } from './options.ts';
import type { SettingsView } from './settings.ts';

/** The settings with their sources. */
export interface GivenSettings extends SettingsView {
  /** Whether the setting of a variable was given. */
  has(name: string): boolean;
  /** Returns the name of a setting for messages: the flag or variable that set it, else its flag, else its variable. */
  by(name: string): string;
}

/** Options of a package other than core. */
export interface DeclaredOptions<Table extends OptionTable = OptionTable> {
  readonly table: Table;
  /** Rules between settings: each returns a sentence for a contradiction, else undefined. */
  check?(settings: GivenSettings): string | undefined;
  /** Returns hosts, with or without a port, that lead to the emulator by the settings. */
  hosts?(settings: SettingsView): readonly string[];
  /** Whether by the settings other machines have to reach the emulator. */
  remote?(settings: SettingsView): boolean;
}

/** An option and its environment variable. */
export type OptionEntry = readonly [name: string, option: Option<unknown>];

/**
 * Returns every option, in the order of help: those of emu itself, then the declared ones.
 * @throws Error for two options of the same variable or flag
 */
export function optionEntries(declared: readonly DeclaredOptions[] = []): readonly OptionEntry[] {
  const entries = [OPTIONS, ...declared.map(({ table }) => table)].flatMap((table): OptionEntry[] =>
    Object.entries(table),
  );
  const seen = new Set<string>();
  for (const entry of entries)
    for (const name of new Set([entry[0], nameOf(entry)])) {
      if (seen.has(name)) throw new Error(`two options are called ${name}`);
      seen.add(name);
    }
  return entries;
}

/** Returns an option's name for messages: `--addr` for one with a flag, else its variable. */
export const nameOf = ([name, { flag }]: OptionEntry): string => (flag === undefined ? name : `--${flag}`);

/**
 * Returns the services of which an option needs at least one, if none of them exists; undefined if the option has an
 * effect.
 * @param existing names of the services that exist
 */
export const missingServices = (
  { services }: Option<unknown>,
  existing: readonly string[],
): readonly string[] | undefined => (services?.every((service) => !existing.includes(service)) ? services : undefined);

/** Returns help's addition to the description of an option without effect; empty for one with effect. */
export function effectNote(option: Option<unknown>, existing: readonly string[]): string {
  const missing = missingServices(option, existing);
  return missing ? ` Has no effect yet: needs ${missing.join(' or ')}.` : '';
}
