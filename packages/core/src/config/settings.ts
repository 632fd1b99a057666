import * as v from 'valibot';
import type { Setting, SettingSource, SettingTable, ValuesOf } from './option.ts';
import type { OptionValues } from './options.ts';

/** The settings, before derived settings are computed. */
export interface SettingsView extends SettingSource {
  /** Every setting of emu itself by its variable, e.g. `values.EMULATOR_STORAGE_MODE`, as given, else by default. */
  readonly values: OptionValues;
}

/** Settings of the emulator that services read. */
export interface EmulatorSettings extends SettingsView {
  /** Region of requests without a region. */
  readonly region: string;
  /** Account of requests whose access key is unknown. */
  readonly accountId: string;
  /** `EMULATOR_EXTERNAL_URL`, without a trailing slash. */
  readonly externalUrl: string | undefined;
  /** Domain of the emulator's own host names. */
  readonly domain: string;
  /** Further hosts of the emulator, with or without a port, from options of services. */
  readonly hosts: readonly string[];
}

/** Implements `SettingsView.of` on `values`, which include the settings of every declared table. */
export function valuesOf<Table extends SettingTable>(this: SettingsView, table: Table): ValuesOf<Table> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(table)) values[name] = settingOf(this, name, table[name]!);
  return values as ValuesOf<Table>;
}

/** Returns a setting as given, else by default. */
export function settingOf(settings: SettingsView, name: string, setting: Setting<unknown>): unknown {
  const values = settings.values as unknown as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(values, name)) return values[name];
  return setting.default === undefined ? setting.derive?.(settings) : v.parse(setting.schema, setting.default);
}
