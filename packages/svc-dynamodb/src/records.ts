import { defineCollection, type FirstRequest } from '@emu/core';
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
import { decodeItem, encodeItem } from './items/codec.ts';
import type { Item } from './items/values.ts';

/** Provisioned units, and when they changed last. Points in time are epoch milliseconds. */
export interface Throughput {
  read: number;
  write: number;
  increasedAt?: number;
  decreasedAt?: number;
  decreasesToday: number;
}

/** A local secondary index as it was declared. */
export interface LocalIndexRecord {
  name: string;
  keySchema: KeySchemaElement[];
  projection: Projection;
}

/** A global secondary index as it was declared. */
export interface GlobalIndexRecord extends LocalIndexRecord {
  throughput: Throughput;
  onDemand?: { read?: number; write?: number };
  warm?: { read?: number; write?: number };
}

/** The stream a table had last. */
export interface TableStream {
  enabled: boolean;
  viewType: StreamViewType;
  /** ISO 8601 label, unique among the table's streams. */
  label: string;
  arn: string;
}

/** How a table is encrypted with a key of KMS. */
export interface TableEncryption {
  kmsKeyArn: string;
  /** The table's own key as KMS encrypted it, in base64; made at the first use where it is missing. */
  dataKey?: string;
  /** Since when KMS does not let the key be used. */
  inaccessibleAt?: number;
}

/** What is done to a table until a point in time, in epoch milliseconds, where such things are to take time. */
export interface TableChange {
  status: 'CREATING' | 'UPDATING' | 'DELETING';
  until: number;
  /** Global indexes that are made or changed with it. */
  indexes?: Record<string, IndexStatus>;
}

/** A table, without its items. */
export interface TableRecord {
  name: string;
  id: string;
  arn: string;
  createdAt: number;
  attributeDefinitions: AttributeDefinition[];
  keySchema: KeySchemaElement[];
  billingMode: BillingMode;
  /** Whether the billing mode was ever named, as only then it is described. */
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
  /** Point-in-time recovery: since when, and how far back it reaches. */
  pitr?: { enabledAt: number; days: number };
  /** Where a restored table came from, and as of which moment. */
  restore?: { backupArn?: string; tableArn: string; to: number };
  /** When contributor insights were switched off, by index; of the table itself under the empty name. */
  insights?: Record<string, { changedAt: number }>;
  /** Kinesis data streams that get the changes of items. */
  kinesis?: { streamArn: string; active: boolean; precision?: ApproximateCreationDateTimePrecision }[];
  replication?: Replication;
  settingsReplicationMode?: GlobalTableSettingsReplicationMode;
  autoScaling?: AutoScaling;
  /** Whether it is being filled by an import: such a table is there whole or not at all. */
  importing?: true;
}

/** Auto scaling settings of a table in its region, and of its global indexes by name after a colon. */
export interface AutoScaling {
  read?: AutoScalingSettingsDescription;
  write?: AutoScalingSettingsDescription;
  indexes: Record<string, { read?: AutoScalingSettingsDescription; write?: AutoScalingSettingsDescription }>;
}

/** The replicas of a global table; every one of them has this. */
export interface Replication {
  version: '2017.11.29' | '2019.11.21';
  createdAt: number;
  /** Regions of all replicas, this one's too. */
  regions: string[];
  /** What was asked for differently in a region. */
  overrides: Record<string, ReplicaOverrides>;
  /** Eventual where undefined. */
  consistency?: 'STRONG';
  /** Region of the witness, where there is one. */
  witness?: string;
}

/** Settings of one replica. */
export interface ReplicaOverrides extends ReadOverrides {
  kmsKey?: string;
  tableClass?: TableClass;
  /** Those of its global secondary indexes. */
  indexes?: ({ name: string } & ReadOverrides)[];
}

/** What a replica, or an index of it, is read by instead of what the table has. */
export interface ReadOverrides {
  readUnits?: number;
  maxReadRequestUnits?: number;
}

/** A resource policy by the ARN of its table or stream. */
export interface PolicyRecord {
  policy: string;
  revisionId: string;
}

/** Id of the table or backup that an item is kept under, at the beginning of its key. */
export const ownerIdOf = (key: string): string => key.slice(0, key.indexOf('/'));

export const policies = defineCollection<PolicyRecord>('resource-policies', 'region');

export const tables = defineCollection<TableRecord>('tables', 'region');
export const items = defineCollection<Item>('items', 'region', {
  encode: encodeItem,
  decode: decodeItem,
  content: 'all',
  ownerOf: ownerIdOf,
});

/** Milliseconds for which a client token stands for its transaction. */
export const TRANSACTION_TOKEN_PERIOD = 10 * 60 * 1000;

/** Transactions by their client tokens. */
export const transactions = defineCollection<FirstRequest<void>>('transactions', 'region', {
  decode(json) {
    // Earlier versions of emu stored a digest and the time until which the token counts.
    const { digest, until, ...first } = json as { digest?: string; until?: number; request: string; at: number };
    return digest === undefined ? first : { request: digest, at: until! - TRANSACTION_TOKEN_PERIOD };
  },
});
