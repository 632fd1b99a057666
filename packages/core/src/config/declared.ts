import type { Option, OptionTable } from './option.ts';
import { OPTIONS } from './options.ts';
import type { SettingsView } from './settings.ts';

/** The settings, with how they were given. */
export interface GivenSettings extends SettingsView {
  /** Whether somebody gave the setting of this variable. */
  has(name: string): boolean;
  /** What messages call a setting: the flag or variable it was given by, else its flag, else its variable. */
  by(name: string): string;
}

/** Options that a package declares beside those of emu itself. */
export interface DeclaredOptions<Table extends OptionTable = OptionTable> {
  readonly table: Table;
  /** Rules between settings: the sentence that refuses them, undefined where they go together. */
  check?(settings: GivenSettings): string | undefined;
  /** Hosts, with or without a port, by which the settings let something reach the emulator. */
  hosts?(settings: SettingsView): readonly string[];
  /** Whether by the settings something has to reach the emulator from other machines. */
  remote?(settings: SettingsView): boolean;
}

/** An option and its environment variable. */
export type OptionEntry = readonly [name: string, option: Option<unknown>];

/**
 * Every option, in the order in which help shows them: those of emu itself, then the declared ones.
 * @throws Error where two have the same variable or the same flag
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

/** `--addr` for an option that has a flag, else its variable: how messages call it. */
export const nameOf = ([name, { flag }]: OptionEntry): string => (flag === undefined ? name : `--${flag}`);

/**
 * The services of which an option needs one to have an effect, where none of them exists; undefined where it has one.
 * @param existing names of the services that exist
 */
export const missingServices = (
  { services }: Option<unknown>,
  existing: readonly string[],
): readonly string[] | undefined => (services?.every((service) => !existing.includes(service)) ? services : undefined);

/** What help says of an option that has no effect, after its description; nothing of one that has. */
export function effectNote(option: Option<unknown>, existing: readonly string[]): string {
  const missing = missingServices(option, existing);
  return missing ? ` Has no effect yet: needs ${missing.join(' or ')}.` : '';
}
