import { AwsError } from '@emu/wire';
import type { DynamodbContext } from '../context.ts';
import { stateAt } from '../context.ts';
import { parseStatement } from '../partiql/syntax.ts';
import { tableOfArn } from '../resources.ts';
import type { Access } from '../tables/capacity-reserves.ts';
import type { Table } from '../tables/table.ts';
import { openTableKey } from '../tables/table-key.ts';
import { admit } from '../tables/throttling.ts';
import { measured } from './measured.ts';

type Handler<Input, Output> = (input: Input, ctx: DynamodbContext) => Output | Promise<Output>;

/** Returns the table of a name or ARN; undefined if missing, which the operation itself reports. */
function tableOf(nameOrArn: string, ctx: DynamodbContext): Table | undefined {
  const address = nameOrArn.startsWith('arn:') ? tableOfArn(nameOrArn) : undefined;
  return address ? stateAt(address.place, ctx)?.table(address.key.table) : ctx.state.table(nameOrArn);
}

const READING = /^(?:Get|BatchGet|TransactGet|Query|Scan)/;
const SELECT = /^\s*select\b/i;

/** Returns the access of an operation to items; for PartiQL it depends on the statements. */
const accessOf = (operation: string, statements?: readonly string[]): Access =>
  (statements ? statements.every((text) => SELECT.test(text)) : READING.test(operation)) ? 'Read' : 'Write';

/** Wraps an operation on the items of one table, for whose key the caller needs permission. */
export const onTable =
  <Input extends { TableName: string }, Output>(handler: Handler<Input, Output>): Handler<Input, Output> =>
  (input, ctx) => {
    const table = tableOf(input.TableName, ctx);
    return measured(table ? [table] : [], ctx, () => {
      if (table) admit([table], accessOf(ctx.operation), (input as { IndexName?: string }).IndexName, ctx);
      const waiting = table && openTableKey(table, ctx);
      return waiting ? waiting.then(() => handler(input, ctx)) : handler(input, ctx);
    });
  };

/**
 * Wraps an operation on the items of several tables.
 * @param names of the tables, with possible duplicates
 */
const onTables =
  <Input, Output>(
    names: (input: Input) => readonly string[],
    handler: Handler<Input, Output>,
    statements?: (input: Input) => readonly string[],
  ): Handler<Input, Output> =>
  (input, ctx) => {
    const tables = [...new Set(names(input))].flatMap((name) => tableOf(name, ctx) ?? []);
    return measured(tables, ctx, () => {
      admit(tables, accessOf(ctx.operation, statements?.(input)), undefined, ctx);
      const waiting = tables.flatMap((table) => openTableKey(table, ctx) ?? []);
      return waiting.length ? Promise.all(waiting).then(() => handler(input, ctx)) : handler(input, ctx);
    });
  };

/** Wraps a batch of requests by table. */
export const onBatch = <Input extends { RequestItems: Record<string, unknown> }, Output>(
  handler: Handler<Input, Output>,
): Handler<Input, Output> => onTables(({ RequestItems }) => Object.keys(RequestItems), handler);

type Part = Readonly<Record<string, { TableName: string } | undefined>>;

/** Wraps a transaction. */
export const onTransaction = <Input extends { TransactItems: readonly object[] }, Output>(
  handler: Handler<Input, Output>,
): Handler<Input, Output> =>
  onTables(
    ({ TransactItems }) =>
      TransactItems.flatMap((item) => Object.values(item as Part).flatMap((part) => part?.TableName ?? [])),
    handler,
  );

/**
 * Wraps PartiQL statements.
 * @param texts of an input; the operation reports statements that cannot be parsed
 */
export const onStatements = <Input, Output>(
  texts: (input: Input) => readonly string[],
  handler: Handler<Input, Output>,
): Handler<Input, Output> => onTables((input) => texts(input).flatMap((text) => namedIn(text) ?? []), handler, texts);

function namedIn(text: string): string | undefined {
  try {
    return parseStatement(text).statement.table;
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return undefined;
  }
}
