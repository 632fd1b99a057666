import type { Collection, StateScope, Worker, WorkingState } from '@emu/core';
import { type ExportRecord, exports, type ImportRecord, imports } from './import-export/jobs.ts';
import { ExpirySweep } from './items/expiry-sweep.ts';
import type { Item } from './items/values.ts';
import {
  type DoneTransaction,
  items,
  type PolicyRecord,
  policies,
  type TableRecord,
  tables,
  transactions,
} from './records.ts';
import { KinesisSender } from './streams/kinesis.ts';
import { StreamLog } from './streams/log.ts';
import { Backups } from './tables/backups.ts';
import { History } from './tables/item-history.ts';
import { type ItemChange, Table } from './tables/table.ts';

/** Everything DynamoDB keeps of one account and region. */
export class DynamoState implements WorkingState {
  readonly workers: readonly Worker[];
  /** Whether the state has ended, so that nothing may be changed any more. */
  ended = false;
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
  private readonly sweep: ExpirySweep;

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
    const wanted = () => [...this.records.values()].some(({ ttl }) => ttl?.enabled);
    this.sweep = new ExpirySweep(scope.clock, wanted, () => this.removeExpired());
    const end = () => {
      this.ended = true;
    };
    this.workers = [this.sweep, { close: end }];
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

  /** Removes a table at once, and then its items; resolves when they are gone. */
  async removeTable(name: string): Promise<void> {
    const table = this.tables.get(name);
    if (!table) return;
    const { arn, id, stream } = table.record;
    if (stream?.enabled) this.streams.disable(stream.arn);
    this.policies.delete(arn);
    this.history.forget(id);
    const cleared = table.clear();
    this.tables.delete(name);
    this.records.delete(name);
    await cleared;
  }

  /** Removes the items of all tables whose time to live has passed; returns how many. */
  async removeExpired(): Promise<number> {
    const now = this.scope.clock.now();
    let removed = 0;
    for (const table of [...this.tables.values()]) {
      if (this.ended) break;
      if (this.tables.get(table.name) === table) removed += await table.removeExpired(now);
    }
    return removed;
  }

  /** Keeps the time-to-live processor running as long as a table wants it. */
  scheduleSweep(): void {
    this.sweep.schedule();
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
