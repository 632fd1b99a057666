import { type AwsError, type ValidationFailure, validationError } from '@emu/wire';
import { invalid } from './errors.ts';

/** Operations with a different message for a missing table name. */
const TABLE_OPERATIONS: ReadonlySet<string> = new Set(['CreateTable', 'DeleteTable', 'DescribeTable', 'UpdateTable']);

/** Members whose messages name them as the model does and omit the value, for a wrong length or range. */
const NAMED_AS_IN_MODEL: Readonly<Record<string, readonly string[]>> = {
  BatchGetItem: ['RequestItems', 'Keys'],
  Query: ['Limit'],
};

/** The reason of a failure about the member itself, not about keys or values of a map. */
const OWN_REASON = / failed to satisfy constraint: Member must have (?:length|value) .*$/s;

/**
 * Returns DynamoDB's error for an input that violates the model; undefined for the common one.
 * @see https://github.com/nubo-db/dynamodb-conformance/tree/main/tests/tier3/error-messages
 */
export function modelError(failures: readonly ValidationFailure[], operation: string): AwsError | undefined {
  if (
    TABLE_OPERATIONS.has(operation) &&
    failures.some(({ path, constraint }) => path === 'tableName' && constraint === 'required')
  )
    return invalid("The parameter 'TableName' is required but was not present in the request");
  if (operation === 'BatchWriteItem' && failures.some(isEmptyRequest))
    return invalid('The requestItems parameter is required for BatchWriteItem');
  // Measured with two conditions of a QueryFilter and an unknown Select, which it hides.
  if (operation === 'Query' && failures.some(({ path }) => path === 'conditionalOperator'))
    return invalid('Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]');
  if (operation === 'CreateTable') return validationError(globalIndexesFirst(failures));
  const named = NAMED_AS_IN_MODEL[operation];
  return named && validationError(failures.map((failure) => withModelName(failure, named)));
}

/** Moves failures of global indexes before those of local ones; others keep their place. */
function globalIndexesFirst(failures: readonly ValidationFailure[]): readonly ValidationFailure[] {
  const local = failures.find(({ members }) => members[0] === 'LocalSecondaryIndexes');
  if (!local) return failures;
  const isGlobal = ({ members }: ValidationFailure) => members[0] === 'GlobalSecondaryIndexes';
  const others = failures.filter((failure) => !isGlobal(failure));
  return others.toSpliced(others.indexOf(local), 0, ...failures.filter(isGlobal));
}

const isEmptyRequest = ({ path, constraint, value }: ValidationFailure): boolean =>
  path === 'requestItems' && constraint === 'length' && Object.keys(value as object).length === 0;

function withModelName(failure: ValidationFailure, names: readonly string[]): ValidationFailure {
  const reason = OWN_REASON.exec(failure.message)?.[0];
  const [root, entry, ...rest] = failure.members;
  if (reason === undefined || !names.includes(String(failure.members.at(-1)))) return failure;
  const path = entry === undefined ? root : [root, entry, 'member', ...rest].join('.');
  return { ...failure, message: `Value at '${path}'${reason}` };
}
