import { type ClosableState, type Collection, defineCollection, type StateScope, type Timer } from '@emu/core';
import type {
  ApproximateCreationDateTimePrecision,
  AttributeDefinition,
  AutoScalingSettingsDescription,
  BillingMode,
  ContributorInsightsMode,
  GlobalTableSettingsReplicationMode,
  KeySchemaElement,
  Projection,
  StreamViewType,
  TableClass,
} from './generated/dynamodb.ts';
import { type ExportRecord, exports, type ImportRecord, imports } from './import-export/jobs.ts';
import { decodeItem, encodeItem } from './items/codec.ts';
import type { Item } from './items/values.ts';
import { KinesisSender } from './streams/kinesis.ts';
import { StreamLog } from './streams/log.ts';
import { Backups } from './tables/backups.ts';
import { History } from './tables/item-history.ts';
import { type ItemChange, Table } from './tables/table.ts';

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
  sse?: { kmsKeyArn: string };
  tableClass?: TableClass;
  deletionProtection: boolean;
  tags: Record<string, string>;
  ttl?: { attribute: string; enabled: boolean; changedAt: number };
  /** Point-in-time recovery: since when, and how far back it reaches. */
  pitr?: { enabledAt: number; days: number };
  /** Where a restored table came from, and as of which moment. */
  restore?: { backupArn?: string; tableArn: string; to: number };
  /** Contributor insights by index; of the table itself under the empty name. */
  insights?: Record<string, { enabled: boolean; mode: ContributorInsightsMode; changedAt: number }>;
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
export interface ReplicaOverrides {
  kmsKey?: string;
  tableClass?: TableClass;
  readUnits?: number;
  maxReadRequestUnits?: number;
}

/** A resource policy by the ARN of its table or stream. */
interface PolicyRecord {
  policy: string;
  revisionId: string;
}

export const policies = defineCollection<PolicyRecord>('resource-policies', 'region');

/** How often expired items are removed. */
const SWEEP_INTERVAL = 60_000;

export const tables = defineCollection<TableRecord>('tables', 'region');
export const items = defineCollection<Item>('items', 'region', { encode: encodeItem, decode: decodeItem });

/** A transaction that was done under a client token, so that a repetition does nothing. */
interface DoneTransaction {
  digest: string;
  /** Epoch milliseconds until which the token counts. */
  until: number;
}

export const transactions = defineCollection<DoneTransaction>('transactions', 'region');

/** Everything DynamoDB keeps of one account and region. */
export class DynamoState implements ClosableState {
  readonly records: Collection<TableRecord>;
  readonly items: Collection<Item>;
  private readonly tables = new Map<string, Table>();
  readonly streams: StreamLog;
  readonly history: History;
  readonly backups: Backups;
  readonly policies: Collection<PolicyRecord>;
  readonly exports: Collection<ExportRecord>;
  readonly imports: Collection<ImportRecord>;
  private readonly kinesis: KinesisSender;
  private readonly transactions: Collection<DoneTransaction>;
  private sweep: Timer | undefined;

  constructor(readonly scope: StateScope) {
    this.records = scope.collection(tables);
    this.items = scope.collection(items);
    this.transactions = scope.collection(transactions);
    this.streams = new StreamLog(scope);
    this.history = new History(scope);
    this.backups = new Backups(scope);
    this.policies = scope.collection(policies);
    this.kinesis = new KinesisSender(scope);
    this.exports = scope.collection(exports);
    this.imports = scope.collection(imports);
    for (const jobs of [this.exports, this.imports]) endInterrupted(jobs, scope.clock.now());
    const byId = new Map<string, Table>();
    const halves = [...this.records.values()].filter(({ importing }) => importing);
    for (const { name } of halves) this.records.delete(name);
    for (const record of this.records.values()) byId.set(record.id, this.openTable(record.name));
    const lost: string[] = [];
    for (const [key, item] of this.items.entries()) {
      const table = byId.get(key.slice(0, key.indexOf('/')));
      if (table) table.adopt(item as Item);
      else lost.push(key);
    }
    for (const key of lost) this.items.delete(key);
    this.scheduleSweep();
  }

  /** A table by name; undefined where there is none. */
  table(name: string): Table | undefined {
    return this.tables.get(name);
  }

  /** The digest of the transaction that was done under a token and is still remembered. */
  remembered(token: string, now: number): string | undefined {
    const done = this.transactions.get(token);
    return done && done.until > now ? done.digest : undefined;
  }

  /** Remembers a transaction until a point in time, and forgets those whose time has passed. */
  remember(token: string, digest: string, until: number): void {
    const now = this.scope.clock.now();
    for (const [known, done] of this.transactions.entries()) {
      if (done.until > now) break;
      this.transactions.delete(known);
    }
    this.transactions.delete(token);
    this.transactions.put(token, { digest, until });
  }

  /** Names of all tables in the order ListTables gives them. */
  tableNames(): string[] {
    return [...this.tables.keys()].sort();
  }

  /** Adds an empty table. */
  addTable(record: TableRecord): Table {
    this.records.put(record.name, record);
    return this.openTable(record.name);
  }

  /** Removes a table with its items. */
  removeTable(name: string): void {
    const table = this.tables.get(name);
    if (!table) return;
    const { arn, id, stream } = table.record;
    if (stream?.enabled) this.streams.disable(stream.arn);
    this.policies.delete(arn);
    this.history.forget(id);
    table.clear();
    this.tables.delete(name);
    this.records.delete(name);
  }

  /** Removes the items of all tables whose time to live has passed; returns how many. */
  removeExpired(): number {
    const now = this.scope.clock.now();
    let removed = 0;
    for (const table of this.tables.values()) removed += table.removeExpired(now);
    return removed;
  }

  /** Keeps the time-to-live processor running as long as a table wants it. */
  scheduleSweep(): void {
    const wanted = [...this.records.values()].some(({ ttl }) => ttl?.enabled);
    if (wanted) this.sweep ??= this.scope.clock.every(SWEEP_INTERVAL, () => void this.removeExpired());
    else this.stopSweep();
  }

  close(): void {
    this.stopSweep();
  }

  /** The state of the same account in another region. */
  in(region: string): DynamoState {
    return this.scope.service.state(this.scope.accountId, region) as DynamoState;
  }

  /** Does a change of a replica in all others; the last writer wins, because each change is done everywhere at once. */
  private replicate({ table, before, after, expired }: ItemChange): void {
    for (const region of table.record.replication?.regions ?? []) {
      if (region === this.scope.region) continue;
      const replica = this.in(region).table(table.name);
      const options = { replicated: true, ...(expired ? { expired } : {}) };
      if (after) replica?.put(after, options);
      else replica?.delete(before!, options);
    }
  }

  private stopSweep(): void {
    this.sweep?.cancel();
    this.sweep = undefined;
  }

  private openTable(name: string): Table {
    const table = new Table(this, name);
    this.tables.set(name, table);
    table.observe((change) => {
      const { stream } = table.record;
      if (stream?.enabled) this.streams.append(stream.arn, change);
      this.history.note(change);
      this.kinesis.send(change);
      if (!change.replicated) this.replicate(change);
    });
    return table;
  }
}

/** Jobs that ran when the process ended do not go on. */
function endInterrupted(jobs: Collection<ExportRecord> | Collection<ImportRecord>, now: number): void {
  for (const { arn, status } of [...jobs.values()])
    if (status === 'IN_PROGRESS')
      jobs.update(arn, (draft: ExportRecord | ImportRecord) => {
        draft.status = 'FAILED';
        draft.endedAt = now;
        draft.failure = { code: 'UNKNOWN', message: 'The emulator ended before the job was done.' };
      });
}

/** Makes the state of an account and region. */
export function createState(scope: StateScope): DynamoState {
  return new DynamoState(scope);
}
