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
  TenancyConfig,
  TracingMode,
  UpdateRuntimeOn,
} from '@emu/service-types/lambda';
import { eventCollection, executionCollection, operationCollection } from './durable/records.ts';
import { processingResultCollection, streamPositionCollection } from './event-sources/stream-positions.ts';
import { asyncEventCollection } from './runtime/async-events.ts';

/** A statement of a function's or layer version's policy, as GetPolicy prints it. */
export interface PolicyStatement {
  Sid: string;
  Effect: 'Allow';
  Principal: string | { Service?: string; AWS?: string };
  Action: string;
  Resource: string;
  Condition?: Record<string, Record<string, string>>;
}

/** Where a deployment package is. */
export interface CodeRecord {
  /** Id of the body that holds the .zip file; undefined for images. */
  body?: string;
  /** Directory of this machine that is read instead of a package; absolute. */
  directory?: string;
  /** Base64 SHA-256 of the package, as `CodeSha256`; for images the hexadecimal digest. */
  sha256: string;
  /** Bytes of the package; 0 for images. */
  size: number;
  /** Bytes of its files together; 0 for images. */
  unzippedSize: number;
  imageUri?: string;
  resolvedImageUri?: string;
  sourceKmsKeyArn?: string;
}

/** A layer version that a function uses. */
export interface LayerReference {
  arn: string;
  size: number;
  unzippedSize: number;
  /** Id of the body that holds its .zip file, which stays when the layer version is deleted; none where emu does its work. */
  body?: string;
}

/** What a version of a function is configured with, in the shapes of the API. */
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

/** `$LATEST` or a published version of a function, kept by `<function name>:<version>`. Times are epoch milliseconds. */
export interface VersionRecord {
  functionName: string;
  /** `$LATEST`, `$LATEST.PUBLISHED` or a number. */
  version: string;
  config: VersionConfig;
  code: CodeRecord;
  revisionId: string;
  /** Told apart from a published version's where code or configuration were changed since. */
  contentId: string;
  modifiedAt: number;
  /** How runtime updates are applied; `Auto` where undefined. */
  runtimeManagement?: { updateRuntimeOn: UpdateRuntimeOn; runtimeVersionArn?: string };
  /** Limits of execution environments of functions with a capacity provider. */
  scaling?: { min?: number; max?: number };
}

/** A function, kept by its name. Times are epoch milliseconds. */
export interface FunctionRecord {
  name: string;
  createdAt: number;
  /** Number of the version that was published last; numbers are never used again. */
  lastVersion: number;
  tags: Record<string, string>;
  /** Reserved concurrency; undefined where the function shares the account's. */
  reservedConcurrency?: number;
  codeSigningConfigArn?: string;
  recursiveLoop: RecursiveLoop;
}

/** An alias, kept by `<function name>:<alias>`. */
export interface AliasRecord {
  functionName: string;
  name: string;
  /** The version it points to. */
  version: string;
  description: string;
  /** Weights, from 0 to 1, of further versions. */
  weights: Record<string, number>;
  revisionId: string;
}

/** The policy of a function, version or alias, kept by `<function name>:<qualifier>`, where `$LATEST` stands for the function itself. */
export interface PolicyRecord {
  statements: PolicyStatement[];
  revisionId: string;
}

/** A function URL, kept by `<function name>:<qualifier>`, where `$LATEST` stands for the function itself. Times are epoch milliseconds. */
export interface FunctionUrlRecord {
  functionName: string;
  /** An alias; undefined for the function itself. */
  qualifier?: string;
  /** First label of the URL's host. */
  id: string;
  authType: FunctionUrlAuthType;
  /** How it is invoked; buffered where nothing was said. */
  invokeMode?: InvokeMode;
  cors?: Cors;
  createdAt: number;
  modifiedAt: number;
}

/** How asynchronous invocations are treated, kept by `<function name>:<qualifier>`. Times are epoch milliseconds. */
export interface EventInvokeRecord {
  functionName: string;
  qualifier: string;
  maximumRetryAttempts?: number;
  /** Seconds. */
  maximumEventAgeInSeconds?: number;
  destinations: DestinationConfig;
  modifiedAt: number;
}

/** Provisioned concurrency of a version or alias, kept by `<function name>:<qualifier>`. Times are epoch milliseconds. */
export interface ProvisionedConcurrencyRecord {
  functionName: string;
  qualifier: string;
  requested: number;
  modifiedAt: number;
}

/** A layer, kept by its name. */
export interface LayerRecord {
  name: string;
  /** Number of the version that was published last; numbers are never used again. */
  lastVersion: number;
}

/** A version of a layer, kept by `<layer name>:<version>`. Times are epoch milliseconds. */
export interface LayerVersionRecord {
  layerName: string;
  version: number;
  description: string;
  createdAt: number;
  /** As given; undefined where none were. */
  runtimes?: Runtime[];
  architectures?: Architecture[];
  licenseInfo?: string;
  code: CodeRecord;
  policy?: PolicyRecord;
}

/** A code signing configuration, kept by its id. Times are epoch milliseconds. */
export interface CodeSigningConfigRecord {
  id: string;
  description?: string;
  profileArns: string[];
  untrustedArtifactOnDeployment: 'Warn' | 'Enforce';
  modifiedAt: number;
  tags: Record<string, string>;
}

/** A capacity provider, kept by its name. Times are epoch milliseconds. */
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

/** An event source mapping, kept by its UUID. Times are epoch milliseconds. */
export interface EventSourceMappingRecord {
  uuid: string;
  functionName: string;
  /** A version or alias; undefined where the mapping is for the function itself. */
  qualifier?: string;
  enabled: boolean;
  /** What the API shows of it, defaults of its kind of source included. */
  settings: EventSourceSettings;
  /** Where an `AT_TIMESTAMP` mapping begins. */
  startingPositionTimestamp?: number;
  modifiedAt: number;
  /** Undefined for queues, of which AWS does not tell. */
  lastProcessingResult?: string;
  tags: Record<string, string>;
}

/** The settings of an event source mapping, in the shapes of the API. */
export type EventSourceSettings = Omit<
  CreateEventSourceMappingRequest,
  'FunctionName' | 'Enabled' | 'Tags' | 'StartingPositionTimestamp'
>;

/** A function as collections return it. */
export type LambdaFunction = DeepReadonly<FunctionRecord>;
/** A version as collections return it. */
export type Version = DeepReadonly<VersionRecord>;
/** An alias as collections return it. */
export type Alias = DeepReadonly<AliasRecord>;
/** An event source mapping as collections return it. */
export type EventSourceMapping = DeepReadonly<EventSourceMappingRecord>;
/** A layer version as collections return it. */
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

/** Everything Lambda keeps. */
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
