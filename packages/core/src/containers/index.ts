export { Containers, type DriverOptions, type OpenDriver } from './backends.ts';
export { LocalPeers, type NetworkSources } from './local-peers.ts';
export * from './runtime.ts';
export { TailBuffer } from './tail-buffer.ts';
export { DATA_PATH_LABEL, VOLUME_SCOPE_FILE, type VolumeClaim, VolumeScope } from './volume-scope.ts';
