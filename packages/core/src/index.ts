// Exports of core for the gateway, the emulator and the command: the machine that runs services. Services use
// service.ts.

export { createIds } from './base/ids.ts';
export { createLogger } from './base/log.ts';
export * from './base/reads.ts';
export * from './bodies/stores.ts';
export { effectNote, nameOf, optionEntries } from './config/declared.ts';
export * from './config/nearest.ts';
export type { OptionValues } from './config/options.ts';
export * from './config/resolve.ts';
export type { ListenAddress } from './config/schemas.ts';
export { answeredInvocation } from './invocation/answered.ts';
export type { Observers } from './invocation/observers.ts';
export type { Checkpoint } from './kernel/checkpoint.ts';
export * from './kernel/kernel.ts';
export * from './names/domains.ts';
export * from './persistence/disk.ts';
export type * from './persistence/persistence.ts';
export { ownIdentity, type ProcessIdentity, stateOf as processStateOf } from './persistence/process-identity.ts';
export { isSecretHeader } from './recorder/masks.ts';
export type * from './recorder/recorded-request.ts';
export type { RecordableRequest } from './recorder/recorder.ts';
export { isSecretName } from './recorder/secrets.ts';
export type { SelfAccess } from './services/environment.ts';
export type * from './services/invocation.ts';
export type { LoadedService } from './services/loaded-service.ts';
export type { Quotas } from './services/quotas.ts';
export { type GoneRecords, type HeldCollection, type ScopeKey, ServiceStore } from './state/store.ts';
export type { LoadedState, LoadOptions } from './state-file/load.ts';
export type { StateSelection } from './state-file/selection.ts';
export { nodeFileSystem } from './storage/file-system.ts';
export * from './storage/storage-trouble.ts';
export { EmulatorClock } from './time/clock.ts';
