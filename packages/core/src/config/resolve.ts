import { safeParse } from 'valibot';
import {
  type DeclaredOptions,
  type GivenSettings,
  missingServices,
  nameOf,
  type OptionEntry,
  optionEntries,
} from './declared.ts';
import { nearest } from './nearest.ts';
import type { OptionValues } from './options.ts';
import { type EmulatorSettings, type SettingsView, settingOf, valuesOf } from './settings.ts';

/** Error for an invalid setting; the message is one sentence that names the flag or variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Settings of a file. */
export interface SettingsFile {
  /** The file's name, for messages. */
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Sources of settings. */
export interface ConfigSources {
  /**
   * Flags by name without dashes, as on the command line: a text, several texts if repeated, or `true` without a value.
   */
  flags?: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** A file of settings, each by its flag without dashes or by its variable; flags and variables override it. */
  file?: SettingsFile;
  /** Environment variables; empty ones count as absent. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * Names of the services that exist; settings of other services cause a warning. Undefined stands for all services.
   */
  services?: readonly string[];
  /** Options other than those of emu itself. */
  options?: readonly DeclaredOptions[];
}

/** The resolved settings. */
export interface Config {
  settings: EmulatorSettings;
  /** Warnings to show at start-up. */
  warnings: string[];
}

/** A given text, and the name of the flag or variable that gave it. */
interface Given {
  text: string;
  by: string;
}

type GivenByName = Map<string, Given>;

/**
 * Resolves settings from flags, environment variables and a file; flags override variables, which override the file.
 * @throws ConfigError for an unknown flag, an invalid value, or contradicting settings
 * @throws Error for two options of the same variable or flag
 */
export function resolveConfig({ flags = {}, file, env = {}, services, options = [] }: ConfigSources): Config {
  const entries = optionEntries(options);
  const given: GivenByName = file ? readFile(entries, file) : new Map();
  collect(entries, flags, env, given);
  const view: SettingsView = { values: complete(entries, options, given), of: valuesOf };
  const checked = { ...view, ...naming(entries, given) };
  for (const check of [checkStorage, ...options.map((declared) => declared.check?.bind(declared))]) {
    const refusal = check?.(checked);
    if (refusal !== undefined) throw new ConfigError(refusal);
  }
  const hosts = options.flatMap((declared) => declared.hosts?.(view) ?? []);
  return { settings: settingsOf(view.values, hosts), warnings: warningsOf(entries, checked, given, env, services) };
}

/** Returns default settings, with `overrides` of any declared table. */
export function defaultSettings(
  overrides: Partial<Omit<EmulatorSettings, 'values' | 'of'>> & {
    values?: Partial<OptionValues> & Readonly<Record<string, unknown>>;
  } = {},
): EmulatorSettings {
  const { values, ...rest } = overrides;
  const { settings } = resolveConfig({});
  return { ...settings, ...rest, values: { ...settings.values, ...values } };
}

function settingsOf(values: OptionValues, hosts: readonly string[]): EmulatorSettings {
  return {
    region: values.EMULATOR_REGION,
    accountId: values.EMULATOR_ACCOUNT_ID,
    externalUrl: values.EMULATOR_EXTERNAL_URL,
    domain: values.EMULATOR_DOMAIN,
    hosts,
    values,
    of: valuesOf,
  };
}

/** Reads the settings of a file. @throws ConfigError for an unknown setting */
function readFile(entries: readonly OptionEntry[], { name: file, settings }: SettingsFile): GivenByName {
  const names = new Map(
    entries.flatMap(([name, { flag }]) => [[name, name], ...(flag ? [[flag, name] as const] : [])]),
  );
  const given: GivenByName = new Map();
  for (const [key, text] of Object.entries(settings)) {
    const name = names.get(key);
    if (name === undefined)
      throw new ConfigError(`${file}: ${key} is not a setting of emu${hint(key, [...names.keys()])}`);
    if (text) given.set(name, { text, by: `${file}: ${key}` });
  }
  return given;
}

/** Overlays flags and environment variables on the settings so far. @throws ConfigError for an unknown flag */
function collect(
  entries: readonly OptionEntry[],
  flags: ConfigSources['flags'] & object,
  env: ConfigSources['env'] & object,
  given: GivenByName,
): void {
  const known = new Set<string>();
  for (const [name, option] of entries) {
    const variable = env[name];
    if (variable) given.set(name, { text: variable, by: name });
    if (option.flag === undefined) continue;
    known.add(option.flag);
    const flag = flags[option.flag];
    if (flag !== undefined)
      given.set(name, { text: flagText(option.flag, flag, option.repeatable), by: `--${option.flag}` });
  }
  for (const [flag, value] of Object.entries(flags))
    if (value !== undefined && !known.has(flag))
      throw new ConfigError(
        `--${flag} is not a flag of emu${hint(
          `--${flag}`,
          [...known].map((name) => `--${name}`),
        )}`,
      );
}

function flagText(flag: string, value: string | boolean | readonly string[], repeatable: boolean): string {
  if (typeof value !== 'object') return String(value);
  if (!repeatable && value.length > 1) throw new ConfigError(`--${flag} may be given only once.`);
  return value.join(',');
}

/** Returns the value of every option: given values, then defaults; defaults that depend on other settings come last. */
function complete(
  entries: readonly OptionEntry[],
  options: readonly DeclaredOptions[],
  given: GivenByName,
): OptionValues {
  const values: Record<string, unknown> = {};
  for (const [name, option] of entries) {
    const source = given.get(name);
    const text = source?.text ?? option.default;
    if (text === undefined) continue;
    const result = safeParse(option.schema, text);
    if (!result.success)
      throw new ConfigError(`${source?.by ?? name} must be ${result.issues[0].message}, not ${JSON.stringify(text)}.`);
    values[name] = result.output;
  }
  const view: SettingsView = { values: values as never, of: valuesOf };
  for (const [name, option] of entries) if (option.derive) values[name] = settingOf(view, name, option);
  values.EMULATOR_ALLOW_REMOTE ??= given.has('EMULATOR_ADDR') || options.some((declared) => declared.remote?.(view));
  return view.values;
}

function naming(entries: readonly OptionEntry[], given: GivenByName): Pick<GivenSettings, 'has' | 'by'> {
  const names = new Map(entries.map((entry) => [entry[0], nameOf(entry)]));
  return { has: (name) => given.has(name), by: (name) => given.get(name)?.by ?? names.get(name) ?? name };
}

function checkStorage({ values, by }: GivenSettings): string | undefined {
  return values.EMULATOR_STORAGE_MODE === 'persistent' && !values.EMULATOR_DATA_PATH
    ? `${by('EMULATOR_STORAGE_MODE')} persistent requires ${by('EMULATOR_DATA_PATH')} (EMULATOR_DATA_PATH), the directory to keep state in.`
    : undefined;
}

function warningsOf(
  entries: readonly OptionEntry[],
  { values, has, by }: GivenSettings,
  given: GivenByName,
  env: ConfigSources['env'] & object,
  services: readonly string[] | undefined,
): string[] {
  const warnings: string[] = [];
  const known = new Map(entries);
  for (const name of Object.keys(env))
    if (name.startsWith('EMULATOR_') && env[name] && !known.has(name))
      warnings.push(`${name} is not a variable that emu knows${hint(name, [...known.keys()])}`);

  if (values.EMULATOR_STORAGE_MODE === 'memory')
    for (const name of ['EMULATOR_DATA_PATH', 'EMULATOR_SYNC', 'EMULATOR_NO_RESUME'] as const)
      if (values[name] && has(name))
        warnings.push(`${by(name)} has no effect without --storage-mode persistent (EMULATOR_STORAGE_MODE).`);

  if (services) {
    const idle = [...given].flatMap(([name, source]) => {
      const missing = missingServices(known.get(name)!, services);
      return missing ? [`${source.by} (${missing.join(', ')})`] : [];
    });
    if (idle.length)
      warnings.push(`These settings have no effect because emu does not have their service yet: ${idle.join('; ')}.`);
  }
  return warnings;
}

/** Returns the end of a sentence about an unknown name, with the most similar known one. */
const hint = (name: string, known: readonly string[]): string => {
  const match = nearest(name, known);
  return match === undefined ? '.' : `; did you mean ${match}?`;
};
