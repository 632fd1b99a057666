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

/** The table of a name or an ARN; undefined where there is none, which the operation itself tells. */
function tableOf(nameOrArn: string, ctx: DynamodbContext): Table | undefined {
  const address = nameOrArn.startsWith('arn:') ? tableOfArn(nameOrArn) : undefined;
  return address ? stateAt(address.place, ctx)?.table(address.key.table) : ctx.state.table(nameOrArn);
}

const READING = /^(?:Get|BatchGet|TransactGet|Query|Scan)/;
const SELECT = /^\s*select\b/i;

/** What an operation does to items; of PartiQL the statements say it. */
const accessOf = (operation: string, statements?: readonly string[]): Access =>
  (statements ? statements.every((text) => SELECT.test(text)) : READING.test(operation)) ? 'Read' : 'Write';

/** An operation on the items of one table, whose key the caller has to be let use. */
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

/** An operation on the items of several tables. @param names of the tables; they may come more than once */
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

/** A batch of requests by tables. */
export const onBatch = <Input extends { RequestItems: Record<string, unknown> }, Output>(
  handler: Handler<Input, Output>,
): Handler<Input, Output> => onTables(({ RequestItems }) => Object.keys(RequestItems), handler);

type Part = Readonly<Record<string, { TableName: string } | undefined>>;

/** A transaction. */
export const onTransaction = <Input extends { TransactItems: readonly object[] }, Output>(
  handler: Handler<Input, Output>,
): Handler<Input, Output> =>
  onTables(
    ({ TransactItems }) =>
      TransactItems.flatMap((item) => Object.values(item as Part).flatMap((part) => part?.TableName ?? [])),
    handler,
  );

/** PartiQL statements. @param texts of an input; one that cannot be read is left to the operation */
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
