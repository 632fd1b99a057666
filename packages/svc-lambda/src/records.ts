import { type DeepReadonly, defineCollection } from '@emu/core/service';
import type {
  Architecture,
  CapacityProviderConfig,
  CapacityProviderPermissionsConfig,
  CapacityProviderScalingConfig,
  CapacityProviderVpcConfig,
  Cors,
  CreateEventSourceMappingRequest,
  DestinationConfig,
  DurableConfig,
  EphemeralStorage,
  FileSystemConfig,
  FunctionUrlAuthType,
  ImageConfig,
  InstanceRequirements,
  InvokeMode,
  LoggingConfig,
  PackageType,
  RecursiveLoop,
  Runtime,
  SnapStartApplyOn,
  StateReasonCode,
  TenancyConfig,
  TracingMode,
  UpdateRuntimeOn,
} from '@emu/service-types/lambda';
import { eventCollection, executionCollection, operationCollection } from './durable/records.ts';
import { processingResultCollection, streamPositionCollection } from './event-sources/stream-positions.ts';
import { asyncEventCollection } from './runtime/async-events.ts';

/** A statement of a function's or layer version's policy, as GetPolicy returns it. */
export interface PolicyStatement {
  Sid: string;
  Effect: 'Allow';
  Principal: string | { Service?: string; AWS?: string };
  Action: string;
  Resource: string;
  Condition?: Record<string, Record<string, string>>;
}

/** Location of a deployment package. */
export interface CodeRecord {
  /** Id of the .zip file's body; undefined for images. */
  body?: string;
  /** Absolute path of a local directory used instead of a package. */
  directory?: string;
  /** Base64 SHA-256 of the package, as in `CodeSha256`; for images the hexadecimal digest. */
  sha256: string;
  /** Size of the package in bytes; 0 for images. */
  size: number;
  /** Total size of its files in bytes; 0 for images. */
  unzippedSize: number;
  imageUri?: string;
  resolvedImageUri?: string;
  sourceKmsKeyArn?: string;
}

/** A layer version used by a function. */
export interface LayerReference {
  arn: string;
  size: number;
  unzippedSize: number;
  /**
   * Id of its .zip file's body, which survives the deletion of the layer version; undefined if emu implements the layer
   * itself, or lacks it.
   */
  body?: string;
}

/** Configuration of a function version, in the API's shapes. */
export interface VersionConfig {
  role: string;
  packageType: PackageType;
  runtime?: Runtime;
  handler?: string;
  description: string;
  /** Seconds. */
  timeout: number;
  /** MB. */
  memorySize: number;
  environment?: Record<string, string>;
  kmsKeyArn?: string;
  architectures: Architecture[];
  ephemeralStorage: EphemeralStorage;
  tracingMode: TracingMode;
  layers: LayerReference[];
  loggingConfig: LoggingConfig;
  snapStart: SnapStartApplyOn;
  vpcConfig?: { SubnetIds: string[]; SecurityGroupIds: string[]; VpcId: string; Ipv6AllowedForDualStack: boolean };
  deadLetterTarget?: string;
  fileSystems?: FileSystemConfig[];
  imageConfig?: ImageConfig;
  capacityProvider?: CapacityProviderConfig;
  durable?: DurableConfig;
  tenancy?: TenancyConfig;
}

/**
 * `$LATEST` or a published version of a function, keyed by `<function name>:<version>`. Times are epoch milliseconds.
 */
export interface VersionRecord {
  functionName: string;
  /** `$LATEST`, `$LATEST.PUBLISHED` or a number. */
  version: string;
  config: VersionConfig;
  code: CodeRecord;
  revisionId: string;
  /** Identifies code and configuration: equal for `$LATEST` and a published version without changes in between. */
  contentId: string;
  modifiedAt: number;
  /** Runtime update mode; `Auto` if undefined. */
  runtimeManagement?: { updateRuntimeOn: UpdateRuntimeOn; runtimeVersionArn?: string };
  /** Snapshot of a published version with SnapStart. */
  snapshot?: SnapshotRecord;
  /** Scaling limits of functions on a capacity provider. */
  scaling?: { min?: number; max?: number };
}

/** State of a version's snapshot: its initialization when it was published. */
export interface SnapshotRecord {
  state: 'Pending' | 'Active' | 'Failed';
  /** Reason of a failure, and its code. */
  reason?: string;
  reasonCode?: StateReasonCode;
}

/** A function, keyed by name. Times are epoch milliseconds. */
export interface FunctionRecord {
  name: string;
  createdAt: number;
  /** Number of the last published version; numbers are never reused. */
  lastVersion: number;
  tags: Record<string, string>;
  /** Reserved concurrency; undefined if the function uses the account's unreserved concurrency. */
  reservedConcurrency?: number;
  codeSigningConfigArn?: string;
  recursiveLoop: RecursiveLoop;
}

/** An alias, keyed by `<function name>:<alias>`. */
export interface AliasRecord {
  functionName: string;
  name: string;
  /** Primary version. */
  version: string;
  description: string;
  /** Weights, from 0 to 1, of further versions. */
  weights: Record<string, number>;
  revisionId: string;
}

/**
 * Policy of a function, version or alias, keyed by `<function name>:<qualifier>`, with `$LATEST` for the function
 * itself.
 */
export interface PolicyRecord {
  statements: PolicyStatement[];
  revisionId: string;
}

/**
 * A function URL, keyed by `<function name>:<qualifier>`, with `$LATEST` for the function itself. Times are epoch
 * milliseconds.
 */
export interface FunctionUrlRecord {
  functionName: string;
  /** An alias; undefined for the function itself. */
  qualifier?: string;
  /** First label of the URL's host. */
  id: string;
  authType: FunctionUrlAuthType;
  /** Invoke mode; BUFFERED if undefined. */
  invokeMode?: InvokeMode;
  cors?: Cors;
  createdAt: number;
  modifiedAt: number;
}

/** Asynchronous invocation settings, keyed by `<function name>:<qualifier>`. Times are epoch milliseconds. */
export interface EventInvokeRecord {
  functionName: string;
  qualifier: string;
  maximumRetryAttempts?: number;
  /** Seconds. */
  maximumEventAgeInSeconds?: number;
  destinations: DestinationConfig;
  modifiedAt: number;
}

/**
 * Provisioned concurrency of a version or alias, keyed by `<function name>:<qualifier>`. Times are epoch milliseconds.
 */
export interface ProvisionedConcurrencyRecord {
  functionName: string;
  qualifier: string;
  requested: number;
  modifiedAt: number;
}

/** A layer, keyed by name. */
export interface LayerRecord {
  name: string;
  /** Number of the last published version; numbers are never reused. */
  lastVersion: number;
}

/** A layer version, keyed by `<layer name>:<version>`. Times are epoch milliseconds. */
export interface LayerVersionRecord {
  layerName: string;
  version: number;
  description: string;
  createdAt: number;
  /** As given; undefined if omitted. */
  runtimes?: Runtime[];
  architectures?: Architecture[];
  licenseInfo?: string;
  code: CodeRecord;
  policy?: PolicyRecord;
  /** Whether the user imported it, instead of publishing it. */
  imported?: true;
}

/** A code signing configuration, keyed by id. Times are epoch milliseconds. */
export interface CodeSigningConfigRecord {
  id: string;
  description?: string;
  profileArns: string[];
  untrustedArtifactOnDeployment: 'Warn' | 'Enforce';
  modifiedAt: number;
  tags: Record<string, string>;
}

/** A capacity provider, keyed by name. Times are epoch milliseconds. */
export interface CapacityProviderRecord {
  name: string;
  vpcConfig: CapacityProviderVpcConfig;
  permissionsConfig: CapacityProviderPermissionsConfig;
  instanceRequirements?: InstanceRequirements;
  scalingConfig?: CapacityProviderScalingConfig;
  kmsKeyArn?: string;
  tags: Record<string, string>;
  modifiedAt: number;
}

/** An event source mapping, keyed by UUID. Times are epoch milliseconds. */
export interface EventSourceMappingRecord {
  uuid: string;
  functionName: string;
  /** A version or alias; undefined for the function itself. */
  qualifier?: string;
  enabled: boolean;
  /** Settings as the API returns them, including defaults of the source kind. */
  settings: EventSourceSettings;
  /** Start of an `AT_TIMESTAMP` mapping. */
  startingPositionTimestamp?: number;
  modifiedAt: number;
  /** Undefined for queues, for which AWS returns none. */
  lastProcessingResult?: string;
  tags: Record<string, string>;
}

/** Settings of an event source mapping, in the API's shapes. */
export type EventSourceSettings = Omit<
  CreateEventSourceMappingRequest,
  'FunctionName' | 'Enabled' | 'Tags' | 'StartingPositionTimestamp'
>;

/** A stored function. */
export type LambdaFunction = DeepReadonly<FunctionRecord>;
/** A stored version. */
export type Version = DeepReadonly<VersionRecord>;
/** A stored alias. */
export type Alias = DeepReadonly<AliasRecord>;
/** A stored event source mapping. */
export type EventSourceMapping = DeepReadonly<EventSourceMappingRecord>;
/** A stored layer version. */
export type LayerVersion = DeepReadonly<LayerVersionRecord>;

const codeBody = ({ code }: { readonly code: { readonly body?: string } }): string[] => (code.body ? [code.body] : []);
const versionBodies = (version: Version): string[] => [
  ...codeBody(version),
  ...version.config.layers.flatMap(({ body }) => body ?? []),
];

export const functionCollection = defineCollection<FunctionRecord>('functions', 'region');
export const versionCollection = defineCollection<VersionRecord>('versions', 'region', { bodies: versionBodies });
export const aliasCollection = defineCollection<AliasRecord>('aliases', 'region');
export const policyCollection = defineCollection<PolicyRecord>('policies', 'region');
export const functionUrlCollection = defineCollection<FunctionUrlRecord>('function-urls', 'region');
export const eventInvokeCollection = defineCollection<EventInvokeRecord>('event-invoke-configs', 'region');
export const provisionedCollection = defineCollection<ProvisionedConcurrencyRecord>(
  'provisioned-concurrency',
  'region',
);
export const layerCollection = defineCollection<LayerRecord>('layers', 'region');
export const layerVersionCollection = defineCollection<LayerVersionRecord>('layer-versions', 'region', {
  bodies: codeBody,
});
export const codeSigningCollection = defineCollection<CodeSigningConfigRecord>('code-signing-configs', 'region');
export const capacityProviderCollection = defineCollection<CapacityProviderRecord>('capacity-providers', 'region');
export const eventSourceMappingCollection = defineCollection<EventSourceMappingRecord>(
  'event-source-mappings',
  'region',
);

/** All collections of Lambda. */
export const collections = [
  asyncEventCollection,
  functionCollection,
  versionCollection,
  aliasCollection,
  policyCollection,
  functionUrlCollection,
  eventInvokeCollection,
  provisionedCollection,
  layerCollection,
  layerVersionCollection,
  codeSigningCollection,
  capacityProviderCollection,
  eventSourceMappingCollection,
  streamPositionCollection,
  processingResultCollection,
  executionCollection,
  operationCollection,
  eventCollection,
];
