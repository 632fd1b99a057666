// Exports of core for services: the contract of a service, and what services have in common. A service uses each value
// here; index.ts exports those that only the gateway, the emulator and the command use.

export * from './aws/arn.ts';
export { dnsSuffixOf, isRegionName, partitionOf } from './aws/partitions.ts';
export * from './base/capability.ts';
export * from './base/cause.ts';
export * from './base/exceeds-bytes.ts';
export type { IdSource, Ids } from './base/ids.ts';
export type { LogFields, Logger, LoggerOptions, LogLevel } from './base/log.ts';
export * from './base/not-implemented.ts';
export * from './base/ready.ts';
export type * from './calls/calls.ts';
export type { CoreCalls, GrantedOperation, KeyDescription } from './calls/core-calls.ts';
export * from './capabilities/access-points.ts';
export * from './capabilities/control-policies.ts';
export type * from './capabilities/custom-domains.ts';
export * from './capabilities/function-hosts.ts';
export * from './capabilities/http-apis.ts';
export * from './capabilities/identity-directory.ts';
export * from './capabilities/identity-tokens.ts';
export * from './capabilities/logs.ts';
export * from './capabilities/managed-nodes.ts';
export * from './capabilities/metrics.ts';
export * from './capabilities/public-types.ts';
export * from './capabilities/quotas.ts';
export * from './capabilities/resource-directory.ts';
export * from './capabilities/resource-hooks.ts';
export * from './capabilities/resource-providers.ts';
export * from './capabilities/rest-apis.ts';
export * from './cloudformation/context.ts';
export type * from './cloudformation/facts.ts';
export * from './cloudformation/provider.ts';
export * from './cloudformation/unsupported.ts';
export * from './collections/collection.ts';
export * from './collections/owned-collection.ts';
export * from './collections/readonly.ts';
export * from './collections/record-buffer.ts';
export type { GroupsOf, RecordIndex } from './collections/record-index.ts';
export { type StateDirectory, stateDirectory } from './collections/state-directory.ts';
export * from './collections/tail-buffer.ts';
export type { Tally } from './collections/tally.ts';
export type { DeclaredOptions, GivenSettings, OptionEntry } from './config/declared.ts';
export type { Option, OptionTable, Setting, SettingTable, ValuesOf } from './config/option.ts';
export * from './config/optional-package.ts';
export type { EmulatorSettings, SettingsView } from './config/settings.ts';
export * from './containers/containers.ts';
export * from './customer-keys/customer-key.ts';
export * from './customer-keys/sealing.ts';
export { type FirstRequest, IdempotencyTokens, tokenCollection, tokensOf } from './idempotency/idempotency-tokens.ts';
export * from './identity/access-keys.ts';
export type * from './identity/principal.ts';
export * from './identity/root.ts';
export * from './identity/service-principal.ts';
export {
  isRoleArn,
  issueSession,
  newSecretAccessKey,
  roleSessionPrincipal,
  type SessionCredential,
  type SessionIssuer,
} from './identity/sessions.ts';
export type * from './names/aws-names.ts';
export { isAwsName } from './names/domains.ts';
export * from './network/callback-peers.ts';
export * from './network/local-peers.ts';
export * from './network/percent-decoded.ts';
export * from './network/resource-endpoint.ts';
export * from './outbox/outbox.ts';
export { numericKey } from './paging/pager.ts';
export * from './paging/paging.ts';
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
export type * from './plugin/resource-hosts.ts';
export type * from './plugin/signatures.ts';
export * from './plugin/signer.ts';
export type * from './policy/authorization-request.ts';
export { conditionsHold } from './policy/conditions.ts';
export { contextKeysOf } from './policy/document.ts';
export { evaluate } from './policy/evaluate.ts';
export * from './policy/grants.ts';
export { type Json, readPolicy, statementsOf, textsOf } from './policy/json.ts';
export * from './policy/message.ts';
export * from './policy/parse.ts';
export * from './policy/pass-role.ts';
export * from './policy/positions.ts';
export { isAwsPrincipal, isServicePrincipal, PRINCIPALS } from './policy/principal-forms.ts';
export * from './policy/problems.ts';
export * from './policy/public-policy.ts';
export * from './policy/rules.ts';
export * from './policy/s3-policy.ts';
export * from './policy/tags.ts';
export type * from './policy/types.ts';
export * from './quotas/quota.ts';
export * from './quotas/token-buckets.ts';
export type { ArnVariables } from './resources/arn-format.ts';
export * from './resources/permission.ts';
export * from './resources/resource-type.ts';
export * from './resources/state-in-region.ts';
export { type TagCall, type TagCalls, type TagPlace, type TagSubject, tagCallsBy } from './resources/tag-calls.ts';
export * from './resources/tag-lists.ts';
export * from './resources/tag-operations.ts';
export * from './resources/tag-page.ts';
export * from './resources/tagged-resource.ts';
export * from './resources/tagging.ts';
export * from './resumption/interrupted-records.ts';
export * from './roles/as-service.ts';
export * from './roles/known-principals.ts';
export { type RoleCaller, ServiceRole } from './roles/service-role.ts';
export type * from './storage/body-store.ts';
export { DamagedData } from './storage/damage.ts';
export {
  type FileSystem,
  isFileError,
  type OpenFile,
  readText,
  replaceText,
  writeFully,
} from './storage/file-system.ts';
export * from './storage/read-at-most.ts';
export * from './template-tags/change.ts';
export type { Clock, ClockState, Timer, TimerCallback } from './time/clock.ts';
export * from './time/slices.ts';
export { DueTimers } from './time/state-clock.ts';
export { waitBriefly } from './time/wait-briefly.ts';
export * from './work/budget.ts';
export * from './work/canonical-json.ts';
