import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DynamoTest, makeIndexed, startDynamo } from './support.ts';

/** Requests that DynamoDB rejects, with its messages; the tables are those of `makeIndexed`. */
const REFUSED: [operation: string, input: object, message: string][] = [
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: {} } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { S: 'a', N: '1' } } },
    'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { N: 'x' } } },
    'The parameter cannot be converted to a numeric value: x',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { N: '' } } },
    'The parameter cannot be converted to a numeric value',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { N: ' ' } } },
    'The parameter cannot be converted to a numeric value:  ',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { N: '1e126' } } },
    'Number overflow. Attempting to store a number with magnitude larger than supported range',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { N: '1e-131' } } },
    'Number underflow. Attempting to store a number with magnitude smaller than supported range',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { N: '123456789012345678901234567890123456789' } } },
    'Attempting to store more than 38 significant digits in a Number',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { NULL: false } } },
    'One or more parameter values were invalid: Null attribute value types must have the value of true',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { SS: [] } } },
    'One or more parameter values were invalid: An string set  may not be empty',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { NS: [] } } },
    'One or more parameter values were invalid: An number set  may not be empty',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { BS: [] } } },
    'One or more parameter values were invalid: Binary sets should not be empty',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { SS: ['a', 'a'] } } },
    'One or more parameter values were invalid: Input collection [a, a] contains duplicates.',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { NS: ['1', '1.0'] } } },
    'Input collection contains duplicates',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { BS: ['YQ==', 'YQ=='] } } },
    'One or more parameter values were invalid: Input collection [YQ==, YQ==]of type BS contains duplicates.',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { NS: ['x'] } } },
    'The parameter cannot be converted to a numeric value: x',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { L: [{}] } } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { M: { a: {} } } } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { M: { a: { N: 'q' } } } } },
    'The parameter cannot be converted to a numeric value: q',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { N: '0x1' } } },
    'The parameter cannot be converted to a numeric value: 0x1',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'v' }, v: { N: 'Infinity' } } },
    'The parameter cannot be converted to a numeric value: Infinity',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: {} },
    'One or more parameter values were invalid: Missing the key a in the item',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { b: { S: 'x' } } },
    'One or more parameter values were invalid: Missing the key a in the item',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { N: '1' } } },
    'One or more parameter values were invalid: Type mismatch for key a expected: S actual: N',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: '' } } },
    'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: a',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: {} } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'PutItem',
    {},
    "2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null; Value null at 'item' failed to satisfy constraint: Member must not be null",
  ],
  [
    'PutItem',
    { TableName: 'tab' },
    "1 validation error detected: Value null at 'item' failed to satisfy constraint: Member must not be null",
  ],
  [
    'PutItem',
    { TableName: 'nope', Item: { a: {} } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  ['PutItem', { TableName: 'nope', Item: { a: { S: '' } } }, 'ResourceNotFoundException: Requested resource not found'],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'x' } }, ReturnValues: 'ALL_NEW' },
    'ReturnValues can only be ALL_OLD or NONE',
  ],
  [
    'PutItem',
    { TableName: 'rng', Item: { a: { S: 'x' }, b: { S: 'y' } } },
    'One or more parameter values were invalid: Type mismatch for key b expected: N actual: S',
  ],
  [
    'PutItem',
    { TableName: 'rng', Item: { a: { S: 'x' } } },
    'One or more parameter values were invalid: Missing the key b in the item',
  ],
  [
    'PutItem',
    { TableName: 'idx', Item: { a: { S: 'x' }, b: { N: '1' }, c: { N: '1' } } },
    'One or more parameter values were invalid: Type mismatch for Index Key c Expected: S Actual: N IndexName: gsi',
  ],
  [
    'PutItem',
    { TableName: 'idx', Item: { a: { S: 'x' }, b: { N: '1' }, d: { S: '1' } } },
    'One or more parameter values were invalid: Type mismatch for Index Key d Expected: N Actual: S IndexName: gsi',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' } }, ExpressionAttributeNames: { '#a': 'b' } },
    'ExpressionAttributeNames can only be specified when using expressions',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' } }, ExpressionAttributeValues: { ':a': { S: 'b' } } },
    'ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null',
  ],
  ['GetItem', { TableName: 'tab', Key: {} }, 'The provided key element does not match the schema'],
  ['DeleteItem', { TableName: 'tab', Key: {} }, 'The provided key element does not match the schema'],
  ['GetItem', { TableName: 'tab', Key: { a: { N: '1' } } }, 'The provided key element does not match the schema'],
  ['DeleteItem', { TableName: 'tab', Key: { a: { N: '1' } } }, 'The provided key element does not match the schema'],
  ['GetItem', { TableName: 'tab', Key: { b: { S: '1' } } }, 'The provided key element does not match the schema'],
  ['DeleteItem', { TableName: 'tab', Key: { b: { S: '1' } } }, 'The provided key element does not match the schema'],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: '1' }, b: { S: '1' } } },
    'The provided key element does not match the schema',
  ],
  [
    'DeleteItem',
    { TableName: 'tab', Key: { a: { S: '1' }, b: { S: '1' } } },
    'The provided key element does not match the schema',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: {} } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'DeleteItem',
    { TableName: 'tab', Key: { a: {} } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'a', N: '1' } } },
    'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
  ],
  [
    'DeleteItem',
    { TableName: 'tab', Key: { a: { S: 'a', N: '1' } } },
    'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
  ],
  [
    'GetItem',
    { TableName: 'nope', Key: { a: {} } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'c' } }, ExpressionAttributeNames: { '#a': 'a' } },
    'ExpressionAttributeNames can only be specified when using expressions',
  ],
  [
    'UpdateItem',
    { TableName: 'tab', Key: { a: { S: 'u' } }, ExpressionAttributeValues: { ':x': { N: '1' } } },
    'ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { v: {} }, ReturnValues: 'ALL_NEW' },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'PutItem',
    { TableName: 'none', Item: { a: { S: 'x'.repeat(400 * 1024) } }, ConditionExpression: 'date = :x' },
    'Item size has exceeded the maximum allowed size',
  ],
  [
    'PutItem',
    {
      TableName: 'idx',
      Item: { a: { S: 'a' }, b: { N: '1' }, c: { N: '1' } },
      ConditionExpression: 'attribute_exists(a)',
    },
    'One or more parameter values were invalid: Type mismatch for Index Key c Expected: S Actual: N IndexName: gsi',
  ],
  ...(
    [
      ['1e99999999999', 'Number overflow. Attempting to store a number with magnitude larger than supported range'],
      ['1e-99999999999', 'Number underflow. Attempting to store a number with magnitude smaller than supported range'],
      ['0e126', 'Number overflow. Attempting to store a number with magnitude larger than supported range'],
      ['0e-131', 'Number underflow. Attempting to store a number with magnitude smaller than supported range'],
      ['1e9223372036854775808', 'The parameter cannot be converted to a numeric value: 1e9223372036854775808'],
    ] as const
  ).map(
    ([N, message]) =>
      ['PutItem', { TableName: 'tab', Item: { a: { S: 'v' }, v: { N } } }, message] as [string, object, string],
  ),
  [
    'PutItem',
    { TableName: 'tab', Item: { v: {} }, ConditionExpression: 'a = :a', ExpressionAttributeValues: { ':a': {} } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'a' } }, ConditionExpression: 'a =', ExpressionAttributeNames: {} },
    'ExpressionAttributeNames must not be empty',
  ],
];

describe('rejected items and values', () => {
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
