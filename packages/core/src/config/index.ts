export {
  type DeclaredOptions,
  effectNote,
  type GivenSettings,
  nameOf,
  type OptionEntry,
  optionEntries,
} from './declared.ts';
export { nearest } from './nearest.ts';
export type { Option, OptionTable, Setting, SettingTable, ValuesOf } from './option.ts';
export { loadOptional } from './optional-package.ts';
export type { OptionValues } from './options.ts';
export {
  type Config,
  ConfigError,
  type ConfigSources,
  defaultSettings,
  resolveConfig,
  type SettingsFile,
} from './resolve.ts';
export type { ListenAddress } from './schemas.ts';
export type { EmulatorSettings, SettingsView } from './settings.ts';
