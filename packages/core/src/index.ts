export * from './aws/arn.ts';
export * from './aws/partitions.ts';
export * from './bodies/read-at-most.ts';
export * from './bodies/stores.ts';
export * from './capabilities/access-points.ts';
export * from './capabilities/capability.ts';
export * from './capabilities/containers.ts';
export * from './capabilities/control-policies.ts';
export * from './capabilities/custom-domains.ts';
export * from './capabilities/function-hosts.ts';
export * from './capabilities/http-apis.ts';
export * from './capabilities/identity-directory.ts';
export * from './capabilities/identity-tokens.ts';
export * from './capabilities/logs.ts';
export * from './capabilities/managed-nodes.ts';
export * from './capabilities/metrics.ts';
export * from './capabilities/quotas.ts';
export * from './capabilities/resource-directory.ts';
export * from './capabilities/resource-hooks.ts';
export * from './capabilities/rest-apis.ts';
export * from './cloudformation/index.ts';
export * from './config/index.ts';
export * from './customer-keys/index.ts';
export {
  type FirstRequest,
  IdempotencyTokens,
  tokenCollection,
  tokensOf,
} from './idempotency/idempotency-tokens.ts';
export * from './identity/access-keys.ts';
export * from './identity/principal.ts';
export * from './identity/root.ts';
export * from './identity/service-principal.ts';
export * from './identity/session-types.ts';
export * from './identity/sessions.ts';
export * from './identity/signer.ts';
export * from './kernel/cause.ts';
export type { Checkpoint } from './kernel/checkpoint.ts';
export * from './kernel/ids.ts';
export type { Invocation } from './kernel/invocation.ts';
export * from './kernel/kernel.ts';
export type { LoadedService } from './kernel/loaded-service.ts';
export * from './kernel/log.ts';
export * from './kernel/not-implemented.ts';
export type { Observers } from './kernel/observers.ts';
export { readsOnly } from './kernel/reads.ts';
export { whenReady } from './kernel/ready.ts';
export { callbackPeers } from './network/callback-peers.ts';
export { LocalPeers, type NetworkSources } from './network/local-peers.ts';
export { percentDecoded } from './network/percent-decoded.ts';
export { numericKey } from './paging/pager.ts';
export * from './paging/paging.ts';
export { DamagedData } from './persistence/damage.ts';
export * from './persistence/disk.ts';
export {
  type FileSystem,
  isFileError,
  nodeFileSystem,
  type OpenFile,
  readText,
  replaceText,
  writeFully,
} from './persistence/file-system.ts';
export * from './persistence/persistence.ts';
export { ownIdentity, type ProcessIdentity, stateOf as processStateOf } from './persistence/process-identity.ts';
export { isStorageFailure, reportStorageTrouble, storageProblem } from './persistence/storage-trouble.ts';
export type * from './plugin/calls.ts';
export type * from './plugin/context.ts';
export * from './plugin/control.ts';
export type { CoreCalls, GrantedOperation, KeyDescription } from './plugin/core-calls.ts';
export type * from './plugin/data-plane.ts';
export type * from './plugin/handle.ts';
export type * from './plugin/http.ts';
export type * from './plugin/manifest.ts';
export type * from './plugin/observer.ts';
export type * from './plugin/own-data.ts';
export * from './plugin/plugin.ts';
export * from './plugin/provided.ts';
export * from './policy/index.ts';
export * from './quotas/quota.ts';
export type { Quotas } from './quotas/quotas.ts';
export * from './quotas/token-buckets.ts';
export type { RecordedRequest } from './recorder/recorded-request.ts';
export * from './resources/index.ts';
export { asService } from './roles/as-service.ts';
export { ServiceRole } from './roles/service-role.ts';
export * from './state/collection.ts';
export * from './state/outbox.ts';
export * from './state/owned-collection.ts';
export * from './state/readonly.ts';
export * from './state/record-buffer.ts';
export type { GroupsOf, RecordIndex } from './state/record-index.ts';
export * from './state/store.ts';
export * from './state/tail-buffer.ts';
export type { Tally } from './state/tally.ts';
export type { LoadedState, LoadOptions } from './state-file/load.ts';
export type { StateSelection } from './state-file/selection.ts';
export * from './time/clock.ts';
export { Slices } from './time/slices.ts';
export { DueTimers } from './time/state-clock.ts';
