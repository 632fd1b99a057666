import type { OptionSchema } from './schemas.ts';

/** Settings as inputs of defaults that depend on them. */
export interface SettingSource {
  /** Returns the settings of a table, e.g. `settings.of(SQS_OPTIONS).EMULATOR_SQS_…`: as given, else by default. */
  of<Table extends SettingTable>(table: Table): ValuesOf<Table>;
}

/** Parser and default of a setting. */
export interface Setting<Value> {
  readonly schema: OptionSchema<NonNullable<Value>>;
  /** The default as text; undefined without a default, or if it depends on other settings. */
  readonly default: string | undefined;
  /** Computes a default that depends on other settings. */
  derive?(settings: SettingSource): Value | undefined;
  /** Carries the type only; never set. */
  readonly valueType?: Value;
}

/** Declaration of a setting: a flag, an environment variable, or both. */
export interface Option<Value> extends Setting<Value> {
  /** Name of the flag without dashes; undefined for settings with only a variable. */
  readonly flag: string | undefined;
  /** The default as help shows it. */
  readonly defaultText: string;
  /** One or two sentences for users, without the default. */
  readonly description: string;
  /** Name of the value in help, e.g. `HOST:PORT`. */
  readonly placeholder: string;
  /** Whether the flag may be repeated; its values form a list, as the comma-separated values of the variable do. */
  readonly repeatable: boolean;
  /** Whether the flag without a value means `true`. */
  readonly boolean: boolean;
  /** The services that use it; it has an effect if one of them exists. Undefined for options of emu itself. */
  readonly services: readonly string[] | undefined;
}

/** Settings by their environment variables. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** Options by their environment variables. */
export type OptionTable = Readonly<Record<string, Option<unknown>>>;

/** The values of a table. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never;
};

interface OptionParts<Value> {
  flag?: string;
  schema: OptionSchema<Value>;
  description: string;
  placeholder?: string;
  repeatable?: boolean;
  boolean?: boolean;
  services?: readonly string[];
}

const make = <Value>(parts: OptionParts<Value>, text: string | undefined, shown: string): Option<never> => ({
  flag: parts.flag,
  schema: parts.schema as OptionSchema<never>,
  default: text,
  defaultText: shown,
  description: parts.description,
  placeholder: parts.placeholder ?? 'VALUE',
  repeatable: parts.repeatable ?? false,
  boolean: parts.boolean ?? false,
  services: parts.services,
});

/** Declares a setting with a default, given as text. */
export const withDefault = <Value>(text: string, parts: OptionParts<Value>): Option<Value> => make(parts, text, text);

/**
 * Declares a setting whose default depends on others; `words` describe it.
 * @param from computes the default from the other settings
 */
export const derived = <Value, From extends Value | undefined>(
  words: string,
  { from, ...parts }: OptionParts<Value> & { from(settings: SettingSource): From },
): Option<Value | From> => ({ ...(make(parts, undefined, words) as Option<Value | From>), derive: from });

/** Declares an optional setting; `words` describe its absence. */
export const optional = <Value>(words: string, parts: OptionParts<Value>): Option<Value | undefined> =>
  make(parts, undefined, words);

/** Declares how to read another package's setting: its default as text, and its parser. */
export const readAs = <Value>(text: string, schema: OptionSchema<NonNullable<Value>>): Setting<Value> => ({
  schema,
  default: text,
});
