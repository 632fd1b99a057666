import { type DeepReadonly, defineCollection } from '@emu/core';
import type {
  AccountPolicy,
  AnomalyDetector,
  DeliveryDestination,
  ExportTaskStatus,
  Import,
  ImportFilter,
  IntegrationSummary,
  MetricTransformation,
  OpenSearchResourceConfig,
  PolicyScope,
  S3DeliveryConfiguration,
  SubscriptionFilter,
} from '@emu/service-types/logs';
import { insightsCollections } from './insights/records.ts';
import type { SystemField } from './system-fields.ts';
import { transformerCollection } from './transformers/records.ts';

/** How a log group is stored and what may be done with it. */
export type GroupClass = 'STANDARD' | 'INFREQUENT_ACCESS' | 'DELIVERY';

/** A policy document with the time of its last change, in epoch milliseconds. */
export interface StoredPolicy {
  document: string;
  updatedAt: number;
}

/** A log group, kept by its name. */
export interface GroupRecord {
  name: string;
  /** Tells its events from those of an earlier or later group of the same name. */
  id: string;
  /** Epoch milliseconds. */
  createdAt: number;
  class: GroupClass;
  /** Days; undefined where events are kept for ever. */
  retentionInDays?: number | undefined;
  /** ARN of the key that events are encrypted with. */
  kmsKeyId?: string | undefined;
  deletionProtected: boolean;
  /** Whether clients may send events with a bearer token; undefined where it was never said. */
  bearerTokens?: boolean;
  dataProtection?: StoredPolicy | undefined;
  /** Says by which fields its events can be found quickly. */
  indexPolicy?: StoredPolicy | undefined;
  tags: Record<string, string>;
  /** Number of the next stream that is made: none is used twice. */
  nextStream: number;
}

/** A log stream, kept by its group's name and its own. */
export interface StreamRecord {
  group: string;
  name: string;
  /** By which the group's events name it. */
  number: number;
  /** Epoch milliseconds. */
  createdAt: number;
  firstEventAt?: number;
  lastEventAt?: number;
  lastIngestedAt?: number;
}

/** A stream as it is kept. */
export type Stream = DeepReadonly<StreamRecord>;

/** A metric filter, kept by its group's name and its own. */
export interface MetricFilterRecord {
  group: string;
  name: string;
  pattern: string;
  transformations: MetricTransformation[];
  onTransformed: boolean;
  /** Which events it looks at, by where they come from. */
  criteria?: string;
  /** System fields that its metrics have as dimensions. */
  systemDimensions?: SystemField[];
  /** Epoch milliseconds. */
  createdAt: number;
}

/** A subscription filter of a group, kept by the group's name and its own, or of the account, kept by its name. */
export interface SubscriptionRecord {
  /** Undefined for the account's. */
  group?: string;
  name: string;
  pattern: string;
  destinationArn: string;
  roleArn?: string;
  distribution: NonNullable<SubscriptionFilter['distribution']>;
  onTransformed: boolean;
  /** Which events it delivers, by where they come from. */
  criteria?: string;
  /** System fields that are delivered with each event. */
  systemFields?: SystemField[];
  /** Epoch milliseconds. */
  createdAt: number;
}

/** A subscription filter as it is kept. */
export type Subscription = DeepReadonly<SubscriptionRecord>;

/** How far a subscription filter has come in a group, kept by the filter's key and the group's id. */
export interface DeliveryPosition {
  /** Segment and offset of the first line that was not looked at yet. */
  segment: number;
  offset: number;
}

/** A policy of the account or of a resource, kept by its name or the resource's ARN. */
export interface ResourcePolicyRecord extends StoredPolicy {
  scope: PolicyScope;
  /** Undefined for a policy of a resource. */
  name?: string;
  resourceArn?: string;
  revisionId: string;
}

/** A destination of subscription filters, kept by its name. */
export interface DestinationRecord {
  name: string;
  targetArn: string;
  roleArn: string;
  accessPolicy?: string;
  /** Epoch milliseconds. */
  createdAt: number;
  tags: Record<string, string>;
}

/** A policy of the account, kept by its type and name. */
export interface AccountPolicyRecord extends StoredPolicy {
  type: NonNullable<AccountPolicy['policyType']>;
  name: string;
  selectionCriteria?: string;
}

/** An export to S3, kept by its id. */
export interface ExportTaskRecord {
  id: string;
  name?: string;
  group: string;
  streamPrefix?: string;
  /** Epoch milliseconds; the end is not part of the range. */
  from: number;
  to: number;
  bucket: string;
  prefix?: string;
  status: NonNullable<ExportTaskStatus['code']>;
  message?: string;
  /** Epoch milliseconds. */
  createdAt: number;
  completedAt?: number;
}

/** Where logs that AWS makes for a resource come from, kept by its name. */
export interface DeliverySourceRecord {
  name: string;
  resourceArn: string;
  service: string;
  logType: string;
  configuration?: Record<string, string>;
  tags: Record<string, string>;
}

/** Where they go, kept by its name. */
export interface DeliveryDestinationRecord {
  name: string;
  type: NonNullable<DeliveryDestination['deliveryDestinationType']>;
  resourceArn?: string;
  outputFormat?: NonNullable<DeliveryDestination['outputFormat']>;
  policy?: string;
  tags: Record<string, string>;
}

/** A source joined with a destination, kept by its id. */
export interface DeliveryRecord {
  id: string;
  sourceName: string;
  destinationArn: string;
  destinationType: DeliveryDestinationRecord['type'];
  recordFields?: string[];
  fieldDelimiter?: string;
  s3?: S3DeliveryConfiguration;
  tags: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** An anomaly detector, kept by its id. */
export interface DetectorRecord {
  id: string;
  name?: string;
  groupArns: string[];
  frequency?: NonNullable<AnomalyDetector['evaluationFrequency']>;
  filterPattern?: string;
  kmsKeyId?: string;
  /** Days for which anomalies are shown. */
  visibility: number;
  enabled: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
  modifiedAt: number;
  tags: Record<string, string>;
}

/** What a detector has found, kept by its id. */
export interface AnomalyRecord {
  id: string;
  patternId: string;
  /** Id of the detector. */
  detector: string;
  patternString: string;
  description: string;
  priority: string;
  /** Epoch milliseconds. */
  firstSeen: number;
  lastSeen: number;
  samples: { timestamp: number; message: string }[];
  baseline: boolean;
  /** Undefined while it is not suppressed; without an end it is for ever. */
  suppression?: { since: number; until?: number; ofPattern: boolean } | undefined;
}

/** An integration with OpenSearch, kept by its name. */
export interface IntegrationRecord {
  name: string;
  type: NonNullable<IntegrationSummary['integrationType']>;
  config: OpenSearchResourceConfig;
}

/** An import of events from CloudTrail Lake, kept by its id. */
export interface ImportTaskRecord {
  id: string;
  sourceArn: string;
  roleArn: string;
  destinationArn: string;
  filter?: ImportFilter;
  status: NonNullable<Import['importStatus']>;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
}

/** A data source whose logs are to be in S3 tables, kept by its id. */
export interface TableSourceRecord {
  id: string;
  integrationArn: string;
  name: string;
  /** Undefined for every type of the source. */
  type?: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** Of records that belong to a group, whose keys begin with its name. */
const ofGroup = { ownerOf: (key: string) => key.slice(0, key.indexOf(':')) };

export const groupCollection = defineCollection<GroupRecord>('groups', 'region');
export const streamCollection = defineCollection<StreamRecord>('streams', 'region', ofGroup);
export const metricFilterCollection = defineCollection<MetricFilterRecord>('metric-filters', 'region', ofGroup);
export const subscriptionCollection = defineCollection<SubscriptionRecord>('subscription-filters', 'region', ofGroup);
export const positionCollection = defineCollection<DeliveryPosition>('delivery-positions', 'region');
export const resourcePolicyCollection = defineCollection<ResourcePolicyRecord>('resource-policies', 'region');
export const destinationCollection = defineCollection<DestinationRecord>('destinations', 'region');
export const accountPolicyCollection = defineCollection<AccountPolicyRecord>('account-policies', 'region');
export const exportTaskCollection = defineCollection<ExportTaskRecord>('export-tasks', 'region');
export const deliverySourceCollection = defineCollection<DeliverySourceRecord>('delivery-sources', 'region');
export const deliveryDestinationCollection = defineCollection<DeliveryDestinationRecord>(
  'delivery-destinations',
  'region',
);
export const deliveryCollection = defineCollection<DeliveryRecord>('deliveries', 'region');
export const detectorCollection = defineCollection<DetectorRecord>('anomaly-detectors', 'region');
export const anomalyCollection = defineCollection<AnomalyRecord>('anomalies', 'region');
export const integrationCollection = defineCollection<IntegrationRecord>('integrations', 'region');
export const importTaskCollection = defineCollection<ImportTaskRecord>('import-tasks', 'region');
export const tableSourceCollection = defineCollection<TableSourceRecord>('s3-table-sources', 'region');

/** Key of what has a name in a group: neither name has a colon. */
export const keyIn = (group: string, name: string): string => `${group}:${name}`;

/** Every collection of CloudWatch Logs. */
export const collections = [
  groupCollection,
  streamCollection,
  metricFilterCollection,
  subscriptionCollection,
  positionCollection,
  resourcePolicyCollection,
  destinationCollection,
  accountPolicyCollection,
  exportTaskCollection,
  deliverySourceCollection,
  deliveryDestinationCollection,
  deliveryCollection,
  detectorCollection,
  anomalyCollection,
  integrationCollection,
  importTaskCollection,
  tableSourceCollection,
  ...insightsCollections,
  transformerCollection,
];
