import type {
  BodyStore,
  Clock,
  Collection,
  Ids,
  Logger,
  ServiceHandle,
  StateScope,
  Worker,
  WorkingState,
} from '@emu/core/service';
import {
  type DurableEventRecord,
  type DurableExecutionRecord,
  type DurableOperationRecord,
  eventCollection,
  executionCollection,
  operationCollection,
} from './durable/records.ts';
import {
  type ProcessingResult,
  processingResultCollection,
  type StreamPosition,
  streamPositionCollection,
} from './event-sources/stream-positions.ts';
import type * as records from './records.ts';
import {
  aliasCollection,
  capacityProviderCollection,
  codeSigningCollection,
  eventInvokeCollection,
  eventSourceMappingCollection,
  functionCollection,
  functionUrlCollection,
  layerCollection,
  layerVersionCollection,
  policyCollection,
  provisionedCollection,
  versionCollection,
} from './records.ts';
import type { LambdaRegistry } from './registry.ts';
import { functionArn } from './resources.ts';
import { type AsyncEventRecord, asyncEventCollection } from './runtime/async-events.ts';

/** Functions, layers and related records of one account and region. */
export class LambdaState implements LambdaRegistry, WorkingState {
  /** Set by the creator of the state. */
  readonly workers: Worker[] = [];
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly bodies: BodyStore;
  readonly service: ServiceHandle<LambdaState>;
  /** Calls another service on the state's own behalf, in its account and region. */
  readonly call: StateScope['call'];
  readonly functions: Collection<records.FunctionRecord>;
  readonly versions: Collection<records.VersionRecord>;
  readonly aliases: Collection<records.AliasRecord>;
  readonly policies: Collection<records.PolicyRecord>;
  readonly functionUrls: Collection<records.FunctionUrlRecord>;
  readonly eventInvokeConfigs: Collection<records.EventInvokeRecord>;
  readonly provisioned: Collection<records.ProvisionedConcurrencyRecord>;
  readonly layers: Collection<records.LayerRecord>;
  readonly layerVersions: Collection<records.LayerVersionRecord>;
  readonly codeSigningConfigs: Collection<records.CodeSigningConfigRecord>;
  readonly capacityProviders: Collection<records.CapacityProviderRecord>;
  readonly eventSourceMappings: Collection<records.EventSourceMappingRecord>;
  readonly streamPositions: Collection<StreamPosition>;
  readonly processingResults: Collection<ProcessingResult>;
  readonly asyncEvents: Collection<AsyncEventRecord>;
  readonly durableExecutions: Collection<DurableExecutionRecord>;
  readonly durableOperations: Collection<DurableOperationRecord>;
  readonly durableEvents: Collection<DurableEventRecord>;
  /** Called when a function is deleted. */
  onFunctionRemoved: ((functionName: string) => void) | undefined;
  /** Called with the key of a published version that needs a snapshot. */
  onSnapshotNeeded: ((key: string) => void) | undefined;
  /** Called when versions of a function change or are deleted, to end their environments. */
  onVersionsChanged: ((functionName: string) => void) | undefined;

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.partition = scope.partition;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.log = scope.log;
    this.bodies = scope.bodies;
    this.service = scope.service as ServiceHandle<LambdaState>;
    this.call = (service, operation, input, options) => scope.call(service, operation, input, options);
    this.asyncEvents = scope.collection(asyncEventCollection);
    this.durableExecutions = scope.collection(executionCollection);
    this.durableOperations = scope.collection(operationCollection);
    this.durableEvents = scope.collection(eventCollection);
    this.functions = scope.collection(functionCollection);
    this.versions = scope.collection(versionCollection);
    this.aliases = scope.collection(aliasCollection);
    this.policies = scope.collection(policyCollection);
    this.functionUrls = scope.collection(functionUrlCollection);
    this.eventInvokeConfigs = scope.collection(eventInvokeCollection);
    this.provisioned = scope.collection(provisionedCollection);
    this.layers = scope.collection(layerCollection);
    this.layerVersions = scope.collection(layerVersionCollection);
    this.codeSigningConfigs = scope.collection(codeSigningCollection);
    this.capacityProviders = scope.collection(capacityProviderCollection);
    this.eventSourceMappings = scope.collection(eventSourceMappingCollection);
    this.streamPositions = scope.collection(streamPositionCollection);
    this.processingResults = scope.collection(processingResultCollection);
  }

  /** Returns the ARN of a function, version or alias. */
  functionArn(name: string, qualifier?: string): string {
    return functionArn(this, name, qualifier);
  }

  /** Deletes the positions of a deleted mapping. */
  discardSource(mapping: string): void {
    for (const [key, position] of [...this.streamPositions.entries()])
      if (position.mapping === mapping) this.streamPositions.delete(key);
    this.processingResults.delete(mapping);
  }
}
