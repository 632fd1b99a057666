import type { Collection, Ids } from '@emu/core/service';
import type { DurableExecutionRecord } from './durable/records.ts';
import type {
  AliasRecord,
  CapacityProviderRecord,
  CodeSigningConfigRecord,
  EventSourceMappingRecord,
  FunctionRecord,
  LayerVersionRecord,
  PolicyRecord,
  VersionRecord,
} from './records.ts';

/** Records of one account and region for resource lookup. */
export interface LambdaRegistry {
  readonly accountId: string;
  readonly region: string;
  readonly ids: Ids;
  readonly functions: Collection<FunctionRecord>;
  readonly versions: Collection<VersionRecord>;
  readonly aliases: Collection<AliasRecord>;
  /** Of functions, versions and aliases. */
  readonly policies: Collection<PolicyRecord>;
  readonly layerVersions: Collection<LayerVersionRecord>;
  readonly codeSigningConfigs: Collection<CodeSigningConfigRecord>;
  readonly capacityProviders: Collection<CapacityProviderRecord>;
  readonly eventSourceMappings: Collection<EventSourceMappingRecord>;
  readonly durableExecutions: Collection<DurableExecutionRecord>;
}
