export { BACKENDS, type Backend, CONTAINER_SERVICES, type ContainerServiceWord } from './container-options.ts';
export { nearest } from './nearest.ts';
export type { Option, ValuesOf } from './option.ts';
export { nameOf, OPTION_ENTRIES, OPTIONS, type OptionName, type OptionValues } from './options.ts';
export { type Config, ConfigError, type ConfigSources, defaultSettings, resolveConfig } from './resolve.ts';
export type { ListenAddress, Toleration } from './schemas.ts';
export type { EmulatorSettings } from './settings.ts';
