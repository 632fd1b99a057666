import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type RegionMetrics,
  type ResourceMetrics,
  Slices,
} from '@emu/core/service';
import type { Projection } from '@emu/service-types/dynamodb';
import { ExpiryIndex } from '../attributes/expiry.ts';
import {
  checkIndexKey,
  type ItemSource,
  identityOf,
  type KeySchema,
  keyAttributes,
  keySchemaOf,
} from '../attributes/keys.ts';
import { ItemIndex, type Position } from '../attributes/ordered-index.ts';
import { type Item, itemSize } from '../attributes/values.ts';
import { dynamodbError } from '../errors.ts';
import type { LocalIndexRecord, TableChange, TableRecord } from '../records.ts';
import type { CapacityReserves } from './capacity-reserves.ts';
import type { ProvisionedThroughput } from './provisioned.ts';

/** A change of one item, for streams, replicas and consumed capacity. */
export interface ItemChange {
  table: Table;
  before: Item | undefined;
  after: Item | undefined;
  /** True if time to live removed the item. */
  expired?: boolean;
  /** True if the change came from another replica. */
  replicated?: boolean;
  /** Id of the request or time-to-live run that made the change. */
  cause?: string | undefined;
}

/** Attributes of a change besides the item. */
export type ChangeOptions = Pick<ItemChange, 'expired' | 'replicated' | 'cause'>;

/** A secondary index with its items. */
export interface SecondaryIndex {
  name: string;
  kind: 'local' | 'global';
  items: ItemIndex;
  projection: DeepReadonly<Projection>;
  /** Bytes of its items. */
  bytes: number;
  /** Set while it is backfilled from the table, in the table's order: the last processed position. */
  filling?: { upTo: Position | undefined } | undefined;
}

/**
 * Checks that an index is readable.
 * @throws AwsError `ValidationException` while it is backfilled
 */
export function checkFilled({ name, filling }: SecondaryIndex): void {
  if (filling)
    throw dynamodbError('ValidationException', `Cannot read from backfilling global secondary index: ${name}`);
}

/** Callback for every change of a table's items. */
export type ChangeObserver = (change: ItemChange) => void;

/** Storage of the tables of an account and region. */
export interface TableStorage {
  /** Tables by name. */
  readonly records: Collection<TableRecord>;
  /** Items by table id and item identity. */
  readonly items: Collection<Item>;
  /** Sum of the provisioned throughput of all tables. */
  readonly provisioned: ProvisionedThroughput;
  /** The emulated time, in epoch milliseconds. */
  now(): number;
  /** Whether the state has ended, so that no changes are allowed. */
  readonly closed: boolean;
  /** Metrics for CloudWatch; undefined if no service reports them. */
  readonly reported: RegionMetrics | undefined;
  readonly clock: Clock;
}

/** A table with its ordered items and its indexes, which are updated together. */
export class Table {
  readonly primary: ItemIndex;
  /** Bytes of all items. */
  bytes = 0;
  private readonly observers: ChangeObserver[] = [];
  private secondary: SecondaryIndex[] = [];
  private expiry: ExpiryIndex | undefined;
  private metrics: ResourceMetrics | undefined;
  /** Remaining provisioned capacity, if enforced. */
  reserves: CapacityReserves | undefined;
  /** Latency metrics by operation. */
  private readonly latencies = new Map<string, ResourceMetrics>();

  constructor(
    private readonly storage: TableStorage,
    readonly name: string,
  ) {
    const { record } = this;
    this.primary = new ItemIndex(this.schema, true);
    for (const index of record.localIndexes) this.secondary.push(this.makeIndex(index, 'local'));
    for (const index of record.globalIndexes) this.secondary.push(this.makeIndex(index, 'global'));
    this.refreshExpiry();
  }

  /**
   * Reports the consumed capacity of a request, for the table or one of its global indexes.
   * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
   */
  reportConsumed(kind: 'Read' | 'Write', units: number, indexName: string | undefined): void {
    const { reported, clock } = this.storage;
    if (!reported && !this.reserves) return;
    const index = indexName !== undefined && this.index(indexName)?.kind === 'global' ? indexName : undefined;
    this.reserves?.take(kind, index, units);
    if (!reported) return;
    if (index === undefined) this.metrics ??= reported.resource('AWS/DynamoDB', { TableName: this.name });
    const metrics =
      index === undefined
        ? this.metrics!
        : reported.resource('AWS/DynamoDB', { GlobalSecondaryIndexName: index, TableName: this.name });
    metrics.add(`Consumed${kind}CapacityUnits`, units, clock.now());
  }

  /**
   * Reports the duration in milliseconds of a successful operation on the table.
   * @param now epoch milliseconds
   */
  reportLatency(operation: string, milliseconds: number, now: number): void {
    let metrics = this.latencies.get(operation);
    if (!metrics) {
      const { reported } = this.storage;
      if (!reported) return;
      metrics = reported.resource('AWS/DynamoDB', { Operation: operation, TableName: this.name });
      this.latencies.set(operation, metrics);
    }
    metrics.add('SuccessfulRequestLatency', milliseconds, now, 'Milliseconds');
  }

  /** Counts a metric of the table or one of its operations, for example `ConditionalCheckFailedRequests`. */
  count(metric: string, value = 1, operation?: string): void {
    const { reported, clock } = this.storage;
    const dimensions = { ...(operation !== undefined && { Operation: operation }), TableName: this.name };
    reported?.resource('AWS/DynamoDB', dimensions).add(metric, value, clock.now());
  }

  get record(): DeepReadonly<TableRecord> {
    return this.storage.records.get(this.name)!;
  }

  /** Change of the table in progress. */
  get busy(): DeepReadonly<TableChange> | undefined {
    const { busy } = this.record;
    return busy && (busy.status === 'DELETING' || busy.until > this.storage.now()) ? busy : undefined;
  }

  get schema(): KeySchema {
    const { keySchema, attributeDefinitions } = this.record;
    return keySchemaOf(keySchema, attributeDefinitions);
  }

  get itemCount(): number {
    return this.primary.size;
  }

  get indexes(): readonly SecondaryIndex[] {
    return this.secondary;
  }

  /** Changes the table's record. */
  update(change: (draft: TableRecord) => void): void {
    const before = this.record;
    this.storage.records.update(this.name, change);
    this.storage.provisioned.replace(before, this.record);
  }

  /** Marks the table as being filled: a restart before the end discards it. */
  beginImport(): void {
    this.update((draft) => {
      draft.importing = true;
    });
  }

  /** Marks the import as complete. */
  endImport(): void {
    this.update((draft) => {
      delete draft.importing;
    });
  }

  index(name: string): SecondaryIndex | undefined {
    return this.secondary.find((index) => index.name === name);
  }

  /** Registers a callback for every item change. */
  observe(observer: ChangeObserver): void {
    this.observers.push(observer);
  }

  /** Returns the item with the given key; undefined if missing. */
  get(key: Item): Item | undefined {
    return this.storage.items.get(this.storageKey(key)) as Item | undefined;
  }

  /**
   * Validates an item's attributes as keys of the indexes.
   * @throws AwsError `ValidationException`
   */
  checkIndexKeys(item: Item, source: ItemSource): void {
    for (const kind of ['global', 'local'] as const)
      for (const index of this.secondary)
        if (index.kind === kind) checkIndexKey(item, index.name, index.items.schema, source);
  }

  /**
   * Checks that no expression uses parts of a key attribute of the table or an index.
   * @param nested attributes whose parts it reads or writes
   * @throws AwsError `ValidationException`
   */
  checkScalarKeys(nested: ReadonlySet<string> | undefined): void {
    if (!nested?.size) return;
    const refuse = (schema: KeySchema, kind: string): void => {
      for (const { name } of keyAttributes(schema))
        if (nested.has(name))
          throw dynamodbError(
            'ValidationException',
            `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${kind}: ${name}`,
          );
    };
    refuse(this.primary.schema, 'Key');
    for (const { items } of this.secondary) refuse(items.schema, 'IndexKey');
  }

  /** Puts a validated item, replacing the one with the same key. */
  put(item: Item, options: ChangeOptions = {}): void {
    const identity = identityOf(item, this.primary.schema);
    const key = this.storageKeyOf(identity);
    const before = this.storage.items.get(key) as Item | undefined;
    // The table's primary index replaces the old version itself.
    if (before) this.unlinkOthers(before, identity);
    this.storage.items.put(key, item);
    this.link(item, identity);
    this.report({ table: this, before, after: item, ...options });
  }

  /** Removes an item. */
  delete(key: Item, options: ChangeOptions = {}): void {
    const before = this.get(key);
    if (!before) return;
    const identity = identityOf(before, this.primary.schema);
    this.primary.delete(before, identity);
    this.unlinkOthers(before, identity);
    this.storage.items.delete(this.storageKey(before));
    this.report({ table: this, before, after: undefined, ...options });
  }

  /** Adds an item that is already in the collection to the indexes. */
  adopt(item: Item): void {
    this.link(item, identityOf(item, this.primary.schema));
  }

  /** Removes all items without notifying observers: immediately from the table, gradually from storage. */
  async clear(): Promise<void> {
    const { items } = this.storage;
    const prefix = this.storageKeyOf('');
    const entries = this.primary.takeAll();
    this.expiry?.clear();
    for (const index of this.secondary) {
      index.items.takeAll();
      index.bytes = 0;
    }
    this.bytes = 0;
    const slices = new Slices();
    for (const { identity } of entries) {
      items.delete(prefix + identity);
      const pause = slices.pause();
      if (!pause) continue;
      await pause;
      if (this.storage.closed) return;
    }
  }

  /**
   * Creates and backfills new global indexes of the record, and drops removed ones.
   * @returns undefined if they are already filled, otherwise a promise that resolves then
   */
  alignIndexes(): Promise<unknown> | undefined {
    const { globalIndexes } = this.record;
    this.secondary = this.secondary.filter(
      ({ kind, name }) => kind === 'local' || globalIndexes.some((index) => index.name === name),
    );
    const added: SecondaryIndex[] = [];
    for (const declared of globalIndexes) {
      if (this.index(declared.name)) continue;
      const index: SecondaryIndex = { ...this.makeIndex(declared, 'global'), filling: { upTo: undefined } };
      this.secondary.push(index);
      added.push(index);
    }
    const waiting = added.map((index) => this.fill(index));
    return added.some(({ filling }) => filling) ? Promise.all(waiting) : undefined;
  }

  /** Backfills an index; items written meanwhile before its current position are added by their writes. */
  private async fill(index: SecondaryIndex): Promise<void> {
    const filling = index.filling!;
    const slices = new Slices();
    let pause: Promise<void> | undefined;
    do {
      if (pause) await pause;
      pause = undefined;
      if (this.storage.closed) return;
      for (const entry of this.primary.after(filling.upTo, true)) {
        this.linkTo(index, entry.item, entry.identity);
        filling.upTo = entry;
        pause = slices.pause();
        if (pause) break;
      }
    } while (pause);
    index.filling = undefined;
  }

  /** Whether an index should already contain an item; an index being backfilled reaches others later. */
  private reaches({ filling }: SecondaryIndex, item: Item, identity: string): boolean {
    if (!filling) return true;
    return filling.upTo !== undefined && !this.primary.isBehind(this.primary.positionOf(item, identity), filling.upTo);
  }

  /** Returns the identity of an item or key within the table. */
  identityOf(key: Item): string {
    return identityOf(key, this.primary.schema);
  }

  /** Applies a change of the table's time to live. */
  refreshExpiry(): void {
    const { ttl } = this.record;
    this.expiry = ttl?.enabled ? new ExpiryIndex(ttl.attribute) : undefined;
    for (const { item, identity } of this.expiry ? this.primary.after(undefined, true) : [])
      this.expiry!.put(item, identity);
  }

  /**
   * Removes expired items; returns their number.
   * @param cause id of this run
   */
  async removeExpired(now: number, cause: string): Promise<number> {
    let removed = 0;
    const slices = new Slices();
    for (const item of this.expiry?.due(now) ?? []) {
      // An item changed during a pause is a different object; a removed one is missing.
      if (this.get(item) === item) {
        this.delete(item, { expired: true, cause });
        removed++;
      }
      const pause = slices.pause();
      if (!pause) continue;
      await pause;
      if (this.storage.closed || !this.storage.records.has(this.name)) break;
    }
    return removed;
  }

  /** Returns the attributes of an item in an index: its projection, always with the keys of table and index. */
  projected(index: SecondaryIndex, item: Item): Item {
    if (index.projection.ProjectionType === 'ALL') return item;
    const names = new Set(
      [...keyAttributes(this.schema), ...keyAttributes(index.items.schema)].map(({ name }) => name),
    );
    for (const name of index.projection.NonKeyAttributes ?? []) names.add(name);
    const out: Item = {};
    for (const name of names) if (Object.hasOwn(item, name)) out[name] = item[name]!;
    return out;
  }

  private storageKey(item: Item): string {
    return this.storageKeyOf(identityOf(item, this.primary.schema));
  }

  private storageKeyOf(identity: string): string {
    return `${this.record.id}/${identity}`;
  }

  private makeIndex(record: DeepReadonly<LocalIndexRecord>, kind: SecondaryIndex['kind']): SecondaryIndex {
    const schema = keySchemaOf(record.keySchema, this.record.attributeDefinitions);
    return { name: record.name, kind, items: new ItemIndex(schema, false), projection: record.projection, bytes: 0 };
  }

  private link(item: Item, identity: string): void {
    this.primary.put(item, identity);
    this.bytes += itemSize(item);
    this.expiry?.put(item, identity);
    for (const index of this.secondary) if (this.reaches(index, item, identity)) this.linkTo(index, item, identity);
  }

  private linkTo(index: SecondaryIndex, item: Item, identity: string): void {
    if (!index.items.covers(item)) return;
    index.items.put(item, identity);
    index.bytes += itemSize(this.projected(index, item));
  }

  /** Removes an item from all indexes except the primary one. */
  private unlinkOthers(item: Item, identity: string): void {
    this.bytes -= itemSize(item);
    this.expiry?.delete(item, identity);
    for (const index of this.secondary) {
      if (!this.reaches(index, item, identity) || !index.items.covers(item)) continue;
      index.items.delete(item, identity);
      index.bytes -= itemSize(this.projected(index, item));
    }
  }

  private report(change: ItemChange): void {
    for (const observer of this.observers) observer(change);
  }
}
