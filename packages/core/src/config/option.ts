import type { OptionSchema } from './schemas.ts';

/** Settings, as defaults that follow from them see them. */
export interface SettingSource {
  /**
   * The settings of a table, e.g. `settings.of(SQS_OPTIONS).EMULATOR_SQS_…`: as given or, where nobody gives them, by
   * default.
   */
  of<Table extends SettingTable>(table: Table): ValuesOf<Table>;
}

/** How a setting is read: what its text means, and what it is where nobody gives it. */
export interface Setting<Value> {
  readonly schema: OptionSchema<NonNullable<Value>>;
  /** The default as one would type it; undefined where there is none or it follows from other settings. */
  readonly default: string | undefined;
  /** The default that follows from other settings. */
  derive?(settings: SettingSource): Value | undefined;
  /** Carries the type only: never set. */
  readonly valueType?: Value;
}

/** A setting as people give it: a flag, an environment variable, or both. */
export interface Option<Value> extends Setting<Value> {
  /** Name of the flag without dashes; undefined for settings that only the environment has. */
  readonly flag: string | undefined;
  /** The default as help shows it. */
  readonly defaultText: string;
  /** One sentence or two for people, without the default. */
  readonly description: string;
  /** Name of the value in help, e.g. `HOST:PORT`. */
  readonly placeholder: string;
  /** Whether the flag may be repeated; its values are one list then, as the variable's are between commas. */
  readonly repeatable: boolean;
  /** Whether the flag stands for `true` when it is given without a value. */
  readonly boolean: boolean;
  /** The services that use it; it has an effect as soon as one of them exists. Undefined where emu itself does. */
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

/** A setting with a default, given as one would type it. */
export const withDefault = <Value>(text: string, parts: OptionParts<Value>): Option<Value> => make(parts, text, text);

/**
 * A setting whose default follows from others, as `words` tell.
 * @param from works the default out of the other settings
 */
export const derived = <Value, From extends Value | undefined>(
  words: string,
  { from, ...parts }: OptionParts<Value> & { from(settings: SettingSource): From },
): Option<Value | From> => ({ ...(make(parts, undefined, words) as Option<Value | From>), derive: from });

/** A setting that may be absent; `words` tell what happens then. */
export const optional = <Value>(words: string, parts: OptionParts<Value>): Option<Value | undefined> =>
  make(parts, undefined, words);

/** How to read a setting that another package declares: its default, as one would type it, and what its text means. */
export const readAs = <Value>(text: string, schema: OptionSchema<NonNullable<Value>>): Setting<Value> => ({
  schema,
  default: text,
});
