export * from './aws/arn.ts';
export * from './aws/partitions.ts';
export * from './base/capability.ts';
export * from './base/cause.ts';
export * from './base/ids.ts';
export * from './base/log.ts';
export * from './base/not-implemented.ts';
export { readsOnly } from './base/reads.ts';
export { whenReady } from './base/ready.ts';
export * from './bodies/stores.ts';
export type * from './calls/calls.ts';
export type { CoreCalls, GrantedOperation, KeyDescription } from './calls/core-calls.ts';
export * from './capabilities/access-points.ts';
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
export * from './capabilities/resource-providers.ts';
export * from './capabilities/rest-apis.ts';
export * from './cloudformation/index.ts';
export * from './collections/collection.ts';
export * from './collections/owned-collection.ts';
export * from './collections/readonly.ts';
export * from './collections/record-buffer.ts';
export type { GroupsOf, RecordIndex } from './collections/record-index.ts';
export * from './collections/tail-buffer.ts';
export type { Tally } from './collections/tally.ts';
export * from './config/index.ts';
export * from './containers/containers.ts';
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
export * from './identity/sessions.ts';
export type { Observers } from './invocation/observers.ts';
export type { Checkpoint } from './kernel/checkpoint.ts';
export * from './kernel/kernel.ts';
export { callbackPeers } from './network/callback-peers.ts';
export { LocalPeers, type NetworkSources } from './network/local-peers.ts';
export { percentDecoded } from './network/percent-decoded.ts';
export * from './outbox/outbox.ts';
export { numericKey } from './paging/pager.ts';
export * from './paging/paging.ts';
export * from './persistence/disk.ts';
export * from './persistence/persistence.ts';
export { ownIdentity, type ProcessIdentity, stateOf as processStateOf } from './persistence/process-identity.ts';
export type * from './plugin/authorization.ts';
export type * from './plugin/context.ts';
export * from './plugin/control.ts';
export type * from './plugin/data-plane.ts';
export type * from './plugin/handle.ts';
export type * from './plugin/http.ts';
export type * from './plugin/manifest.ts';
export type * from './plugin/observer.ts';
export type * from './plugin/own-data.ts';
export * from './plugin/plugin.ts';
export * from './plugin/provided.ts';
export * from './plugin/signer.ts';
export * from './policy/index.ts';
export * from './quotas/quota.ts';
export * from './quotas/token-buckets.ts';
export type { RecordedRequest } from './recorder/recorded-request.ts';
export * from './resources/index.ts';
export * from './resources/session-types.ts';
export { asService } from './roles/as-service.ts';
export { unknownPrincipal } from './roles/known-principals.ts';
export { ServiceRole } from './roles/service-role.ts';
export type { Invocation } from './services/invocation.ts';
export type { LoadedService } from './services/loaded-service.ts';
export type { Quotas } from './services/quotas.ts';
export * from './state/store.ts';
export type { LoadedState, LoadOptions } from './state-file/load.ts';
export type { StateSelection } from './state-file/selection.ts';
export type * from './storage/body-store.ts';
export { DamagedData } from './storage/damage.ts';
export {
  type FileSystem,
  isFileError,
  nodeFileSystem,
  type OpenFile,
  readText,
  replaceText,
  writeFully,
} from './storage/file-system.ts';
export * from './storage/read-at-most.ts';
export { isStorageFailure, reportStorageTrouble, storageProblem } from './storage/storage-trouble.ts';
export * from './time/clock.ts';
export { Slices } from './time/slices.ts';
export { DueTimers } from './time/state-clock.ts';
