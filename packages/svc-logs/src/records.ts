import { type DeepReadonly, defineCollection } from '@emu/core/service';
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
import type { SystemField } from './metric-filters/system-fields.ts';
import { transformerCollection } from './transformers/records.ts';

/** Collections of log groups with their settings. */
export type GroupClass = 'STANDARD' | 'INFREQUENT_ACCESS' | 'DELIVERY';

/** A policy document with its last update in epoch milliseconds. */
export interface StoredPolicy {
  document: string;
  updatedAt: number;
}

/** A log group, keyed by name. */
export interface GroupRecord {
  name: string;
  /** Distinguishes its events from those of other groups that had the same name. */
  id: string;
  /** Epoch milliseconds. */
  createdAt: number;
  class: GroupClass;
  /** Days; undefined without expiry. */
  retentionInDays?: number | undefined;
  /** ARN of the encryption key. */
  kmsKeyId?: string | undefined;
  deletionProtected: boolean;
  /** Whether bearer tokens are allowed; undefined if never set. */
  bearerTokens?: boolean;
  dataProtection?: StoredPolicy | undefined;
  /** Field index policy. */
  indexPolicy?: StoredPolicy | undefined;
  tags: Record<string, string>;
  /** Number of the next stream; numbers are never reused. */
  nextStream: number;
}

/** A log stream, keyed by group name and its own. */
export interface StreamRecord {
  group: string;
  name: string;
  /** Number that identifies it in the group's events. */
  number: number;
  /** Epoch milliseconds. */
  createdAt: number;
  firstEventAt?: number;
  lastEventAt?: number;
  lastIngestedAt?: number;
}

/** A stored stream. */
export type Stream = DeepReadonly<StreamRecord>;

/** A metric filter, keyed by group name and its own. */
export interface MetricFilterRecord {
  group: string;
  name: string;
  pattern: string;
  transformations: MetricTransformation[];
  onTransformed: boolean;
  /** Criteria on the source of events. */
  criteria?: string;
  /** System fields that become dimensions of its metrics. */
  systemDimensions?: SystemField[];
  /** Epoch milliseconds. */
  createdAt: number;
}

/** A subscription filter of a group, keyed by group name and its own, or of the account, keyed by name. */
export interface SubscriptionRecord {
  /** Undefined for the account's. */
  group?: string;
  name: string;
  pattern: string;
  destinationArn: string;
  roleArn?: string;
  distribution: NonNullable<SubscriptionFilter['distribution']>;
  onTransformed: boolean;
  /** Criteria on the source of events. */
  criteria?: string;
  /** System fields delivered with each event. */
  systemFields?: SystemField[];
  /** Epoch milliseconds. */
  createdAt: number;
}

/** A stored subscription filter. */
export type Subscription = DeepReadonly<SubscriptionRecord>;

/** Position of a subscription filter in a group, keyed by the filter's key and the group's id. */
export interface DeliveryPosition {
  /** Segment and offset of the next line to process. */
  segment: number;
  offset: number;
}

/** A policy of the account or a resource, keyed by name or resource ARN. */
export interface ResourcePolicyRecord extends StoredPolicy {
  scope: PolicyScope;
  /** Undefined for a policy of a resource. */
  name?: string;
  resourceArn?: string;
  revisionId: string;
}

/** A subscription destination, keyed by name. */
export interface DestinationRecord {
  name: string;
  targetArn: string;
  roleArn: string;
  accessPolicy?: string;
  /** Epoch milliseconds. */
  createdAt: number;
  tags: Record<string, string>;
}

/** A policy of the account, keyed by type and name. */
export interface AccountPolicyRecord extends StoredPolicy {
  type: NonNullable<AccountPolicy['policyType']>;
  name: string;
  selectionCriteria?: string;
}

/** An export to S3, keyed by id. */
export interface ExportTaskRecord {
  id: string;
  name?: string;
  group: string;
  streamPrefix?: string;
  /** Epoch milliseconds; the end is exclusive. */
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

/** A delivery source: vended logs of a resource, keyed by name. */
export interface DeliverySourceRecord {
  name: string;
  resourceArn: string;
  service: string;
  logType: string;
  configuration?: Record<string, string>;
  tags: Record<string, string>;
}

/** A delivery destination, keyed by name. */
export interface DeliveryDestinationRecord {
  name: string;
  type: NonNullable<DeliveryDestination['deliveryDestinationType']>;
  resourceArn?: string;
  outputFormat?: NonNullable<DeliveryDestination['outputFormat']>;
  policy?: string;
  tags: Record<string, string>;
}

/** A delivery from a source to a destination, keyed by id. */
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

/** An anomaly detector, keyed by id. */
export interface DetectorRecord {
  id: string;
  name?: string;
  groupArns: string[];
  frequency?: NonNullable<AnomalyDetector['evaluationFrequency']>;
  filterPattern?: string;
  kmsKeyId?: string;
  /** Days for which anomalies are visible. */
  visibility: number;
  enabled: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
  modifiedAt: number;
  tags: Record<string, string>;
}

/** An anomaly of a detector, keyed by id. */
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
  /** Undefined if not suppressed; without an end it is permanent. */
  suppression?: { since: number; until?: number; ofPattern: boolean } | undefined;
}

/** An OpenSearch integration, keyed by name. */
export interface IntegrationRecord {
  name: string;
  type: NonNullable<IntegrationSummary['integrationType']>;
  config: OpenSearchResourceConfig;
}

/** An import of events from CloudTrail Lake, keyed by id. */
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

/** An S3 table association of a data source, keyed by id. */
export interface TableSourceRecord {
  id: string;
  integrationArn: string;
  name: string;
  /** Undefined for all types of the source. */
  type?: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** Group of records whose keys begin with a group name. */
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

/** Returns the key of a named record in a group: neither name contains a colon. */
export const keyIn = (group: string, name: string): string => `${group}:${name}`;

/** All collections of CloudWatch Logs. */
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
