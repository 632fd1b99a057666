import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DynamoTest, makeIndexed, startDynamo } from './support.ts';

/** Requests that DynamoDB rejects, with its messages; the tables are those of `makeIndexed`. */
const REFUSED: [operation: string, input: object, message: string][] = [
  ['CreateTable', {}, "The parameter 'TableName' is required but was not present in the request"],
  [
    'CreateTable',
    { TableName: 'ab' },
    "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
  ],
  [
    'PutItem',
    { TableName: '', Item: {} },
    "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1",
  ],
  [
    'PutItem',
    { TableName: 'a'.repeat(256), Item: {} },
    `1 validation error detected: Value '${'a'.repeat(256)}' at 'tableName' failed to satisfy constraint: Member must have length less than or equal to 255`,
  ],
  [
    'CreateTable',
    { TableName: 'xyz' },
    "2 validation errors detected: Value null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null; Value null at 'keySchema' failed to satisfy constraint: Member must not be null",
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
    },
    'One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      ProvisionedThroughput: { ReadCapacityUnits: 1 },
    },
    "1 validation error detected: Value null at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must not be null",
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [],
      AttributeDefinitions: [],
    },
    "1 validation error detected: Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length greater than or equal to 1",
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [{ AttributeName: 'a', KeyType: 'RANGE' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
    },
    'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [
        { AttributeName: 'a', KeyType: 'HASH' },
        { AttributeName: 'b', KeyType: 'HASH' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'a', AttributeType: 'S' },
        { AttributeName: 'b', AttributeType: 'S' },
      ],
    },
    'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [
        { AttributeName: 'a', KeyType: 'HASH' },
        { AttributeName: 'a', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
    },
    'Invalid KeySchema: Some index key attribute have no definition',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'b', AttributeType: 'S' }],
    },
    'One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [b]',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [
        { AttributeName: 'a', AttributeType: 'S' },
        { AttributeName: 'b', AttributeType: 'S' },
      ],
    },
    'One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [
        { AttributeName: 'a', KeyType: 'HASH' },
        { AttributeName: 'b', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
    },
    'Invalid KeySchema: Some index key attribute have no definition',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [
        { AttributeName: 'a', AttributeType: 'S' },
        { AttributeName: 'a', AttributeType: 'S' },
      ],
    },
    'One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
    'One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      BillingMode: 'FOO',
    },
    "1 validation error detected: Value 'FOO' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]",
  ],
  // Measured: the error of the global index comes first. @see https://github.com/nubo-db/dynamodb-conformance
  [
    'CreateTable',
    {
      TableName: 'xyz',
      BillingMode: 'FOO',
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      LocalSecondaryIndexes: [
        {
          IndexName: 'aa',
          KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'zz',
          KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    },
    `3 validation errors detected: ${['zz at globalSecondaryIndexes', 'aa at localSecondaryIndexes']
      .map((where) => where.split(' at '))
      .map(
        ([name, member]) =>
          `Value '${name}' at '${member}.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3`,
      )
      .join(
        '; ',
      )}; Value 'FOO' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]`,
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      LocalSecondaryIndexes: [],
    },
    'One or more parameter values were invalid: List of LocalSecondaryIndexes is empty',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      GlobalSecondaryIndexes: [],
    },
    'One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      LocalSecondaryIndexes: [{}],
    },
    "3 validation errors detected: Value null at 'localSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must not be null; Value null at 'localSecondaryIndexes.1.member.keySchema' failed to satisfy constraint: Member must not be null; Value null at 'localSecondaryIndexes.1.member.projection' failed to satisfy constraint: Member must not be null",
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      LocalSecondaryIndexes: [
        {
          IndexName: 'abc',
          KeySchema: [
            { AttributeName: 'a', KeyType: 'HASH' },
            { AttributeName: 'b', KeyType: 'RANGE' },
          ],
          Projection: {},
        },
      ],
    },
    'One or more parameter values were invalid: Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [
        { AttributeName: 'a', KeyType: 'HASH' },
        { AttributeName: 'b', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'a', AttributeType: 'S' },
        { AttributeName: 'b', AttributeType: 'S' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'abc',
          KeySchema: [
            { AttributeName: 'a', KeyType: 'HASH' },
            { AttributeName: 'b', KeyType: 'RANGE' },
          ],
          Projection: {},
        },
      ],
    },
    'One or more parameter values were invalid: Unknown ProjectionType: null',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [
        { AttributeName: 'a', KeyType: 'HASH' },
        { AttributeName: 'b', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'a', AttributeType: 'S' },
        { AttributeName: 'b', AttributeType: 'S' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'abc',
          KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    },
    'One or more parameter values were invalid: Index KeySchema does not have a range key for index: abc',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [
        { AttributeName: 'a', KeyType: 'HASH' },
        { AttributeName: 'b', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'a', AttributeType: 'S' },
        { AttributeName: 'b', AttributeType: 'S' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'abc',
          KeySchema: [
            { AttributeName: 'b', KeyType: 'HASH' },
            { AttributeName: 'a', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    },
    'One or more parameter values were invalid: Index KeySchema does not have the same leading hash key as table KeySchema for index: abc. index hash key: b, table hash key: a',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [
        { AttributeName: 'a', KeyType: 'HASH' },
        { AttributeName: 'b', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'a', AttributeType: 'S' },
        { AttributeName: 'b', AttributeType: 'S' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'abc',
          KeySchema: [
            { AttributeName: 'a', KeyType: 'HASH' },
            { AttributeName: 'b', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL', NonKeyAttributes: ['x'] },
        },
      ],
    },
    'One or more parameter values were invalid: ProjectionType is ALL, but NonKeyAttributes is specified',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [
        { AttributeName: 'a', KeyType: 'HASH' },
        { AttributeName: 'b', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'a', AttributeType: 'S' },
        { AttributeName: 'b', AttributeType: 'S' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'abc',
          KeySchema: [
            { AttributeName: 'a', KeyType: 'HASH' },
            { AttributeName: 'b', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: 'abc',
          KeySchema: [
            { AttributeName: 'a', KeyType: 'HASH' },
            { AttributeName: 'b', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    },
    'One or more parameter values were invalid: Duplicate index name: abc',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [
        { AttributeName: 'a', KeyType: 'HASH' },
        { AttributeName: 'b', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'a', AttributeType: 'S' },
        { AttributeName: 'b', AttributeType: 'S' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'abc1',
          KeySchema: [
            { AttributeName: 'a', KeyType: 'HASH' },
            { AttributeName: 'b', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: 'abc2',
          KeySchema: [
            { AttributeName: 'a', KeyType: 'HASH' },
            { AttributeName: 'b', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: 'abc3',
          KeySchema: [
            { AttributeName: 'a', KeyType: 'HASH' },
            { AttributeName: 'b', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: 'abc4',
          KeySchema: [
            { AttributeName: 'a', KeyType: 'HASH' },
            { AttributeName: 'b', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: 'abc5',
          KeySchema: [
            { AttributeName: 'a', KeyType: 'HASH' },
            { AttributeName: 'b', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: 'abc6',
          KeySchema: [
            { AttributeName: 'a', KeyType: 'HASH' },
            { AttributeName: 'b', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    },
    'One or more parameter values were invalid: Number of LocalSecondaryIndexes exceeds per-table limit of 5',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'abc',
          KeySchema: [{ AttributeName: 'z', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
          ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
        },
      ],
    },
    'One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. Keys: [z], AttributeDefinitions: [a]',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: [
        {
          IndexName: 'abc',
          KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
          ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
        },
      ],
    },
    'One or more parameter values were invalid: ProvisionedThroughput should not be specified for index: abc when BillingMode is PAY_PER_REQUEST',
  ],
  [
    'DescribeTable',
    { TableName: 'nope' },
    'ResourceNotFoundException: Requested resource not found: Table: nope not found',
  ],
  [
    'DescribeTable',
    { TableName: 'a;' },
    "1 validation error detected: Value 'a;' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
  ],
  ['DescribeTable', {}, "The parameter 'TableName' is required but was not present in the request"],
  [
    'DeleteTable',
    { TableName: 'nope' },
    'ResourceNotFoundException: Requested resource not found: Table: nope not found',
  ],
  [
    'ListTables',
    { ExclusiveStartTableName: 'a;' },
    "2 validation errors detected: Value 'a;' at 'exclusiveStartTableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'a;' at 'exclusiveStartTableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
  ],
  [
    'ListTables',
    { Limit: 0 },
    "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
  ],
  [
    'ListTables',
    { Limit: 101 },
    "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100",
  ],
  ['UpdateTable', {}, "The parameter 'TableName' is required but was not present in the request"],
  [
    'UpdateTable',
    { TableName: 'tab' },
    'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required',
  ],
  [
    'UpdateTable',
    { TableName: 'nope', ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 } },
    'ResourceNotFoundException: Requested resource not found: Table: nope not found',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 } },
    'The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 5. Requested WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', ProvisionedThroughput: { ReadCapacityUnits: 1000000000001, WriteCapacityUnits: 1 } },
    'Given value 1000000000001 for ReadCapacityUnits is out of bounds',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', GlobalSecondaryIndexUpdates: [] },
    'One or more parameter values were invalid: List of GlobalSecondaryIndexUpdates is empty',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', GlobalSecondaryIndexUpdates: [{}] },
    'One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null',
  ],
  [
    'UpdateTable',
    {
      TableName: 'idx',
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: 'gsi', ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 5 } } },
        { Update: { IndexName: 'gsi', ProvisionedThroughput: { ReadCapacityUnits: 6, WriteCapacityUnits: 5 } } },
      ],
    },
    'One or more parameter values were invalid: Only one global secondary index update per index is allowed simultaneously. Index: gsi',
  ],
  [
    'UpdateTable',
    {
      TableName: 'idx',
      BillingMode: 'PAY_PER_REQUEST',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    },
    'One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', SSESpecification: { Enabled: true }, TableClass: 'STANDARD', DeletionProtectionEnabled: true },
    'One or more parameter values were invalid: Server-Side Encryption modification must be the only operation in the request',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', TableClass: 'STANDARD', DeletionProtectionEnabled: true },
    'One or more parameter values were invalid: TableClass modification must be the only operation in the request',
  ],
  [
    'UpdateTable',
    {
      TableName: 'tab',
      DeletionProtectionEnabled: true,
      ProvisionedThroughput: { ReadCapacityUnits: 6, WriteCapacityUnits: 6 },
    },
    'One or more parameter values were invalid: DeletionProtection modification must be the only operation in the request',
  ],
  [
    'UpdateTable',
    {
      TableName: 'tab',
      WarmThroughput: { ReadUnitsPerSecond: 9000 },
      ProvisionedThroughput: { ReadCapacityUnits: 6, WriteCapacityUnits: 6 },
    },
    'One or more parameter values were invalid: WarmThroughput must be the only operation in the request',
  ],
  [
    'UpdateTable',
    {
      TableName: 'tab',
      WarmThroughput: { ReadUnitsPerSecond: 9000 },
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'new',
            KeySchema: [{ AttributeName: 'c', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    },
    'One or more parameter values were invalid: Create global secondary index cannot be specified when updating WarmThroughput',
  ],
  [
    'UpdateTable',
    {
      TableName: 'tab',
      OnDemandThroughput: { MaxReadRequestUnits: 5 },
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    },
    'One or more parameter values were invalid: OnDemandThroughput can only be combined with BillingMode in an UpdateTable request',
  ],
  [
    'UpdateTable',
    {
      TableName: 'tab',
      ProvisionedThroughput: { ReadCapacityUnits: 6, WriteCapacityUnits: 6 },
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    },
    'One or more parameter values were invalid: You cannot modify stream status while updating table IOPS',
  ],
  [
    'UpdateTable',
    {
      TableName: 'tab',
      ProvisionedThroughput: { ReadCapacityUnits: 6, WriteCapacityUnits: 6 },
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'new',
            KeySchema: [{ AttributeName: 'c', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    },
    'One or more parameter values were invalid: You cannot create or delete index while updating table IOPS',
  ],
  [
    'UpdateTable',
    {
      TableName: 'tab',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'new',
            KeySchema: [{ AttributeName: 'c', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    },
    'One or more parameter values were invalid: You cannot create or delete index while changing stream status',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }], DeletionProtectionEnabled: true },
    'One or more parameter values were invalid: Replica modification must be the only operation in the request',
  ],
  [
    'UpdateTable',
    {
      TableName: 'tab',
      ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }],
      DeletionProtectionEnabled: true,
      MultiRegionConsistency: 'STRONG',
    },
    'One or more parameter values were invalid: Requests that modify replicas or witnesses must not also modify other fields',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', StreamSpecification: { StreamEnabled: true } },
    'One or more parameter values were invalid: If stream is being enabled then UpdateViewType is required',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', StreamSpecification: { StreamEnabled: false, StreamViewType: 'KEYS_ONLY' } },
    'One or more parameter values were invalid: If stream is being disabled, then UpdateViewType must not be specified',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', StreamSpecification: { StreamEnabled: false } },
    'Table has no stream to disable: TableName: tab',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', SSESpecification: { Enabled: false } },
    'One or more parameter values were invalid: Table is already encrypted by default',
  ],
  [
    'UpdateTable',
    {
      TableName: 'idx',
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'new',
            KeySchema: [{ AttributeName: 'c', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
          Delete: { IndexName: 'gsi' },
        },
      ],
    },
    'One or more parameter values were invalid: Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object',
  ],
  [
    'UpdateTable',
    {
      TableName: 'idx',
      AttributeDefinitions: [{ AttributeName: 'c', AttributeType: 'S' }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'gsi',
            KeySchema: [{ AttributeName: 'c', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
            ProvisionedThroughput: { ReadCapacityUnits: 6, WriteCapacityUnits: 6 },
          },
        },
      ],
    },
    'Attempting to create an index which already exists',
  ],
  [
    'UpdateTable',
    { TableName: 'idx', GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'lsi' } }] },
    'Cannot delete an index that is not a GlobalSecondaryIndex: lsi',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', ReplicaUpdates: [{}] },
    'There are no actions specified in the Replica Update Action of the request.',
  ],
  [
    'UpdateTable',
    {
      TableName: 'tab',
      ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }, { Delete: { RegionName: 'eu-west-2' } }],
    },
    'Update table operation with more than one type of replica actions not allowed',
  ],
  [
    'UpdateTable',
    {
      TableName: 'tab',
      ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }, { Create: { RegionName: 'eu-west-2' } }],
    },
    'Update table operation with more than one create or delete replica actions not allowed',
  ],
  [
    'UpdateTable',
    {
      TableName: 'tab',
      ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }, { Create: { RegionName: 'eu-west-1' } }],
    },
    'Cannot target multiple regions with the same action',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', GlobalTableSettingsReplicationMode: 'ENABLED_WITH_OVERRIDES' },
    "Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: Only ENABLED and DISABLED settings replication are supported for a Regional Table.",
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      StreamSpecification: { StreamEnabled: true },
    },
    'One or more parameter values were invalid: Table is being created with a stream enabled, UpdateViewType is required',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      StreamSpecification: { StreamEnabled: false, StreamViewType: 'KEYS_ONLY' },
    },
    'One or more parameter values were invalid: Table is being created with a stream disabled, UpdateViewType should not be specified',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      SSESpecification: { Enabled: false, SSEType: 'KMS' },
    },
    'One or more parameter values were invalid: SSEType can not be specified if Enabled is false',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      SSESpecification: { Enabled: false, KMSMasterKeyId: 'x' },
    },
    'One or more parameter values were invalid: KMSMasterKeyId can not be specified if Enabled is false',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      SSESpecification: { Enabled: true, SSEType: 'AES256' },
    },
    'One or more parameter values were invalid: SSEType AES256 is not supported',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      SSESpecification: { Enabled: true, KMSMasterKeyId: 'x' },
    },
    'One or more parameter values were invalid: SSEType KMS is required if KMSMasterKeyId is specified',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      BillingMode: 'PROVISIONED',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      OnDemandThroughput: { MaxReadRequestUnits: 5 },
    },
    'One or more parameter values were invalid: MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      OnDemandThroughput: { MaxWriteRequestUnits: 0 },
    },
    'One or more parameter values were invalid: Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range',
  ],
  [
    'CreateTable',
    {
      TableName: 'xyz',
      BillingMode: 'PROVISIONED',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      WarmThroughput: { ReadUnitsPerSecond: 4 },
    },
    'One or more parameter values were invalid: Requested ReadUnitsPerSecond for WarmThroughput for table is lower than ReadCapacityUnits of ProvisionedThroughput',
  ],
  [
    'UpdateTable',
    { TableName: 'tab', WarmThroughput: { WriteUnitsPerSecond: 4 } },
    'One or more parameter values were invalid: Requested WriteUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported',
  ],
  [
    'TagResource',
    { ResourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/tab', Tags: [{ Key: 'aws:x', Value: '' }] },
    'Tag Key cannot be prefixed with aws:, Key: aws:x',
  ],
  [
    'TagResource',
    {
      ResourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/tab',
      Tags: [
        { Key: 'x', Value: '' },
        { Key: 'x', Value: '' },
      ],
    },
    'Duplicate Tag Keys provided as input: Duplicate Tag Key found x',
  ],
  [
    'UpdateContinuousBackups',
    {
      TableName: 'tab',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false, RecoveryPeriodInDays: 3 },
    },
    'Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.',
  ],
  [
    'RestoreTableToPointInTime',
    { SourceTableName: 'tab', TargetTableName: 'new' },
    'Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both',
  ],
  [
    'RestoreTableToPointInTime',
    { TargetTableName: 'new' },
    'Must provide exactly one of: sourceTableArn, sourceTableName',
  ],
  [
    'ListTagsOfResource',
    { ResourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/nope' },
    'ResourceNotFoundException: Requested resource not found: ResourcArn: arn:aws:dynamodb:us-east-1:000000000000:table/nope not found',
  ],
  [
    'TagResource',
    { ResourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/tab', Tags: [] },
    'Atleast one Tag needs to be provided as Input.',
  ],
  [
    'UntagResource',
    { ResourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/tab', TagKeys: [] },
    'Atleast one Tag Key needs to be provided as Input.',
  ],
  [
    'ListTagsOfResource',
    { ResourceArn: 'arn:aws:sqs:us-east-1:000000000000:table/nope' },
    'Invalid TableArn: Invalid ResourceArn provided as input arn:aws:sqs:us-east-1:000000000000:table/nope',
  ],
];

describe('rejected tables and tags', () => {
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
