import {
  type Collection,
  type DeepReadonly,
  IdempotencyTokens,
  type StateScope,
  tokensOf,
  type Worker,
} from '@emu/core/service';
import type { LogsRegistry } from '../registry.ts';
import { LookupTables } from './lookup-tables.ts';
import { Queries } from './queries/queries.ts';
import { type DefinitionRecord, definitionCollection, lookupTableCollection } from './records.ts';
import { scheduledQueryCollection, triggerCollection } from './scheduled/records.ts';
import { runScheduled } from './scheduled/run.ts';
import { ScheduledQueries } from './scheduled/scheduled-queries.ts';

/** Logs Insights state of one account and region. */
export class Insights {
  readonly queries: Queries;
  /** Saved queries. */
  readonly definitions: Collection<DefinitionRecord>;
  readonly definitionTokens: IdempotencyTokens<DeepReadonly<DefinitionRecord>>;
  readonly lookupTables: LookupTables;
  readonly scheduled: ScheduledQueries;
  readonly workers: readonly Worker[];

  constructor(scope: StateScope, state: LogsRegistry) {
    this.queries = new Queries(scope.clock);
    this.definitions = scope.collection(definitionCollection);
    this.definitionTokens = new IdempotencyTokens({
      clock: scope.clock,
      member: 'clientToken',
      records: tokensOf(this.definitions, ({ token }) => (token === undefined ? undefined : { token })),
    });
    this.lookupTables = new LookupTables(scope.collection(lookupTableCollection));
    this.scheduled = new ScheduledQueries(
      scope.clock,
      scope.collection(scheduledQueryCollection),
      scope.collection(triggerCollection),
      (query, at) => runScheduled(state, query, at),
    );
    this.workers = [this.queries, this.scheduled];
  }
}
