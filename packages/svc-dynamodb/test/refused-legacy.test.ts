import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DynamoTest, makeIndexed, startDynamo } from './support.ts';

/** Requests that DynamoDB rejects, with its messages; the tables are those of `makeIndexed`. */
const REFUSED: [operation: string, input: object, message: string][] = [
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' } }, Expected: { a: {} } },
    'One or more parameter values were invalid: Value must be provided when Exists is null for Attribute: a',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' } }, Expected: { a: { Exists: true } } },
    'One or more parameter values were invalid: Value must be provided when Exists is true for Attribute: a',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' } }, Expected: { a: { Exists: false, Value: { S: 'a' } } } },
    'One or more parameter values were invalid: Value cannot be used when Exists is false for Attribute: a',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' } }, Expected: { a: { Exists: true, ComparisonOperator: 'EQ' } } },
    'One or more parameter values were invalid: Exists and ComparisonOperator cannot be used together for Attribute: a',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' } },
      Expected: { a: { Value: { S: 'a' }, ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] } },
    },
    'One or more parameter values were invalid: Value and AttributeValueList cannot be used together for Attribute: a',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' } }, Expected: { a: { AttributeValueList: [{ S: 'a' }] } } },
    'One or more parameter values were invalid: AttributeValueList can only be used with a ComparisonOperator for Attribute: a',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' } }, Expected: { a: { ComparisonOperator: 'EQ' } } },
    'One or more parameter values were invalid: Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' } },
      Expected: { a: { ComparisonOperator: 'EQ', AttributeValueList: [] } },
    },
    'One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' } },
      Expected: { a: { ComparisonOperator: 'NULL', AttributeValueList: [{ S: 'a' }] } },
    },
    'One or more parameter values were invalid: Invalid number of argument(s) for the NULL ComparisonOperator',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' } },
      Expected: { a: { ComparisonOperator: 'BETWEEN', AttributeValueList: [{ S: 'b' }, { S: 'a' }] } },
    },
    'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' } },
      Expected: { a: { ComparisonOperator: 'BETWEEN', AttributeValueList: [{ S: 'b' }, { N: '1' }] } },
    },
    'One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' } },
      Expected: { a: { ComparisonOperator: 'IN', AttributeValueList: [{ S: 'c' }, { N: '1' }] } },
    },
    'One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' } }, Expected: { a: { Value: { S: 'q' } } } },
    'ConditionalCheckFailedException: The conditional request failed',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' } }, Expected: { a: { Exists: false } } },
    'ConditionalCheckFailedException: The conditional request failed',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' } }, Expected: { a: { Value: {} } } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'a' } }, AttributesToGet: [] },
    "1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1",
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'a' } }, AttributesToGet: ['a', 'a'] },
    'One or more parameter values were invalid: Duplicate value in attribute name: a',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      AttributeUpdates: { a: { Value: { S: 'x' } } },
      ReturnValues: 'UPDATED_NEW',
    },
    'One or more parameter values were invalid: Cannot update attribute a. This attribute is part of the key',
  ],
  [
    'UpdateItem',
    { TableName: 'tab', Key: { a: { S: 'u' } }, AttributeUpdates: { b: {} }, ReturnValues: 'UPDATED_NEW' },
    'One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      AttributeUpdates: { b: { Action: 'PUT' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      AttributeUpdates: { b: { Action: 'ADD' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      AttributeUpdates: { b: { Action: 'DELETE', Value: { S: 'x' } } },
      ReturnValues: 'UPDATED_NEW',
    },
    'One or more parameter values were invalid: DELETE action with value is not supported for the type S',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      AttributeUpdates: { b: { Action: 'ADD', Value: { S: 'x' } } },
      ReturnValues: 'UPDATED_NEW',
    },
    'One or more parameter values were invalid: ADD action is not supported for the type S',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      AttributeUpdates: { s: { Action: 'ADD', Value: { N: '1' } } },
      ReturnValues: 'UPDATED_NEW',
    },
    'Type mismatch for attribute to update',
  ],
  [
    'UpdateItem',
    { TableName: 'tab', Key: { a: { S: 'u' } }, AttributeUpdates: { b: { Value: {} } }, ReturnValues: 'UPDATED_NEW' },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
];

describe('rejected legacy parameters', () => {
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
