import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DynamoTest, makeIndexed, startDynamo } from './support.ts';

/** Requests that DynamoDB rejects, with its messages; the tables are those of `makeIndexed`. */
const REFUSED: [operation: string, input: object, message: string][] = [
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: '' },
    'Invalid ConditionExpression: The expression can not be empty;',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: 'a = b' },
    'ConditionalCheckFailedException: The conditional request failed',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: 'a = a' },
    'Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [a]',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: 'a = :x' },
    'Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :x',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a = :x',
      ExpressionAttributeValues: { ':x': { S: 'c' }, ':y': { S: 'd' } },
    },
    'Value provided in ExpressionAttributeValues unused in expressions: keys: {:y}',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a = :x',
      ExpressionAttributeValues: { ':x': { S: 'c' }, ':y': {} },
    },
    'ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes for key :y',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: '#a = :x',
      ExpressionAttributeValues: { ':x': { S: 'c' } },
    },
    'Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #a',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: '#a = :x',
      ExpressionAttributeValues: { ':x': { S: 'c' } },
      ExpressionAttributeNames: { '#b': 'a' },
    },
    'Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #a',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a = :x',
      ExpressionAttributeValues: { ':x': { S: 'c' } },
      ExpressionAttributeNames: { '#b': 'a' },
    },
    'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a = :x',
      ExpressionAttributeValues: {},
    },
    'ExpressionAttributeValues must not be empty',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a = :x',
      ExpressionAttributeValues: { x: { S: 'c' } },
    },
    'ExpressionAttributeValues contains invalid key: Syntax error; key: "x"',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a = :x',
      ExpressionAttributeValues: { ':x': { S: 'c' } },
      ExpressionAttributeNames: {},
    },
    'ExpressionAttributeNames must not be empty',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a = :x',
      ExpressionAttributeValues: { ':x': { S: 'c' } },
      ExpressionAttributeNames: { a: 'b' },
    },
    'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a = :x',
      ExpressionAttributeValues: { ':x': { S: 'c' } },
      ExpressionAttributeNames: { '#a': '' },
    },
    'Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: 'foo(a)' },
    'Invalid ConditionExpression: Invalid function name; function: foo',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: 'size(a)' },
    'Invalid ConditionExpression: The function is not allowed to be used this way in an expression; function: size',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'size(:x) = :y',
      ExpressionAttributeValues: { ':x': { N: '1' }, ':y': { N: '1' } },
    },
    'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: size, operand type: N',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'attribute_exists(:x)',
      ExpressionAttributeValues: { ':x': { S: 'a' } },
    },
    'Invalid ConditionExpression: Operator or function requires a document path; operator or function: attribute_exists',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: 'attribute_exists(a, b)' },
    'Invalid ConditionExpression: Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: 'attribute_type(a, b)' },
    'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'attribute_type(a, :x)',
      ExpressionAttributeValues: { ':x': { N: '1' } },
    },
    'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'attribute_type(a, :x)',
      ExpressionAttributeValues: { ':x': { S: 'Z' } },
    },
    'Invalid ConditionExpression: Invalid attribute type name found; type: Z, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'begins_with(a, :x)',
      ExpressionAttributeValues: { ':x': { N: '1' } },
    },
    'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: 'begins_with(a, a)' },
    'Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: begins_with, first operand: [a]',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: 'contains(a, a)' },
    'Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [a]',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'contains(a, :x)',
      ExpressionAttributeValues: { ':x': { N: '1' } },
    },
    'ConditionalCheckFailedException: The conditional request failed',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a between :x and :y',
      ExpressionAttributeValues: { ':x': { S: 'b' }, ':y': { S: 'a' } },
    },
    'Invalid ConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a between :x and :y',
      ExpressionAttributeValues: { ':x': { S: 'b' }, ':y': { N: '1' } },
    },
    'Invalid ConditionExpression: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {N:1}',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: '((a = :x))',
      ExpressionAttributeValues: { ':x': { S: 'c' } },
    },
    'Invalid ConditionExpression: The expression has redundant parentheses;',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a = :x or a = :y and a = :x',
      ExpressionAttributeValues: { ':x': { S: 'z' }, ':y': { S: 'c' } },
    },
    'ConditionalCheckFailedException: The conditional request failed',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'abort = :x',
      ExpressionAttributeValues: { ':x': { S: 'a' } },
    },
    'Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: abort',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'b.abort = :x',
      ExpressionAttributeValues: { ':x': { S: 'a' } },
    },
    'Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: abort',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a.b.c[0] = :x',
      ExpressionAttributeValues: { ':x': { S: 'a' } },
    },
    'ConditionalCheckFailedException: The conditional request failed',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a. b = :x',
      ExpressionAttributeValues: { ':x': { S: 'a' } },
    },
    'ConditionalCheckFailedException: The conditional request failed',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: 'attribute_exists(size(a))' },
    'Invalid ConditionExpression: Operator or function requires a document path; operator or function: attribute_exists',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'begins_with(size(a), :x)',
      ExpressionAttributeValues: { ':x': { S: 'a' } },
    },
    'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'attribute_not_exists(a) = :x',
      ExpressionAttributeValues: { ':x': { BOOL: true } },
    },
    'Invalid ConditionExpression: The function is not allowed to be used this way in an expression; function: attribute_not_exists',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: '_a = :x',
      ExpressionAttributeValues: { ':x': { S: 'c' } },
    },
    'ConditionalCheckFailedException: The conditional request failed',
  ],
  [
    'PutItem',
    { TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } }, ConditionExpression: 'a <> a' },
    'Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: <>, first operand: [a]',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'n > :x',
      ExpressionAttributeValues: { ':x': { S: '0' } },
    },
    'ConditionalCheckFailedException: The conditional request failed',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'size(a, b) = :x',
      ExpressionAttributeValues: { ':x': { S: 'c' } },
    },
    'Invalid ConditionExpression: Incorrect number of operands for operator or function; operator or function: size, number of operands: 2',
  ],
  [
    'PutItem',
    {
      TableName: 'tab',
      Item: { a: { S: 'c' }, n: { N: '1' } },
      ConditionExpression: 'a = :x',
      ExpressionAttributeValues: { ':x': { S: 'c' } },
      Expected: { a: { Exists: false } },
    },
    'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'a' } }, AttributesToGet: ['a'], ProjectionExpression: 'a' },
    'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'c' } }, ProjectionExpression: '' },
    'Invalid ProjectionExpression: The expression can not be empty;',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'c' } }, ProjectionExpression: 'a, a' },
    'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'c' } }, ProjectionExpression: 'a.b, a' },
    'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a]',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'c' } }, ProjectionExpression: 'a[0], a.b' },
    'Invalid ProjectionExpression: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, [0]], path two: [a, b]',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'c' } }, ProjectionExpression: 'a[0], a[0].c' },
    'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, [0]], path two: [a, [0], c]',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'c' } }, ProjectionExpression: '#a', ExpressionAttributeNames: { '#b': 'x' } },
    'Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #a',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'c' } }, ProjectionExpression: '#a' },
    'Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #a',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'c' } }, ProjectionExpression: 'abort' },
    'Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: abort',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'c' } }, ProjectionExpression: 'a.abort' },
    'Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: abort',
  ],
  [
    'GetItem',
    { TableName: 'tab', Key: { a: { S: 'c' } }, ProjectionExpression: 'a', ExpressionAttributeNames: { '#b': 'b' } },
    'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
  ],
  [
    'GetItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'c' } },
      ProjectionExpression: '#a, #b',
      ExpressionAttributeNames: { '#a': 'x', '#b': 'x' },
    },
    'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [x], path two: [x]',
  ],
  [
    'UpdateItem',
    { TableName: 'tab', Key: { a: { S: 'u' } }, UpdateExpression: '', ReturnValues: 'UPDATED_NEW' },
    'Invalid UpdateExpression: The expression can not be empty;',
  ],
  [
    'UpdateItem',
    { TableName: 'tab', Key: { a: { S: 'u' } }, UpdateExpression: 'SET b = :x', ReturnValues: 'UPDATED_NEW' },
    'Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :x',
  ],
  [
    'UpdateItem',
    { TableName: 'tab', Key: { a: { S: 'u' } }, UpdateExpression: 'SET b = c', ReturnValues: 'UPDATED_NEW' },
    'The provided expression refers to an attribute that does not exist in the item',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b = n + :x',
      ExpressionAttributeValues: { ':x': { S: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: +, operand type: S',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b = s + :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'An operand in the update expression has an incorrect data type',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b = :x SET c = :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'Invalid UpdateExpression: The "SET" section can only be used once in an update expression;',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b = :x REMOVE b',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [b], path two: [b]',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b.c = :x, b = :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [b, c], path two: [b]',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b[0] = :x, b.c = :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'Invalid UpdateExpression: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [b, [0]], path two: [b, c]',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET q.c = :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'The document path provided in the update expression is invalid for update',
  ],
  [
    'UpdateItem',
    { TableName: 'tab', Key: { a: { S: 'u' } }, UpdateExpression: 'REMOVE q.r', ReturnValues: 'UPDATED_NEW' },
    'The document path provided in the update expression is invalid for update',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'ADD s :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'An operand in the update expression has an incorrect data type',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'ADD ss :x',
      ExpressionAttributeValues: { ':x': { NS: ['1'] } },
      ReturnValues: 'UPDATED_NEW',
    },
    'An operand in the update expression has an incorrect data type',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'DELETE n :x',
      ExpressionAttributeValues: { ':x': { SS: ['a'] } },
      ReturnValues: 'UPDATED_NEW',
    },
    'An operand in the update expression has an incorrect data type',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b = if_not_exists(:x, n)',
      ExpressionAttributeValues: { ':x': { N: '9' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'Invalid UpdateExpression: Operator or function requires a document path; operator or function: if_not_exists',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b = if_not_exists(n)',
      ReturnValues: 'UPDATED_NEW',
    },
    'Invalid UpdateExpression: Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b = list_append(l, :x)',
      ExpressionAttributeValues: { ':x': { N: '4' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: list_append, operand type: N',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b = list_append(n, l)',
      ReturnValues: 'UPDATED_NEW',
    },
    'An operand in the update expression has an incorrect data type',
  ],
  [
    'UpdateItem',
    { TableName: 'tab', Key: { a: { S: 'u' } }, UpdateExpression: 'SET b = foo(l)', ReturnValues: 'UPDATED_NEW' },
    'Invalid UpdateExpression: Invalid function name; function: foo',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET a = :x',
      ExpressionAttributeValues: { ':x': { S: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'One or more parameter values were invalid: Cannot update attribute a. This attribute is part of the key',
  ],
  [
    'UpdateItem',
    { TableName: 'tab', Key: { a: { S: 'u' } }, UpdateExpression: 'REMOVE a', ReturnValues: 'UPDATED_NEW' },
    'One or more parameter values were invalid: Cannot update attribute a. This attribute is part of the key',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET a.b = :x',
      ExpressionAttributeValues: { ':x': { S: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'One or more parameter values were invalid: Cannot update attribute a. This attribute is part of the key',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET abort = :x',
      ExpressionAttributeValues: { ':x': { S: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: abort',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET #a = :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'Invalid UpdateExpression: An expression attribute name used in the document path is not defined; attribute name: #a',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b = :x',
      ExpressionAttributeValues: { ':x': { N: '1' }, ':z': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'Value provided in ExpressionAttributeValues unused in expressions: keys: {:z}',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET b = :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ExpressionAttributeNames: { '#z': 'a' },
      ReturnValues: 'UPDATED_NEW',
    },
    'Value provided in ExpressionAttributeNames unused in expressions: keys: {#z}',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'ADD b.c :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    },
    'The document path provided in the update expression is invalid for update',
  ],
  [
    'UpdateItem',
    { TableName: 'tab', Key: { a: { S: 'u' } }, UpdateExpression: 'SET b = l[9]', ReturnValues: 'UPDATED_NEW' },
    'The provided expression refers to an attribute that does not exist in the item',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET n = :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
      AttributeUpdates: { b: {} },
    },
    'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributeUpdates} Expression parameters: {UpdateExpression}',
  ],
  [
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { N: '1' } },
      UpdateExpression: 'SET a = :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
    },
    'The provided key element does not match the schema',
  ],
  [
    'UpdateItem',
    {
      TableName: 'idx',
      Key: { a: { S: '1' }, b: { N: '1' } },
      UpdateExpression: 'SET c = :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
    },
    'One or more parameter values were invalid: Type mismatch for Index Key c Expected: S Actual: N IndexName: gsi',
  ],
  // Precedence of several problems.
  ...(
    [
      ['PutItem', 'q = :x AND foo(q) AND size = :x', 'Invalid function name; function: foo'],
      [
        'PutItem',
        'date = :x AND contains(q, size(q)) AND q = contains(q, :x)',
        'The function is not allowed to be used this way in an expression; function: contains',
      ],
      ['PutItem', 'contains(q) AND date = :y', 'Attribute name is a reserved keyword; reserved keyword: date'],
      ['PutItem', '((q = :y)) AND foo(q)', 'The expression has redundant parentheses;'],
      [
        'PutItem',
        'contains(:y)',
        'An expression attribute value used in expression is not defined; attribute value: :y',
      ],
      [
        'PutItem',
        'if_not_exists(q, :x)',
        'The function is not allowed in a condition expression; function: if_not_exists',
      ],
      [
        'PutItem',
        'attribute_type(q, q)',
        'The first operand must be distinct from the remaining operands for this operator or function; operator: attribute_type, first operand: [q]',
      ],
      [
        'PutItem',
        'attribute_type(q, size(q))',
        'Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N',
      ],
      ['PutItem', 'q[99999999999] = :x', 'List index is not within the allowable range; index: [99999999999]'],
    ] as const
  ).map(
    ([operation, ConditionExpression, message]) =>
      [
        operation,
        {
          TableName: 'tab',
          Item: { a: { S: 'c' } },
          ConditionExpression,
          ExpressionAttributeValues: { ':x': { S: 'a' } },
        },
        `Invalid ConditionExpression: ${message}`,
      ] as [string, object, string],
  ),
  ...(
    [
      ['DELETE q :n SET date = :n', 'Attribute name is a reserved keyword; reserved keyword: date'],
      ['SET q = :n + :s, r = foo(q)', 'Invalid function name; function: foo'],
      ['SET q = :n + :s, r = size(q)', 'The function is not allowed in an update expression; function: size'],
      ['DELETE q :n DELETE r :n', 'The "DELETE" section can only be used once in an update expression;'],
      [
        'SET q = :none, r = #none',
        'An expression attribute name used in the document path is not defined; attribute name: #none',
      ],
      [
        'SET q = :n + :s REMOVE r ADD s :none',
        'An expression attribute value used in expression is not defined; attribute value: :none',
      ],
      [
        'SET q.r = :n, q[0] = :n ADD s :n REMOVE s',
        'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [s], path two: [s]',
      ],
      [
        'SET q = :n + :s ADD r :s',
        'Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND',
      ],
    ] as const
  ).map(
    ([UpdateExpression, message]) =>
      [
        'UpdateItem',
        {
          TableName: 'tab',
          Key: { a: { S: 'c' } },
          UpdateExpression,
          ExpressionAttributeValues: { ':n': { N: '1' }, ':s': { S: 'x' } },
        },
        `Invalid UpdateExpression: ${message}`,
      ] as [string, object, string],
  ),
  ...(
    [
      ['GetItem', { Key: { a: { S: 'c' } }, ProjectionExpression: 'q, a.b' }],
      ['UpdateItem', { Key: { a: { S: 'c' } }, UpdateExpression: 'REMOVE q SET r = a[0]' }],
      ['Scan', { FilterExpression: 'attribute_exists(a.b)' }],
    ] as const
  ).map(
    ([operation, input]) =>
      [
        operation,
        { TableName: 'tab', ...input },
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: a",
      ] as [string, object, string],
  ),
];

describe('rejected expressions', () => {
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
