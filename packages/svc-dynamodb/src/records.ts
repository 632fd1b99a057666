import { defineCollection, type FirstRequest } from '@emu/core/service';
import type {
  ApproximateCreationDateTimePrecision,
  AttributeDefinition,
  AutoScalingSettingsDescription,
  BillingMode,
  GlobalTableSettingsReplicationMode,
  IndexStatus,
  KeySchemaElement,
  Projection,
  StreamViewType,
  TableClass,
} from '@emu/service-types/dynamodb';
import { decodeItem, encodeItem } from './attributes/codec.ts';
import type { Item } from './attributes/values.ts';

/** Provisioned units, and times of their last changes in epoch milliseconds. */
export interface Throughput {
  read: number;
  write: number;
  increasedAt?: number;
  decreasedAt?: number;
  decreasesToday: number;
}

/** A local secondary index as declared. */
export interface LocalIndexRecord {
  name: string;
  keySchema: KeySchemaElement[];
  projection: Projection;
}

/** A global secondary index as declared. */
export interface GlobalIndexRecord extends LocalIndexRecord {
  throughput: Throughput;
  onDemand?: { read?: number; write?: number };
  warm?: { read?: number; write?: number };
}

/** The latest stream of a table. */
export interface TableStream {
  enabled: boolean;
  viewType: StreamViewType;
  /** ISO 8601 label, unique among the table's streams. */
  label: string;
  arn: string;
}

/** Encryption of a table with a KMS key. */
export interface TableEncryption {
  kmsKeyArn: string;
  /** Base64 of the table's data key encrypted by KMS; created at first use if missing. */
  dataKey?: string;
  /** Time since which KMS denies the use of the key. */
  inaccessibleAt?: number;
}

/** A change of a table that lasts until a time in epoch milliseconds, if changes are configured to take time. */
export interface TableChange {
  status: 'CREATING' | 'UPDATING' | 'DELETING';
  until: number;
  /** Global indexes that are created or changed at the same time. */
  indexes?: Record<string, IndexStatus>;
}

/** A table without its items. */
export interface TableRecord {
  name: string;
  id: string;
  arn: string;
  createdAt: number;
  attributeDefinitions: AttributeDefinition[];
  keySchema: KeySchemaElement[];
  billingMode: BillingMode;
  /** Whether a request ever named the billing mode; otherwise it is not described. */
  billingModeNamed: boolean;
  payPerRequestAt?: number;
  throughput: Throughput;
  onDemand?: { read?: number; write?: number };
  warm?: { read?: number; write?: number };
  localIndexes: LocalIndexRecord[];
  globalIndexes: GlobalIndexRecord[];
  stream?: TableStream;
  sse?: TableEncryption;
  busy?: TableChange;
  tableClass?: TableClass;
  deletionProtection: boolean;
  tags: Record<string, string>;
  ttl?: { attribute: string; enabled: boolean; changedAt: number };
  /** Point-in-time recovery: when it was enabled, and its period in days. */
  pitr?: { enabledAt: number; days: number };
  /** Source and time of a restored table. */
  restore?: { backupArn?: string; tableArn: string; to: number };
  /** Times at which contributor insights were disabled, by index; the empty name stands for the table. */
  insights?: Record<string, { changedAt: number }>;
  /** Kinesis data streams that receive item changes. */
  kinesis?: { streamArn: string; active: boolean; precision?: ApproximateCreationDateTimePrecision }[];
  replication?: Replication;
  settingsReplicationMode?: GlobalTableSettingsReplicationMode;
  autoScaling?: AutoScaling;
  /** Whether an import is filling it: such a table is discarded by a restart. */
  importing?: true;
}

/** Auto scaling settings of a table in its region, and of its global indexes by name with a colon prefix. */
export interface AutoScaling {
  read?: AutoScalingSettingsDescription;
  write?: AutoScalingSettingsDescription;
  indexes: Record<string, { read?: AutoScalingSettingsDescription; write?: AutoScalingSettingsDescription }>;
}

/** Replicas of a global table, stored with each replica. */
export interface Replication {
  version: '2017.11.29' | '2019.11.21';
  createdAt: number;
  /** Regions of all replicas, including this one. */
  regions: string[];
  /** Settings that differ by region. */
  overrides: Record<string, ReplicaOverrides>;
  /** Undefined means eventual consistency. */
  consistency?: 'STRONG';
  /** Region of the witness, if any. */
  witness?: string;
}

/** Settings of a single replica. */
export interface ReplicaOverrides extends ReadOverrides {
  kmsKey?: string;
  tableClass?: TableClass;
  /** Settings of its global secondary indexes. */
  indexes?: ({ name: string } & ReadOverrides)[];
}

/** Read settings of a replica or index that replace those of the table. */
export interface ReadOverrides {
  readUnits?: number;
  maxReadRequestUnits?: number;
}

/** A resource policy, by the ARN of its table or stream. */
export interface PolicyRecord {
  policy: string;
  revisionId: string;
}

/** Returns the id of the table or backup in an item's storage key. */
export const ownerIdOf = (key: string): string => key.slice(0, key.indexOf('/'));

export const policies = defineCollection<PolicyRecord>('resource-policies', 'region');

export const tables = defineCollection<TableRecord>('tables', 'region');
export const items = defineCollection<Item>('items', 'region', {
  encode: encodeItem,
  decode: decodeItem,
  content: 'all',
  ownerOf: ownerIdOf,
});

/** Lifetime of a transaction's client token, in milliseconds. */
export const TRANSACTION_TOKEN_PERIOD = 10 * 60 * 1000;

/** Transactions by client token. */
export const transactions = defineCollection<FirstRequest<void>>('transactions', 'region', {
  decode(json) {
    // Earlier versions of emu stored a digest and an expiry time.
    const { digest, until, ...first } = json as { digest?: string; until?: number; request: string; at: number };
    return digest === undefined ? first : { request: digest, at: until! - TRANSACTION_TOKEN_PERIOD };
  },
});
