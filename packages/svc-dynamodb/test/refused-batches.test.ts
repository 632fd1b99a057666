import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DynamoTest, makeIndexed, startDynamo } from './support.ts';

const keysOf = (count: number) => Array.from({ length: count }, (_, index) => ({ a: { S: `${index}` } }));

/**
 * Requests that DynamoDB rejects, with its messages; the tables are those of `makeIndexed`.
 * @see https://github.com/nubo-db/dynamodb-conformance/blob/main/tests/tier3/error-messages/batchGetItem.test.ts
 */
const REFUSED: [operation: string, input: object, message: string][] = [
  [
    'BatchWriteItem',
    {},
    "1 validation error detected: Value null at 'requestItems' failed to satisfy constraint: Member must not be null",
  ],
  [
    'BatchGetItem',
    {},
    "1 validation error detected: Value null at 'requestItems' failed to satisfy constraint: Member must not be null",
  ],
  ['BatchWriteItem', { RequestItems: {} }, 'The requestItems parameter is required for BatchWriteItem'],
  [
    'BatchWriteItem',
    { RequestItems: { tab: [{ PutRequest: {} }] } },
    "1 validation error detected: Value null at 'requestItems.tab.member.1.member.putRequest.item' failed to satisfy constraint: Member must not be null",
  ],
  [
    'BatchWriteItem',
    { RequestItems: { tab: [{ DeleteRequest: {} }] } },
    "1 validation error detected: Value null at 'requestItems.tab.member.1.member.deleteRequest.key' failed to satisfy constraint: Member must not be null",
  ],
  [
    'BatchWriteItem',
    {
      RequestItems: {
        tab: [{ PutRequest: { Item: { a: { S: '1' } } } }, { DeleteRequest: { Key: { a: { S: '1' } } } }],
      },
    },
    'Provided list of item keys contains duplicates',
  ],
  [
    'BatchWriteItem',
    { RequestItems: { tab: [{ PutRequest: { Item: { a: { N: '1' } } } }] } },
    'The provided key element does not match the schema',
  ],
  [
    'BatchWriteItem',
    { RequestItems: { tab: [{ PutRequest: { Item: {} } }] } },
    'The provided key element does not match the schema',
  ],
  [
    'BatchWriteItem',
    { RequestItems: { tab: [{ PutRequest: { Item: { a: {} } } }] } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'BatchWriteItem',
    { RequestItems: { nope: [{ PutRequest: { Item: { a: { S: '1' } } } }] } },
    'ResourceNotFoundException: Requested resource not found',
  ],
  [
    'BatchWriteItem',
    { RequestItems: { tab: [{ DeleteRequest: { Key: { b: { S: '1' } } } }] } },
    'The provided key element does not match the schema',
  ],
  [
    'BatchWriteItem',
    { RequestItems: { tab: [{ PutRequest: { Item: { a: { S: '' } } } }] } },
    'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: a',
  ],
  [
    'BatchWriteItem',
    { RequestItems: { idx: [{ PutRequest: { Item: { a: { S: 'x' }, b: { N: '1' }, c: { N: '1' } } } }] } },
    'One or more parameter values were invalid: Type mismatch for Index Key c Expected: S Actual: N IndexName: gsi',
  ],
  [
    'BatchGetItem',
    { RequestItems: {} },
    "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
  ],
  [
    'BatchGetItem',
    { RequestItems: { tab: {} } },
    "1 validation error detected: Value null at 'requestItems.tab.member.keys' failed to satisfy constraint: Member must not be null",
  ],
  [
    'BatchGetItem',
    { RequestItems: { tab: { Keys: [] } } },
    "1 validation error detected: Value at 'RequestItems.tab.member.Keys' failed to satisfy constraint: Member must have length greater than or equal to 1",
  ],
  [
    'BatchGetItem',
    { RequestItems: { tab: { Keys: keysOf(101) } } },
    "1 validation error detected: Value at 'RequestItems.tab.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100",
  ],
  [
    'BatchGetItem',
    { RequestItems: { tab: { Keys: keysOf(100) }, rng: { Keys: [{ a: { S: 'a' }, b: { N: '1' } }] } } },
    'Too many items requested for the BatchGetItem call',
  ],
  ['BatchGetItem', { RequestItems: { tab: { Keys: [{}] } } }, 'The provided key element does not match the schema'],
  [
    'BatchGetItem',
    { RequestItems: { tab: { Keys: [{ a: { S: '1' } }, { a: { S: '1' } }] } } },
    'Provided list of item keys contains duplicates',
  ],
  [
    'BatchGetItem',
    { RequestItems: { tab: { Keys: [{ a: {} }] } } },
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    'BatchGetItem',
    { RequestItems: { nope: { Keys: [{ a: { S: '1' } }] } } },
    'ResourceNotFoundException: Requested resource not found',
  ],
  [
    'BatchGetItem',
    { RequestItems: { tab: { Keys: [{ a: { S: 'c' } }], ProjectionExpression: '' } } },
    'Invalid ProjectionExpression: The expression can not be empty;',
  ],
  [
    'BatchGetItem',
    { RequestItems: { tab: { Keys: [{ a: { S: 'c' } }], ProjectionExpression: 'n', AttributesToGet: ['a'] } } },
    'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}',
  ],
  [
    'BatchGetItem',
    { RequestItems: { tab: { Keys: [{ a: { S: 'c' } }], ExpressionAttributeNames: { '#a': 'a' } } } },
    'ExpressionAttributeNames can only be specified when using expressions',
  ],
  [
    'BatchGetItem',
    { RequestItems: { tab: { Keys: [{ a: { S: 'c' } }], AttributesToGet: ['a', 'a'] } } },
    'One or more parameter values were invalid: Duplicate value in attribute name: a',
  ],
  [
    'BatchGetItem',
    { RequestItems: { tab: { Keys: [{ a: { N: '1' } }] } } },
    'The provided key element does not match the schema',
  ],
  [
    'BatchWriteItem',
    { RequestItems: { tab: Array.from({ length: 26 }, () => ({ DeleteRequest: { Key: {} } })) } },
    `1 validation error detected: Value '{tab=[${Array.from({ length: 26 }, () => 'WriteRequest(putRequest=null, deleteRequest=DeleteRequest(key={}))').join(', ')}]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]`,
  ],
  [
    'BatchGetItem',
    {
      RequestItems: {
        tab: { Keys: [{ a: { S: 'a' } }], ProjectionExpression: 'a' },
        rng: { Keys: [{ a: { S: 'a' }, b: { N: '1' } }], AttributesToGet: ['a'] },
      },
    },
    'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}',
  ],
  ...(['Delete', 'ConditionCheck', 'Put', 'Update'] as const).map((kind): [string, object, string] => {
    const part = {
      Delete: { Key: { a: { S: '' } } },
      ConditionCheck: { Key: { a: { S: '' } }, ConditionExpression: 'attribute_not_exists(a)' },
      Put: { Item: { a: { S: '' } } },
      Update: { Key: { a: { S: '' } }, UpdateExpression: 'REMOVE b' },
    }[kind];
    return [
      'TransactWriteItems',
      { TransactItems: [{ [kind]: { TableName: 'tab', ...part } }] },
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: a',
    ];
  }),
  [
    'BatchWriteItem',
    { RequestItems: { tab: [] } },
    "1 validation error detected: Value '{tab=[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]",
  ],
  [
    'BatchWriteItem',
    { RequestItems: { tab: [{ PutRequest: { Item: { a: { S: 'x'.repeat(409_600) } } } }] } },
    'Item size has exceeded the maximum allowed size',
  ],
];

describe('rejected batches', () => {
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
