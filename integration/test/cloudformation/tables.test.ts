import { CloudFormation } from '@aws-sdk/client-cloudformation';
import type { DescribeTableOutput } from '@aws-sdk/client-dynamodb';
import { createTestEmulator, testProvider } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { describe, expect, test } from 'vitest';
import { describeTypes, typeCase, typeVariant } from './support.ts';

const attribute = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
const key = (AttributeName: string, KeyType = 'HASH') => ({ AttributeName, KeyType });

/** Auto scaling that cannot change a capacity. */
const scaling = (units: number) => ({
  MaxCapacity: units,
  MinCapacity: units,
  TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 },
});

describeTypes(
  [dynamodb, kinesis, kms, iam],
  [
    typeCase({
      type: 'AWS::DynamoDB::Table',
      least: () => ({
        AttributeDefinitions: [attribute('a')],
        KeySchema: [key('a')],
        ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
      }),
      most: () => ({
        AttributeDefinitions: [attribute('a'), attribute('b')],
        DeletionProtectionEnabled: false,
        GlobalSecondaryIndexes: [
          {
            IndexName: 'by-b',
            KeySchema: [key('b')],
            Projection: { ProjectionType: 'ALL' },
            ProvisionedThroughput: { ReadCapacityUnits: 2, WriteCapacityUnits: 2 },
          },
        ],
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 4 },
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        TableClass: 'STANDARD_INFREQUENT_ACCESS',
        Tags: [{ Key: 'a', Value: '1' }],
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      }),
      other: () => ({
        TableName: 'named',
        KeySchema: [key('a'), key('b', 'RANGE')],
        LocalSecondaryIndexes: [
          { IndexName: 'local', KeySchema: [key('a'), key('c', 'RANGE')], Projection: { ProjectionType: 'KEYS_ONLY' } },
        ],
        AttributeDefinitions: [attribute('a'), attribute('b'), attribute('c')],
      }),
      kept: {
        AttributeDefinitions: 'those of an index that is gone are no longer there',
        TableClass: 'returned in full once it was changed',
      },
      variants: {
        'on demand': typeVariant({
          needs: async (env) => (await env.make('AWS::Kinesis::Stream')).attributes.Arn!,
          least: () => ({
            AttributeDefinitions: [attribute('a')],
            BillingMode: 'PAY_PER_REQUEST',
            KeySchema: [key('a')],
          }),
          most: (stream) => ({
            KinesisStreamSpecification: { StreamArn: stream, ApproximateCreationDateTimePrecision: 'MILLISECOND' },
            OnDemandThroughput: { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 20 },
            ResourcePolicy: {
              PolicyDocument: {
                Version: '2012-10-17',
                Statement: [
                  { Effect: 'Allow', Principal: { AWS: '111122223333' }, Action: 'dynamodb:GetItem', Resource: '*' },
                ],
              },
            },
          }),
          other: () => ({ TableName: 'on-demand' }),
          kept: { OnDemandThroughput: 'returned as -1, which is no limit, once it was changed' },
        }),
      },
      untried: { WarmThroughput: 'has no default to return to' },
    }),
    typeCase({
      type: 'AWS::DynamoDB::GlobalTable',
      least: () => ({
        AttributeDefinitions: [attribute('a')],
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [key('a')],
        Replicas: [{ Region: 'us-east-1' }],
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
      most: () => ({
        AttributeDefinitions: [attribute('a'), attribute('b')],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'by-b',
            KeySchema: [key('b')],
            Projection: { ProjectionType: 'ALL' },
            WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 7 },
          },
        ],
        Replicas: [
          {
            Region: 'us-east-1',
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            Tags: [{ Key: 'a', Value: '1' }],
          },
          { Region: 'eu-west-1', Tags: [{ Key: 'b', Value: '2' }] },
        ],
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      }),
      other: () => ({
        TableName: 'worldwide',
        AttributeDefinitions: [attribute('a'), attribute('b'), attribute('c')],
        KeySchema: [key('a'), key('b', 'RANGE')],
        LocalSecondaryIndexes: [
          { IndexName: 'local', KeySchema: [key('a'), key('c', 'RANGE')], Projection: { ProjectionType: 'KEYS_ONLY' } },
        ],
      }),
      kept: { AttributeDefinitions: 'those of an index that is gone are no longer there' },
      variants: {
        'with limits and a key': typeVariant({
          least: () => ({
            AttributeDefinitions: [attribute('a')],
            BillingMode: 'PAY_PER_REQUEST',
            KeySchema: [key('a')],
            Replicas: [{ Region: 'us-east-1' }],
          }),
          most: () => ({
            ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 10 },
            SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
            WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 20 },
          }),
          other: () => ({ TableName: 'limited' }),
        }),
        'with provisioned capacity': typeVariant({
          least: () => ({
            AttributeDefinitions: [attribute('a')],
            KeySchema: [key('a')],
            Replicas: [{ Region: 'us-east-1', ReadProvisionedThroughputSettings: { ReadCapacityUnits: 3 } }],
            WriteProvisionedThroughputSettings: { WriteCapacityAutoScalingSettings: scaling(4) },
          }),
          most: () => ({
            AttributeDefinitions: [attribute('a'), attribute('b')],
            BillingMode: 'PROVISIONED',
            GlobalSecondaryIndexes: [
              {
                IndexName: 'by-b',
                KeySchema: [key('b')],
                Projection: { ProjectionType: 'ALL' },
                WriteProvisionedThroughputSettings: { WriteCapacityAutoScalingSettings: scaling(6) },
              },
            ],
            Replicas: [
              {
                Region: 'us-east-1',
                GlobalSecondaryIndexes: [
                  {
                    IndexName: 'by-b',
                    ReadProvisionedThroughputSettings: { ReadCapacityAutoScalingSettings: scaling(7) },
                  },
                ],
                ReadProvisionedThroughputSettings: { ReadCapacityAutoScalingSettings: scaling(5) },
              },
            ],
            WriteProvisionedThroughputSettings: { WriteCapacityAutoScalingSettings: scaling(8) },
          }),
          other: () => ({ TableName: 'provisioned' }),
          kept: { AttributeDefinitions: 'those of an index that is gone are no longer there' },
        }),
      },
      untried: { WarmThroughput: 'has no default to return to' },
    }),
  ],
);

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-dynamodb-globaltable-capacityautoscalingsettings.html
describe('provisioned capacity of global tables', () => {
  const started = async () => {
    const emulator = await createTestEmulator({ manifests: [dynamodb, kinesis, kms, iam] });
    return { emulator, ...(await testProvider(emulator, 'AWS::DynamoDB::GlobalTable')) };
  };
  const properties = (MaxCapacity: number) => ({
    TableName: 'worldwide',
    AttributeDefinitions: [attribute('a'), attribute('b')],
    KeySchema: [key('a')],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-b',
        KeySchema: [key('b')],
        Projection: { ProjectionType: 'ALL' },
        WriteProvisionedThroughputSettings: { WriteCapacityAutoScalingSettings: scaling(6) },
      },
    ],
    Replicas: [
      ['us-east-1', 3, 4],
      ['eu-west-1', 30, 40],
    ].map(([Region, ReadCapacityUnits, ofIndex]) => ({
      Region,
      ReadProvisionedThroughputSettings: { ReadCapacityUnits },
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-b',
          ReadProvisionedThroughputSettings: { ReadCapacityAutoScalingSettings: scaling(Number(ofIndex)) },
        },
      ],
    })),
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    WriteProvisionedThroughputSettings: { WriteCapacityAutoScalingSettings: { ...scaling(5), MaxCapacity } },
  });

  test('apply to each replica, if auto scaling cannot change them', async () => {
    const { emulator, provider, ctx } = await started();
    await using _ = emulator;
    await provider.create(properties(5), ctx);
    const units = async (region: string) => {
      const options = { region };
      const input = { TableName: 'worldwide' };
      const { Table } = (await emulator.kernel.call(
        'dynamodb',
        'DescribeTable',
        input,
        options,
      )) as DescribeTableOutput;
      return [Table, Table?.GlobalSecondaryIndexes?.[0]].map((one) => [
        one?.ProvisionedThroughput?.ReadCapacityUnits,
        one?.ProvisionedThroughput?.WriteCapacityUnits,
      ]);
    };
    expect(await units('us-east-1')).toEqual([
      [3, 5],
      [4, 6],
    ]);
    expect(await units('eu-west-1')).toEqual([
      [30, 5],
      [40, 6],
    ]);
    expect((await provider.read('worldwide', ctx, properties(5)))?.properties).toMatchObject(properties(5));
  });

  test('are not implemented if auto scaling would change them', async () => {
    const { emulator, provider, ctx, created } = await started();
    await using _ = emulator;
    await expect(provider.create(properties(10), ctx)).rejects.toMatchObject({
      code: 'NotImplemented',
      message: expect.stringContaining('WriteCapacityAutoScalingSettings'),
    });
    expect(created).toEqual([]);
  });
});

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html */
test('another type of a key replaces a table, and is rejected for a table with a name', async () => {
  await using emulator = await createTestEmulator({ manifests: [cloudformation, dynamodb] });
  const cfn = new CloudFormation(emulator.clientConfig());
  const body = (AttributeType: string, more: object) => {
    const Properties = {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType }],
      KeySchema: [key('a')],
      ...more,
    };
    return JSON.stringify({ Resources: { T: { Type: 'AWS::DynamoDB::Table', Properties } } });
  };
  const typeOf = async (StackName: string) => {
    const { StackResources } = await cfn.describeStackResources({ StackName });
    const found = await emulator.kernel.callJson('dynamodb', 'DescribeTable', {
      TableName: StackResources![0]!.PhysicalResourceId!,
    });
    return (found as DescribeTableOutput).Table!.AttributeDefinitions![0]!.AttributeType;
  };
  const settled = async (StackName: string): Promise<string> => {
    const { Stacks } = await cfn.describeStacks({ StackName });
    const status = Stacks![0]!.StackStatus!;
    return status.endsWith('_IN_PROGRESS') ? settled(StackName) : status;
  };
  for (const [StackName, more, replacement, status, type] of [
    ['generated', {}, 'True', 'UPDATE_COMPLETE', 'N'],
    ['named', { TableName: 'orders' }, 'True', 'UPDATE_ROLLBACK_COMPLETE', 'S'],
  ] as const) {
    await cfn.createStack({ StackName, TemplateBody: body('S', more) });
    expect(await settled(StackName)).toBe('CREATE_COMPLETE');
    const TemplateBody = body('N', more);
    await cfn.createChangeSet({ StackName, ChangeSetName: 'c', TemplateBody });
    const { Changes } = await cfn.describeChangeSet({ StackName, ChangeSetName: 'c' });
    expect(Changes![0]!.ResourceChange!.Replacement).toBe(replacement);
    await cfn.updateStack({ StackName, TemplateBody });
    expect(await settled(StackName)).toBe(status);
    expect(await typeOf(StackName)).toBe(type);
  }
  const { StackEvents } = await cfn.describeStackEvents({ StackName: 'named' });
  expect(StackEvents!.map(({ ResourceStatusReason }) => ResourceStatusReason)).toContain(
    'CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename orders and update the stack again.',
  );
});
