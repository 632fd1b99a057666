import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DynamoTest, makeIndexed, startDynamo } from './support.ts';

/** Requests that DynamoDB rejects, with its messages; the tables are those of `makeIndexed`. */
const REFUSED: [operation: string, input: object, message: string][] = [
  [
    'Query',
    {
      TableName: 'tab',
      KeyConditions: { a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] } },
      QueryFilter: { b: { ComparisonOperator: 'NULL' }, c: { ComparisonOperator: 'NULL' } },
      ConditionalOperator: 'XOR',
      Select: 'BOGUS',
    },
    'Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: '' },
    'Invalid KeyConditionExpression: The expression can not be empty;',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p and b > :b and b < :b',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':b': { N: '2' } },
    },
    'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p or b = :b',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':b': { N: '2' } },
    },
    'Invalid operator used in KeyConditionExpression: OR',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'a > :p', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'Query key condition not supported',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'b = :b', ExpressionAttributeValues: { ':b': { N: '1' } } },
    'Query condition missed key schema element: a',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'a = :p and c = :p', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'Query condition missed key schema element: b',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'a = :b', ExpressionAttributeValues: { ':b': { N: '1' } } },
    'One or more parameter values were invalid: Condition parameter type does not match schema type',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'a = :p and b = :p', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'One or more parameter values were invalid: Condition parameter type does not match schema type',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'a <> :p', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'Invalid operator used in KeyConditionExpression: <>',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'a in (:p)', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'Invalid operator used in KeyConditionExpression: IN',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'not a = :p', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'Invalid operator used in KeyConditionExpression: NOT',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'attribute_exists(a)' },
    'Invalid operator used in KeyConditionExpression: attribute_exists',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'contains(a, :p)', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'Invalid operator used in KeyConditionExpression: contains',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'begins_with(a, :p)', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'Query key condition not supported',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p and begins_with(b, :b)',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':b': { N: '1' } },
    },
    'Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p and begins_with(b, :p)',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
    },
    'One or more parameter values were invalid: Condition parameter type does not match schema type',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p and b between :x and :y',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':x': { N: '3' }, ':y': { N: '1' } },
    },
    'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:3}, upper bound operand: AttributeValue: {N:1}',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p and size(b) = :x',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':x': { N: '1' } },
    },
    'KeyConditionExpressions cannot contain nested operations',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'a = b' },
    'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'a.b = :p', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'KeyConditionExpressions cannot have conditions on nested attributes',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: '((a = :p))', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'Invalid KeyConditionExpression: The expression has redundant parentheses;',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'a = :p and a = :p', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditionExpression: 'a = :p', ExpressionAttributeValues: { ':p': { S: 'p' } }, Limit: 0 },
    "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      Select: 'COUNT',
      AttributesToGet: ['a'],
    },
    'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {KeyConditionExpression}',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      IndexName: 'zzz',
    },
    'The table does not have the specified index: zzz',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'c = :g',
      ExpressionAttributeValues: { ':g': { S: 'g' } },
      IndexName: 'gsi',
      Select: 'ALL_ATTRIBUTES',
    },
    'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index gsi because its projection type is not ALL',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'c = :g',
      ExpressionAttributeValues: { ':g': { S: 'g' } },
      IndexName: 'gsi',
      ConsistentRead: true,
    },
    'Consistent reads are not supported on global secondary indexes',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      FilterExpression: 'a = :p',
    },
    'Filter Expression can only contain non-primary key attributes: Primary key attribute: a',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      FilterExpression: 'b > :p',
    },
    'Filter Expression can only contain non-primary key attributes: Primary key attribute: b',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      ExclusiveStartKey: { a: { S: 'p' } },
    },
    'The provided starting key is invalid',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      ExclusiveStartKey: { a: { S: 'q' }, b: { N: '1' } },
    },
    'The provided starting key is outside query boundaries based on provided conditions',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p and b > :x',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':x': { N: '3' } },
      ExclusiveStartKey: { a: { S: 'p' }, b: { N: '1' } },
    },
    'The provided starting key does not match the range key predicate',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p and b < :x',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':x': { N: '3' } },
      ExclusiveStartKey: { a: { S: 'p' }, b: { N: '4' } },
    },
    'The provided starting key does not match the range key predicate',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      ExclusiveStartKey: {},
    },
    'The provided starting key is invalid',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      IndexName: 'lsi',
      ExclusiveStartKey: { a: { S: 'p' }, b: { N: '1' } },
    },
    'The provided starting key is invalid',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'c = :g',
      ExpressionAttributeValues: { ':g': { S: 'g' } },
      IndexName: 'gsi',
      ExclusiveStartKey: { a: { S: 'p' }, b: { N: '1' } },
    },
    'The provided starting key is invalid',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      KeyConditions: { a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] } },
    },
    'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      QueryFilter: { e: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] } },
    },
    'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {QueryFilter} Expression parameters: {KeyConditionExpression}',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p and b > :x',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':x': { S: '3' } },
    },
    'One or more parameter values were invalid: Condition parameter type does not match schema type',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p and b = :x and d = :x',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':x': { N: '3' } },
    },
    'The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p and d = :x',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':x': { N: '3' } },
    },
    'Query condition missed key schema element: b',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditionExpression: 'a = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':u': { S: '' } },
    },
    'Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}',
  ],
  [
    'Query',
    { TableName: 'idx' },
    'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
  ],
  ['Query', { TableName: 'idx', KeyConditions: {} }, 'Conditions can be of length 1 or 2 only'],
  [
    'Query',
    { TableName: 'idx', KeyConditions: { a: {} } },
    "1 validation error detected: Value null at 'keyConditions.a.member.comparisonOperator' failed to satisfy constraint: Member must not be null",
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditions: { a: { ComparisonOperator: 'EQ' } } },
    'One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditions: { a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'p' }, { S: 'q' }] } },
    },
    'One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditions: { a: { ComparisonOperator: 'GT', AttributeValueList: [{ S: 'p' }] } } },
    'Query key condition not supported',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditions: { a: { ComparisonOperator: 'NE', AttributeValueList: [{ S: 'p' }] } } },
    'Attempted conditional constraint is not an indexable operation',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditions: { b: { ComparisonOperator: 'EQ', AttributeValueList: [{ N: '1' }] } } },
    'Query condition missed key schema element: a',
  ],
  [
    'Query',
    { TableName: 'idx', KeyConditions: { a: { ComparisonOperator: 'EQ', AttributeValueList: [{ N: '1' }] } } },
    'One or more parameter values were invalid: Condition parameter type does not match schema type',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditions: {
        a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'p' }] },
        c: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'p' }] },
      },
    },
    'Query condition missed key schema element: b',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditions: {
        a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'p' }] },
        b: { ComparisonOperator: 'IN', AttributeValueList: [{ N: '1' }] },
      },
    },
    'Attempted conditional constraint is not an indexable operation',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditions: {
        a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'p' }] },
        b: { ComparisonOperator: 'CONTAINS', AttributeValueList: [{ N: '1' }] },
      },
    },
    'Attempted conditional constraint is not an indexable operation',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditions: {
        a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'p' }] },
        b: { ComparisonOperator: 'BETWEEN', AttributeValueList: [{ N: '3' }, { N: '1' }] },
      },
    },
    'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditions: {
        a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'p' }] },
        b: { ComparisonOperator: 'LE', AttributeValueList: [{ N: '1' }] },
        d: { ComparisonOperator: 'LE', AttributeValueList: [{ N: '1' }] },
      },
    },
    'The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditions: { a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'p' }] } },
      QueryFilter: { a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'p' }] } },
    },
    'QueryFilter can only contain non-primary key attributes: Primary key attribute: a',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      KeyConditions: { a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'p' }] } },
      QueryFilter: { e: { ComparisonOperator: 'EQ', AttributeValueList: [] } },
    },
    'One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator',
  ],
  [
    'Scan',
    { TableName: 'idx', TotalSegments: 1 },
    'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
  ],
  [
    'Scan',
    { TableName: 'idx', Segment: 1, TotalSegments: 1 },
    'The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 1 is not less than TotalSegments: 1',
  ],
  [
    'Scan',
    { TableName: 'idx', Segment: 4, TotalSegments: 4 },
    'The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 4 is not less than TotalSegments: 4',
  ],
  [
    'Scan',
    { TableName: 'idx', Segment: -1, TotalSegments: 1 },
    "1 validation error detected: Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0",
  ],
  ['Scan', { TableName: 'idx', FilterExpression: '' }, 'Invalid FilterExpression: The expression can not be empty;'],
  [
    'Scan',
    { TableName: 'idx', ScanFilter: { e: { ComparisonOperator: 'EQ', AttributeValueList: [] } } },
    'One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator',
  ],
  [
    'Scan',
    { TableName: 'idx', ExclusiveStartKey: { a: { N: '1' }, b: { N: '1' } } },
    'The provided starting key is invalid: The provided key element does not match the schema',
  ],
  [
    'Scan',
    { TableName: 'idx', IndexName: 'gsi', Select: 'ALL_ATTRIBUTES' },
    'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index gsi because its projection type is not ALL',
  ],
  ['Scan', { TableName: 'idx', IndexName: 'nope' }, 'The table does not have the specified index: nope'],
  [
    'Scan',
    { TableName: 'idx', Limit: 0 },
    "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
  ],
  [
    'Scan',
    { TableName: 'idx', ExpressionAttributeValues: { ':p': { S: 'p' } } },
    'ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null',
  ],
  [
    'Scan',
    { TableName: 'idx', ExpressionAttributeNames: { '#a': 'a' } },
    'ExpressionAttributeNames can only be specified when using expressions',
  ],
  // Precedence of several problems.
  [
    'Query',
    {
      TableName: 'rng',
      KeyConditionExpression: 'a = :a AND NOT b = :b',
      ExpressionAttributeNames: { '#c': 'c' },
      ExpressionAttributeValues: { ':a': { S: 'a' }, ':b': { N: '1' } },
    },
    'Value provided in ExpressionAttributeNames unused in expressions: keys: {#c}',
  ],
  [
    'Query',
    { TableName: 'rng', KeyConditionExpression: ':a = foo(:a)', ExpressionAttributeValues: { ':a': { S: 'a' } } },
    'Invalid KeyConditionExpression: Invalid function name; function: foo',
  ],
  [
    'Query',
    { TableName: 'rng', KeyConditionExpression: ':a = :a', ExpressionAttributeValues: { ':a': { S: 'a' } } },
    'Invalid condition in KeyConditionExpression: No key attribute specified',
  ],
  [
    'Query',
    {
      TableName: 'rng',
      KeyConditionExpression: 'a = :a AND begins_with(:a, b)',
      ExpressionAttributeValues: { ':a': { S: 'a' } },
    },
    'Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand',
  ],
  [
    'Query',
    {
      TableName: 'tab',
      KeyConditionExpression: 'x = :a AND b = :a',
      ExpressionAttributeValues: { ':a': { S: 'a' } },
    },
    'The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)',
  ],
  [
    'Query',
    {
      TableName: 'rng',
      KeyConditionExpression: 'a = :a',
      ExpressionAttributeValues: { ':a': { N: '1' } },
      ExclusiveStartKey: { a: { S: 'a' } },
    },
    'The provided starting key is invalid',
  ],
  [
    'Query',
    {
      TableName: 'rng',
      KeyConditionExpression: 'a = :a AND b = :b',
      ExpressionAttributeValues: { ':a': { S: 'a' }, ':b': { N: '1' } },
      ExclusiveStartKey: { a: { S: 'other' }, b: { N: '1' } },
    },
    'The query can return at most one row and cannot be restarted',
  ],
  [
    'Query',
    {
      TableName: 'rng',
      KeyConditionExpression: 'a = :a',
      ExpressionAttributeValues: { ':a': { S: 'a' } },
      ExclusiveStartKey: { a: { S: 'a' }, b: {} },
    },
    'The provided starting key is invalid: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'Scan',
    { TableName: 'rng', ExclusiveStartKey: { a: { S: 'a' } } },
    'The provided starting key is invalid: The provided key element does not match the schema',
  ],
  [
    'Scan',
    { TableName: 'idx', IndexName: 'gsi', ExclusiveStartKey: { a: { S: 'a' } } },
    'The provided starting key is invalid',
  ],
  [
    'Scan',
    { TableName: 'tab', Segment: 0, TotalSegments: 1_000_000, ExclusiveStartKey: { a: { S: 'u' } } },
    'The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 1000000 Segment: 0',
  ],
  [
    'Query',
    {
      TableName: 'tab',
      KeyConditions: { a: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] } },
      ExpressionAttributeValues: { ':a': { S: 'a' } },
    },
    'ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null',
  ],
  [
    'Query',
    {
      TableName: 'idx',
      IndexName: 'gsi',
      KeyConditionExpression: 'c = :c',
      FilterExpression: 'e = :c AND f = :c AND g = :c',
      ExpressionAttributeValues: { ':c': { S: 'c' } },
    },
    'One or more parameter values were invalid: Secondary index gsi does not project one or more filter attributes: [f, g]',
  ],
];

describe('rejected queries and scans', () => {
  let t: DynamoTest;
  beforeAll(async () => {
    t = await startDynamo();
    await makeIndexed(t);
  });
  afterAll(() => t[Symbol.asyncDispose]());

  test.each(REFUSED)('%s %j', async (operation, input, message) => {
    expect(await t.refusal(operation, input)).toBe(message);
  });
});
