import { type Collection, defineCollection, type StateScope } from '@emu/core';
import type {
  AttributeDefinition,
  BillingMode,
  KeySchemaElement,
  Projection,
  StreamViewType,
  TableClass,
} from './generated/dynamodb.ts';
import { decodeItem, encodeItem } from './item-codec.ts';
import { Table } from './table.ts';
import type { Item } from './values.ts';

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

/** The stream of a table; it stays described for a day after it was disabled. */
export interface StreamRecord {
  enabled: boolean;
  viewType: StreamViewType;
  /** ISO 8601 label, unique among the table's streams. */
  label: string;
  arn: string;
  createdAt: number;
  disabledAt?: number;
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
  /** Newest last. */
  streams: StreamRecord[];
  sse?: { kmsKeyArn: string };
  tableClass?: TableClass;
  deletionProtection: boolean;
  tags: Record<string, string>;
  ttl?: { attribute: string; enabled: boolean; changedAt: number };
}

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
export class DynamoState {
  readonly records: Collection<TableRecord>;
  readonly items: Collection<Item>;
  private readonly tables = new Map<string, Table>();
  private readonly transactions: Collection<DoneTransaction>;

  constructor(readonly scope: StateScope) {
    this.records = scope.collection(tables);
    this.items = scope.collection(items);
    this.transactions = scope.collection(transactions);
    const byId = new Map<string, Table>();
    for (const record of this.records.values()) {
      const table = new Table(this, record.name);
      this.tables.set(record.name, table);
      byId.set(record.id, table);
    }
    for (const [key, item] of this.items.entries()) byId.get(key.slice(0, key.indexOf('/')))?.adopt(item as Item);
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
    const table = new Table(this, record.name);
    this.tables.set(record.name, table);
    return table;
  }

  /** Removes a table with its items. */
  removeTable(name: string): void {
    const table = this.tables.get(name);
    if (!table) return;
    table.clear();
    this.tables.delete(name);
    this.records.delete(name);
  }
}

/** Makes the state of an account and region. */
export function createState(scope: StateScope): DynamoState {
  return new DynamoState(scope);
}
