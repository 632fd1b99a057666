import {
  type Clock,
  type Collection,
  type DeepReadonly,
  IdempotencyTokens,
  type InterruptedWork,
  interruptedRecords,
  metricsOf,
  type RegionMetrics,
  type StateScope,
  tokensOf,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import type { Item } from './attributes/values.ts';
import { dynamodbError } from './errors.ts';
import { type ExportRecord, exports, type ImportRecord, imports, type JobStatus } from './import-export/jobs.ts';
import { ExpirySweep } from './items/expiry-sweep.ts';
import {
  items,
  type PolicyRecord,
  policies,
  type TableRecord,
  TRANSACTION_TOKEN_PERIOD,
  tables,
  transactions,
} from './records.ts';
import { KinesisSender } from './streams/kinesis.ts';
import { StreamLog } from './streams/log.ts';
import { Backups } from './tables/backups.ts';
import { History } from './tables/item-history.ts';
import { ProvisionedThroughput } from './tables/provisioned.ts';
import { type ItemChange, Table } from './tables/table.ts';

/** Background work of a state, injected by the plugin so that the state does not depend on S3. */
export interface DynamoWork {
  /** Resumes an export that a restart interrupted. */
  resumeExport(state: DynamoState, record: DeepReadonly<ExportRecord>): Promise<void>;
  /** Ends such an export as failed. @param reason a sentence */
  failExport(state: DynamoState, record: DeepReadonly<ExportRecord>, reason: string): void;
  /** Resumes an import that a restart interrupted. */
  resumeImport(state: DynamoState, record: DeepReadonly<ImportRecord>): Promise<void>;
  /** Ends such an import as failed. @param reason a sentence */
  failImport(state: DynamoState, record: DeepReadonly<ImportRecord>, reason: string): void;
}

/** Lifetime of client tokens of exports and imports, in milliseconds. */
const JOB_TOKEN_PERIOD = 8 * 60 * 60 * 1000;

/** Returns the request that started an export or import. */
const requestOf = ({ token, request, startedAt }: DeepReadonly<ExportRecord | ImportRecord>) =>
  token === undefined ? undefined : { token, request, at: startedAt };

/** DynamoDB's state of an account and region. */
export class DynamoState implements WorkingState {
  readonly workers: readonly Worker[];
  readonly clock: Clock;
  readonly reported: RegionMetrics | undefined;
  readonly records: Collection<TableRecord>;
  readonly items: Collection<Item>;
  private readonly tables = new Map<string, Table>();
  /** Sum of the provisioned throughput of all tables. */
  readonly provisioned = new ProvisionedThroughput();
  readonly streams: StreamLog;
  readonly history: History;
  readonly backups: Backups;
  readonly policies: Collection<PolicyRecord>;
  readonly exports: Collection<ExportRecord>;
  readonly imports: Collection<ImportRecord>;
  readonly transactionTokens: IdempotencyTokens<void>;
  readonly exportTokens: IdempotencyTokens<DeepReadonly<ExportRecord>>;
  readonly importTokens: IdempotencyTokens<DeepReadonly<ImportRecord>>;
  private readonly kinesis: KinesisSender;
  private readonly sweep: ExpirySweep;

  /** Whether the state has ended, so that running work is abandoned. */
  closed = false;

  constructor(
    readonly scope: StateScope,
    work: DynamoWork,
  ) {
    this.clock = scope.clock;
    this.reported = metricsOf(scope.service, scope.accountId, scope.region);
    this.records = scope.collection(tables);
    this.items = scope.collection(items);
    this.transactionTokens = new IdempotencyTokens({
      clock: scope.clock,
      member: 'ClientRequestToken',
      records: scope.collection(transactions),
      period: TRANSACTION_TOKEN_PERIOD,
      shared: true,
      refuse: () =>
        dynamodbError(
          'IdempotentParameterMismatchException',
          'DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token that was already used.',
        ),
    });
    this.streams = new StreamLog(scope);
    this.history = new History(scope);
    this.backups = new Backups(scope, () => this.closed);
    this.policies = scope.collection(policies);
    this.kinesis = new KinesisSender(scope);
    this.exports = scope.collection(exports);
    this.imports = scope.collection(imports);
    const jobTokens = { clock: scope.clock, period: JOB_TOKEN_PERIOD };
    this.exportTokens = new IdempotencyTokens({
      ...jobTokens,
      records: tokensOf(this.exports, requestOf),
      refuse: () =>
        dynamodbError('ExportConflictException', 'The client token was used for an export with other parameters'),
    });
    this.importTokens = new IdempotencyTokens({
      ...jobTokens,
      records: tokensOf(this.imports, requestOf),
      refuse: () =>
        dynamodbError('ImportConflictException', 'The client token was used for an import with other parameters'),
    });
    const wanted = () => [...this.records.values()].some(({ ttl }) => ttl?.enabled);
    this.sweep = new ExpirySweep(scope.clock, wanted, () => this.removeExpired());
    const jobs: Worker = {
      resume: () => this.resumeDeletions(),
      interrupted: () => this.interruptedJobs(work),
      close: () => {
        this.closed = true;
      },
    };
    this.workers = [this.sweep, this.kinesis, jobs];
  }

  *fill(): Iterable<void> {
    const byId = new Map<string, Table>();
    const going = new Set([...this.imports.values()].filter(isGoing).map(({ tableId }) => tableId));
    const halves = [...this.records.values()].filter(({ importing }) => importing);
    for (const { name, id } of halves) if (!going.has(id)) this.records.delete(name);
    for (const record of this.records.values()) {
      byId.set(record.id, this.openTable(record.name));
      this.provisioned.replace(undefined, record);
    }
    const lost: string[] = [];
    for (const [key, item] of this.items.entries()) {
      const table = byId.get(key.slice(0, key.indexOf('/')));
      // A restarted import needs an empty table.
      if (table && !table.record.importing) table.adopt(item as Item);
      else lost.push(key);
      yield;
    }
    for (const key of lost) this.items.delete(key);
  }

  /** Returns a table by name; undefined if missing. */
  table(name: string): Table | undefined {
    return this.tables.get(name);
  }

  /** Returns a table by id; undefined if deleted. */
  tableOfId(id: string): Table | undefined {
    return [...this.tables.values()].find(({ record }) => record.id === id);
  }

  /** Returns the names of all tables in the order of ListTables. */
  tableNames(): string[] {
    return [...this.tables.keys()].sort();
  }

  get tableNumber(): number {
    return this.tables.size;
  }

  /** Adds an empty table. */
  addTable(record: TableRecord): Table {
    this.provisioned.replace(undefined, record);
    this.records.put(record.name, record);
    return this.openTable(record.name);
  }

  now(): number {
    return this.scope.clock.now();
  }

  /** Removes a table at the time in its record. */
  removeLater(name: string): void {
    const { id, busy } = this.records.get(name)!;
    this.scope.clock.at(busy!.until, async () => {
      if (this.records.get(name)?.id === id) await this.removeTable(name);
    });
  }

  /** Removes a table immediately and its items in the background; resolves when they are removed. */
  async removeTable(name: string): Promise<void> {
    const table = this.tables.get(name);
    if (!table) return;
    const { arn, id, stream } = table.record;
    if (stream?.enabled) this.streams.disable(stream.arn);
    this.policies.delete(arn);
    this.history.remove(id);
    this.provisioned.replace(table.record, undefined);
    const cleared = table.clear();
    this.tables.delete(name);
    this.records.delete(name);
    await cleared;
  }

  /** Removes the expired items of all tables; returns their number. */
  async removeExpired(): Promise<number> {
    const now = this.scope.clock.now();
    const cause = this.scope.ids.uuid();
    let removed = 0;
    for (const table of [...this.tables.values()]) {
      if (this.closed) break;
      if (this.tables.get(table.name) === table) removed += await table.removeExpired(now, cause);
    }
    return removed;
  }

  /** Starts or stops the time-to-live sweep. */
  scheduleSweep(): void {
    this.sweep.schedule();
  }

  /** Returns the state of the same account in another region. */
  in(region: string): DynamoState {
    return this.scope.service.state(this.scope.accountId, region) as DynamoState;
  }

  /** Applies a replica's change to all other replicas; the last writer wins, since changes apply everywhere at once. */
  private replicate({ table, before, after, expired, cause }: ItemChange): void {
    for (const region of table.record.replication?.regions ?? []) {
      if (region === this.scope.region) continue;
      const replica = this.in(region).table(table.name);
      const options = { replicated: true, cause, ...(expired && { expired }) };
      if (after) replica?.put(after, options);
      else replica?.delete(before!, options);
    }
  }

  private resumeDeletions(): void {
    for (const { name, busy } of this.records.values()) if (busy?.status === 'DELETING') this.removeLater(name);
  }

  private interruptedJobs(work: DynamoWork): InterruptedWork[] {
    return [
      ...interruptedRecords(this.exports, {
        name: ({ arn }) => `export ${arn}`,
        isLeft: isGoing,
        resume: (record) => work.resumeExport(this, record),
        fail: (record, reason) => work.failExport(this, record, reason),
      }),
      ...interruptedRecords(this.imports, {
        name: ({ arn }) => `import ${arn}`,
        isLeft: isGoing,
        resume: (record) => work.resumeImport(this, record),
        fail: (record, reason) => work.failImport(this, record, reason),
      }),
    ];
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

/** Whether a job is in progress. */
const isGoing = ({ status }: { readonly status: JobStatus }): boolean => status === 'IN_PROGRESS';
