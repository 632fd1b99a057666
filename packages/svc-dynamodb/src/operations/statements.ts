import type {
  BatchStatementErrorCodeEnum,
  BatchStatementRequest,
  BatchStatementResponse,
  InputOf,
  OutputOf,
} from '@emu/service-types/dynamodb';
import { AwsError } from '@emu/wire';
import { decodeItem, encodeItem } from '../attributes/codec.ts';
import { keyOf } from '../attributes/keys.ts';
import { type Item, itemSize } from '../attributes/values.ts';
import type { DynamodbContext } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import { projectionOf } from '../expressions/projection.ts';
import { CapacityMeter, readUnits } from '../items/capacity.ts';
import { meterPage, readPage } from '../items/reads.ts';
import { ConditionFailed, commitWrite, conditionFailure, type PreparedWrite, prepareWrite } from '../items/writes.ts';
import { paging } from '../paging.ts';
import { type Plan, planStatement, type ReadPlan, type WritePlan } from '../partiql/plan.ts';
import { checkTransactable } from './strong-consistency.ts';
import { cancelled, checkTargets, readAgain, runTogether } from './transactions.ts';

/** Prepares a write: a duplicate of an INSERT and a failed condition become the errors of a single statement. */
function prepareStatement(plan: WritePlan, onFailure: 'ALL_OLD' | 'NONE' | undefined): PreparedWrite {
  try {
    const prepared = prepareWrite(plan.write);
    if (plan.inserts && prepared.before)
      throw dynamodbError('DuplicateItemException', 'Duplicate primary key exists in table');
    // UPDATE changes existing items only.
    if (plan.write.kind === 'update' && !prepared.before) throw new ConditionFailed(undefined);
    return prepared;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw conditionFailure(error, onFailure);
  }
}

function returned(plan: WritePlan, { before, after }: PreparedWrite): Item | undefined {
  switch (plan.returning) {
    case 'ALL_OLD':
      return before;
    case 'ALL_NEW':
      return after;
    case 'UPDATED_OLD':
    case 'UPDATED_NEW': {
      const item = plan.returning === 'UPDATED_OLD' ? before : after;
      const targets = plan.write.kind === 'update' ? (plan.write.update?.targets ?? []) : [];
      return item && projectionOf(targets).of(item);
    }
    default:
      return undefined;
  }
}

const shown = (plan: ReadPlan, item: Item): Item => {
  const view = plan.index && !plan.fetches ? plan.table.projected(plan.index, item) : item;
  return plan.projection ? plan.projection.of(view) : view;
};

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExecuteStatement.html */
export function ExecuteStatement(
  input: InputOf<'ExecuteStatement'>,
  ctx: DynamodbContext,
): OutputOf<'ExecuteStatement'> {
  const plan = planStatement(ctx, input.Statement, input.Parameters ?? []);
  // Write statements have a single page; a token of another statement is rejected before the write.
  const after = paging.after('ExecuteStatement', input);
  const meter = new CapacityMeter(input.ReturnConsumedCapacity);
  if (plan.kind === 'write') {
    const prepared = prepareStatement(plan, input.ReturnValuesOnConditionCheckFailure);
    commitWrite(prepared, meter, ctx.requestId);
    const item = returned(plan, prepared);
    return { Items: item ? [item] : [], ConsumedCapacity: meter.describeOne() };
  }
  if (plan.exists) throw invalid('EXISTS can only be used in ExecuteTransaction');
  if (plan.index?.kind === 'global' && input.ConsistentRead)
    throw invalid('Strongly consistent read is not supported on Global Secondary Indexes');
  const page = readPage(plan.entries(after === undefined ? undefined : decodeItem(JSON.parse(after))), {
    limit: input.Limit,
    sizeOf: (item) => itemSize(plan.index ? plan.table.projected(plan.index, item) : item),
    fetches: plan.fetches,
    accepts: (item) => plan.filter?.matches(item) ?? true,
  });
  meterPage(meter, page, plan, input.ConsistentRead === true);
  const last = page.last && {
    ...keyOf(page.last, plan.table.primary.schema),
    ...(plan.index ? keyOf(page.last, plan.index.items.schema) : {}),
  };
  return {
    Items: page.items.map((item) => shown(plan, item)),
    ...paging.next('ExecuteStatement', input, last && JSON.stringify(encodeItem(last))),
    LastEvaluatedKey: last,
    ConsumedCapacity: meter.describeOne(),
  };
}

/** Returns the item that a statement of a batch or transaction reads. */
function readOne(plan: ReadPlan, api: string): Item | undefined {
  if (!plan.key || !plan.keyOnly)
    throw invalid(`Select statements within ${api} must specify the primary key in the where clause.`);
  return plan.table.get(plan.key);
}

/** Adds the statement's position to the error of a statement that is not allowed in a transaction. */
function inStatement<Result>(at: number, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw invalid(`Validation failed in TransactStatements[${at}]: ${error.message}`);
  }
}

/** Error codes of batches, which are shorter than exception names. */
const BATCH_CODES: Readonly<Record<string, BatchStatementErrorCodeEnum>> = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  DuplicateItemException: 'DuplicateItem',
  ResourceNotFoundException: 'ResourceNotFound',
  ValidationException: 'ValidationError',
};

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html */
export function BatchExecuteStatement(
  input: InputOf<'BatchExecuteStatement'>,
  ctx: DynamodbContext,
): OutputOf<'BatchExecuteStatement'> {
  const meter = new CapacityMeter(input.ReturnConsumedCapacity);
  const responses = input.Statements.map((request): BatchStatementResponse => {
    let table: string | undefined;
    try {
      const plan = planStatement(ctx, request.Statement, request.Parameters ?? []);
      table = plan.kind === 'read' ? plan.table.name : plan.write.table.name;
      const item = runInBatch(plan, request, meter, ctx.requestId);
      return { ...(item && { Item: item }), TableName: table };
    } catch (error) {
      const code = error instanceof AwsError ? BATCH_CODES[error.code] : undefined;
      if (!code) throw error;
      const { message, members } = error as AwsError;
      const item = members?.Item as Item | undefined;
      return { Error: { Code: code, Message: message, ...(item && { Item: item }) }, TableName: table };
    }
  });
  return { Responses: responses, ConsumedCapacity: meter.describe() };
}

function runInBatch(plan: Plan, request: BatchStatementRequest, meter: CapacityMeter, cause: string): Item | undefined {
  if (plan.kind === 'write') {
    const prepared = prepareStatement(plan, request.ReturnValuesOnConditionCheckFailure);
    commitWrite(prepared, meter, cause);
    return returned(plan, prepared);
  }
  const item = readOne(plan, 'BatchExecuteStatement');
  meter.read(plan.table, readUnits(item ? itemSize(item) : 0, request.ConsistentRead === true));
  return item && shown(plan, item);
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExecuteTransaction.html */
export function ExecuteTransaction(
  input: InputOf<'ExecuteTransaction'>,
  ctx: DynamodbContext,
): OutputOf<'ExecuteTransaction'> {
  const plans = input.TransactStatements.map(({ Statement, Parameters, ReturnValuesOnConditionCheckFailure }) => ({
    plan: planStatement(ctx, Statement, Parameters ?? []),
    onFailure: ReturnValuesOnConditionCheckFailure,
  }));
  for (const [at, { plan }] of plans.entries()) inStatement(at, () => checkTransactional(plan));
  const isRead = ({ plan }: { plan: Plan }): boolean => plan.kind === 'read' && !plan.exists;
  if (plans.some(isRead) && !plans.every(isRead))
    throw invalid('ExecuteTransaction API does not support both read and write operations in the same request.');
  const meter = new CapacityMeter(input.ReturnConsumedCapacity, 2);
  if (plans.every(isRead)) {
    const responses = plans.map(({ plan }, at) => {
      const read = plan as ReadPlan;
      const item = inStatement(at, () => readOne(read, 'ExecuteTransaction'));
      meter.read(read.table, readUnits(item ? itemSize(item) : 0, true));
      return item ? { Item: shown(read, item) } : {};
    });
    return { Responses: responses, ConsumedCapacity: meter.describe() };
  }
  const writes = plans.map(({ plan, onFailure }, at) => ({ ...inStatement(at, () => asWrite(plan)), onFailure }));
  checkTargets(writes);
  checkTransactable(writes.map(({ table }) => table));
  let isFirst = false;
  ctx.state.transactionTokens.once('ExecuteTransaction', input, () => {
    const prepared = runTogether(writes);
    const duplicates = plans.map(({ plan }, at) => plan.kind === 'write' && plan.inserts && prepared[at]!.before);
    if (duplicates.some(Boolean))
      throw cancelled(
        duplicates.map((duplicate) =>
          duplicate ? { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' } : { Code: 'None' },
        ),
      );
    for (const write of prepared) commitWrite(write, meter, ctx.requestId);
    isFirst = true;
  });
  if (!isFirst) readAgain(writes, meter);
  return { Responses: [], ConsumedCapacity: meter.describe() };
}

/**
 * Checks that a statement is allowed in transactions.
 * @throws AwsError `ValidationException`
 */
function checkTransactional(plan: Plan): void {
  if (plan.kind === 'read' && plan.index) throw invalid('Reads on indices are not supported within transactions.');
  if (plan.kind === 'write' && plan.returning)
    throw invalid('RETURNING clause is not supported in ExecuteTransaction.');
}

/** Converts EXISTS in a write transaction to a condition check. */
function asWrite(plan: Plan) {
  if (plan.kind === 'write') return plan.write;
  if (!plan.key || plan.keyOnly) throw invalid('EXISTS() must contain a single item read with additional condition');
  return { kind: 'check' as const, table: plan.table, key: plan.key, condition: plan.filter };
}
