import { safeParse } from 'valibot';
import { CONTAINER_SERVICES, type ContainerServiceWord } from './container-options.ts';
import { deriveDefaults } from './derive.ts';
import { nearest } from './nearest.ts';
import { nameOf, OPTION_ENTRIES, OPTIONS, type OptionName, type OptionValues } from './options.ts';
import type { EmulatorSettings } from './settings.ts';

/** A setting that cannot be used; the message is one sentence that names the flag or variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Where settings come from. */
export interface ConfigSources {
  /** Flags by name without dashes, as on the command line: text, several texts where repeated, `true` for a bare one. */
  flags?: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** Environment variables; those that are empty count as absent. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Names of the services that exist; settings of others are named in a warning. All exist where undefined. */
  services?: readonly string[];
}

/** What the settings come to. */
export interface Config {
  settings: EmulatorSettings;
  /** Sentences to show at start-up. */
  warnings: string[];
}

/** A text that somebody gave, and the name of the flag or variable it came by. */
interface Given {
  text: string;
  by: string;
}

type GivenByName = Map<OptionName, Given>;

/**
 * Settings from flags and environment variables; flags win.
 * @throws ConfigError for a flag that does not exist, a value that is not accepted, or settings that contradict each other
 */
export function resolveConfig({ flags = {}, env = {}, services }: ConfigSources): Config {
  const given = collect(flags, env);
  const values: Record<string, unknown> = {};
  for (const [name, option] of OPTION_ENTRIES) {
    const source = given.get(name);
    const text = source?.text ?? option.default;
    if (text === undefined) continue;
    const result = safeParse(option.schema, text);
    if (!result.success)
      throw new ConfigError(`${source?.by ?? name} must be ${result.issues[0].message}, not ${JSON.stringify(text)}.`);
    values[name] = result.output;
  }
  const complete = deriveDefaults(values as never, given);
  checkTogether(complete, given);
  return { settings: settingsOf(complete), warnings: warningsOf(complete, given, env, services) };
}

/** Settings as they are when nobody gives any, but for those of `overrides`. */
export function defaultSettings(
  overrides: Partial<Omit<EmulatorSettings, 'values'>> & { values?: Partial<OptionValues> } = {},
): EmulatorSettings {
  const { values, ...rest } = overrides;
  const { settings } = resolveConfig({});
  return { ...settings, ...rest, values: { ...settings.values, ...values } };
}

function settingsOf(values: OptionValues): EmulatorSettings {
  return {
    region: values.EMULATOR_REGION,
    accountId: values.EMULATOR_ACCOUNT_ID,
    externalUrl: values.EMULATOR_EXTERNAL_URL,
    domain: values.EMULATOR_DOMAIN,
    values,
  };
}

function collect(flags: ConfigSources['flags'] & object, env: ConfigSources['env'] & object): GivenByName {
  const given: GivenByName = new Map();
  const known = new Set<string>();
  for (const [name, option] of OPTION_ENTRIES) {
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
  return given;
}

function flagText(flag: string, value: string | boolean | readonly string[], repeatable: boolean): string {
  if (typeof value !== 'object') return String(value);
  if (!repeatable && value.length > 1) throw new ConfigError(`--${flag} may be given only once.`);
  return value.join(',');
}

/** Rules between settings. */
function checkTogether(values: OptionValues, given: GivenByName): void {
  const by = (name: OptionName): string => given.get(name)?.by ?? nameOf(name);
  const fail = (sentence: string): never => {
    throw new ConfigError(sentence);
  };
  if (values.EMULATOR_STORAGE_MODE === 'persistent' && !values.EMULATOR_DATA_PATH)
    fail(
      `${by('EMULATOR_STORAGE_MODE')} persistent requires ${nameOf('EMULATOR_DATA_PATH')} (EMULATOR_DATA_PATH), the directory to keep state in.`,
    );

  const importFlags = ['EMULATOR_DYNAMODB_IMPORT_PATH', 'EMULATOR_DYNAMODB_DESCRIBE_TABLE'] as const;
  if (values.EMULATOR_DYNAMODB_IMPORT_DIR)
    for (const name of importFlags)
      if (values[name]) fail(`${by('EMULATOR_DYNAMODB_IMPORT_DIR')} and ${by(name)} exclude each other.`);
  for (const [one, other] of [importFlags, [...importFlags].reverse()] as [OptionName, OptionName][])
    if (values[one] && !values[other]) fail(`${by(one)} requires ${nameOf(other)} (${other}).`);

  if (!values.EMULATOR_DNS)
    for (const name of ['EMULATOR_DNS_ADDR', 'EMULATOR_DNS_UPSTREAM'] as const)
      if (given.has(name)) fail(`${by(name)} can be used only with --dns (EMULATOR_DNS).`);

  if (!values.EMULATOR_K8S_SELF_URL)
    for (const word of Object.keys(CONTAINER_SERVICES) as ContainerServiceWord[]) {
      const name = `EMULATOR_${word}_BACKEND` as const;
      if (values[name] === 'k8s')
        fail(
          `${given.has(name) ? name : 'EMULATOR_CONTAINER_BACKEND'} k8s requires EMULATOR_K8S_SELF_URL, the URL at which Pods reach emu.`,
        );
    }
}

function warningsOf(
  values: OptionValues,
  given: GivenByName,
  env: ConfigSources['env'] & object,
  services: readonly string[] | undefined,
): string[] {
  const warnings: string[] = [];
  for (const name of Object.keys(env))
    if (name.startsWith('EMULATOR_') && env[name] && !Object.hasOwn(OPTIONS, name))
      warnings.push(`${name} is not a variable that emu knows${hint(name, Object.keys(OPTIONS))}`);

  if (values.EMULATOR_STORAGE_MODE === 'memory') {
    const idle = (['EMULATOR_DATA_PATH', 'EMULATOR_SYNC'] as const).filter((name) => values[name] && given.has(name));
    for (const name of idle)
      warnings.push(`${given.get(name)!.by} has no effect without --storage-mode persistent (EMULATOR_STORAGE_MODE).`);
  }

  if (services) {
    const idle = [...given].filter(([name]) => OPTIONS[name].services?.every((service) => !services.includes(service)));
    if (idle.length) {
      const named = idle.map(([name, { by }]) => `${by} (${OPTIONS[name].services!.join(', ')})`);
      warnings.push(`These settings have no effect because emu does not have their service yet: ${named.join('; ')}.`);
    }
  }
  return warnings;
}

/** Ends a sentence about an unknown name, with the known one that was probably meant. */
const hint = (name: string, known: readonly string[]): string => {
  const match = nearest(name, known);
  return match === undefined ? '.' : `; did you mean ${match}?`;
};
