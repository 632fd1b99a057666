import {
  defined,
  defineProvider,
  differs,
  documentValue,
  everyItem,
  omit,
  type Properties,
  pick,
  refuseExisting,
  run,
  sameValue,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import type { TableDescription } from '@emu/service-types/dynamodb';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { indexUpdate, redefinesAttributes, type TemplateIndex } from './indexes.ts';

const TYPE = 'AWS::DynamoDB::Table';
const GONE = 'ResourceNotFoundException';
const POLL = { interval: 20 };
/** Properties passed to CreateTable unchanged. */
const CREATION = [
  'AttributeDefinitions',
  'BillingMode',
  'DeletionProtectionEnabled',
  'GlobalSecondaryIndexes',
  'KeySchema',
  'LocalSecondaryIndexes',
  'OnDemandThroughput',
  'ProvisionedThroughput',
  'TableClass',
  'Tags',
  'WarmThroughput',
];

interface TableProperties extends TaggedProperties {
  AttributeDefinitions?: readonly Properties[];
  GlobalSecondaryIndexes?: readonly TemplateIndex[];
  KinesisStreamSpecification?: { StreamArn: string; ApproximateCreationDateTimePrecision?: string };
  PointInTimeRecoverySpecification?: Properties;
  ResourcePolicy?: { PolicyDocument: unknown };
  SSESpecification?: { SSEEnabled: boolean; SSEType?: string; KMSMasterKeyId?: string };
  StreamSpecification?: { StreamViewType: string };
  TableName?: string;
  TimeToLiveSpecification?: { AttributeName?: string; Enabled: boolean };
}

const tableOf = async (TableName: string, ctx: ProviderContext): Promise<TableDescription | undefined> =>
  (await unless(ctx.call('dynamodb', 'DescribeTable', { TableName }), GONE))?.Table;

/** Waits until the table and its indexes are active. */
const active = (name: string, ctx: ProviderContext): Promise<void> =>
  ctx.until(async () => {
    const { TableStatus, GlobalSecondaryIndexes = [] } = (await tableOf(name, ctx)) ?? {};
    return TableStatus === 'ACTIVE' && GlobalSecondaryIndexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE');
  }, POLL);

const streamOf = (stream: TableProperties['StreamSpecification']) =>
  stream && { StreamEnabled: true, StreamViewType: stream.StreamViewType };

const encryptionOf = (sse: TableProperties['SSESpecification']) =>
  sse && { Enabled: sse.SSEEnabled, ...pick(sse, ['SSEType', 'KMSMasterKeyId']) };

/** Changes properties that have operations of their own. */
async function changeOtherSettings(
  TableName: string,
  arn: string,
  previous: TableProperties,
  desired: TableProperties,
  ctx: ProviderContext,
): Promise<void> {
  const ttl = desired.TimeToLiveSpecification;
  if (!sameValue(previous.TimeToLiveSpecification, ttl)) {
    const before = previous.TimeToLiveSpecification;
    if (before?.Enabled && before.AttributeName !== (ttl?.Enabled ? ttl.AttributeName : undefined))
      await setTimeToLive(TableName, { ...before, Enabled: false }, ctx);
    if (ttl?.Enabled) await setTimeToLive(TableName, ttl, ctx);
  }
  if (!sameValue(previous.PointInTimeRecoverySpecification, desired.PointInTimeRecoverySpecification))
    await run(ctx, 'dynamodb', 'UpdateContinuousBackups', {
      TableName,
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: false,
        ...desired.PointInTimeRecoverySpecification,
      },
    });
  const policy = desired.ResourcePolicy?.PolicyDocument;
  if (!sameValue(previous.ResourcePolicy?.PolicyDocument, policy))
    await (policy === undefined
      ? ctx.call('dynamodb', 'DeleteResourcePolicy', { ResourceArn: arn })
      : ctx.call('dynamodb', 'PutResourcePolicy', { ResourceArn: arn, Policy: textOf(policy) }));
  await changeStreaming(TableName, previous, desired, ctx);
}

const setTimeToLive = (TableName: string, TimeToLiveSpecification: Properties, ctx: ProviderContext) =>
  run(ctx, 'dynamodb', 'UpdateTimeToLive', { TableName, TimeToLiveSpecification });

/** Changes the Kinesis stream of the table. */
async function changeStreaming(
  TableName: string,
  { KinesisStreamSpecification: before }: TableProperties,
  { KinesisStreamSpecification: after }: TableProperties,
  ctx: ProviderContext,
): Promise<void> {
  if (sameValue(before, after)) return;
  const settled = () =>
    ctx.until(async () => {
      const found = await ctx.call('dynamodb', 'DescribeKinesisStreamingDestination', { TableName });
      return !found.KinesisDataStreamDestinations?.some(({ DestinationStatus }) =>
        /ING$/.test(DestinationStatus ?? ''),
      );
    }, POLL);
  if (before) {
    await ctx.call('dynamodb', 'DisableKinesisStreamingDestination', { TableName, StreamArn: before.StreamArn });
    await settled();
  }
  if (after) {
    const { StreamArn, ...settings } = after;
    await run(ctx, 'dynamodb', 'EnableKinesisStreamingDestination', {
      TableName,
      StreamArn,
      EnableKinesisStreamingConfiguration: unlessEmpty(settings),
    });
    await settled();
  }
}

/** Returns the UpdateTable requests for a change, each with one kind of change, as the service requires. */
function tableUpdates(previous: TableProperties, desired: TableProperties): Properties[] {
  const updates: Properties[] = [];
  const set = (names: readonly string[], defaults: Properties = {}) => {
    if (differs(previous, desired, ...names)) updates.push({ ...defaults, ...pick(desired, names) });
  };
  if (previous.StreamSpecification && differs(previous, desired, 'StreamSpecification'))
    updates.push({ StreamSpecification: { StreamEnabled: false } });
  if (desired.StreamSpecification && differs(previous, desired, 'StreamSpecification'))
    updates.push({ StreamSpecification: streamOf(desired.StreamSpecification) });
  set(['BillingMode', 'ProvisionedThroughput'], { BillingMode: 'PROVISIONED' });
  set(['OnDemandThroughput'], { OnDemandThroughput: { MaxReadRequestUnits: -1, MaxWriteRequestUnits: -1 } });
  set(['TableClass'], { TableClass: 'STANDARD' });
  set(['DeletionProtectionEnabled'], { DeletionProtectionEnabled: false });
  if (desired.WarmThroughput) set(['WarmThroughput']);
  if (differs(previous, desired, 'SSESpecification'))
    updates.push({ SSESpecification: encryptionOf(desired.SSESpecification) ?? { Enabled: false } });
  const indexes = indexUpdate(previous.GlobalSecondaryIndexes, desired.GlobalSecondaryIndexes);
  if (indexes.length)
    updates.push({ AttributeDefinitions: desired.AttributeDefinitions, GlobalSecondaryIndexUpdates: indexes });
  return updates;
}

/** Returns the template properties contained in DescribeTable's response. */
function propertiesOf(table: TableDescription): Properties {
  const throughput = (described: object | undefined) =>
    described && pick(described, ['ReadCapacityUnits', 'WriteCapacityUnits'] as never[]);
  const onDemand = table.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST';
  const { SSEDescription: sse, StreamSpecification: stream } = table;
  return defined({
    ...pick(table, [
      'AttributeDefinitions',
      'KeySchema',
      'TableName',
      'DeletionProtectionEnabled',
      'OnDemandThroughput',
    ]),
    BillingMode: onDemand ? 'PAY_PER_REQUEST' : 'PROVISIONED',
    ProvisionedThroughput: onDemand ? undefined : throughput(table.ProvisionedThroughput),
    GlobalSecondaryIndexes: unlessEmpty(
      table.GlobalSecondaryIndexes?.map((index) => ({
        ...pick(index, ['IndexName', 'KeySchema', 'Projection', 'OnDemandThroughput']),
        ...(!onDemand && { ProvisionedThroughput: throughput(index.ProvisionedThroughput) }),
      })),
    ),
    LocalSecondaryIndexes: unlessEmpty(
      table.LocalSecondaryIndexes?.map((index) => pick(index, ['IndexName', 'KeySchema', 'Projection'])),
    ),
    SSESpecification:
      sse?.Status === 'ENABLED'
        ? defined({ SSEEnabled: true, SSEType: sse.SSEType, KMSMasterKeyId: sse.KMSMasterKeyArn })
        : undefined,
    StreamSpecification: stream?.StreamEnabled ? { StreamViewType: stream.StreamViewType } : undefined,
    TableClass: table.TableClassSummary?.TableClass ?? 'STANDARD',
    WarmThroughput: table.WarmThroughput && omit(table.WarmThroughput, 'Status'),
  });
}

/** Returns the template properties that other operations describe. */
async function otherSettingsOf(TableName: string, ResourceArn: string, ctx: ProviderContext): Promise<Properties> {
  const { TimeToLiveDescription: ttl } = await ctx.call('dynamodb', 'DescribeTimeToLive', { TableName });
  const backups = await ctx.call('dynamodb', 'DescribeContinuousBackups', { TableName });
  const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
  const policy = await unless(ctx.call('dynamodb', 'GetResourcePolicy', { ResourceArn }), 'PolicyNotFoundException');
  const streaming = await ctx.call('dynamodb', 'DescribeKinesisStreamingDestination', { TableName });
  const target = streaming.KinesisDataStreamDestinations?.find(
    ({ DestinationStatus }) => DestinationStatus === 'ACTIVE',
  );
  const enabled = recovery?.PointInTimeRecoveryStatus === 'ENABLED';
  return defined({
    TimeToLiveSpecification:
      ttl?.TimeToLiveStatus === 'ENABLED' ? { AttributeName: ttl.AttributeName, Enabled: true } : undefined,
    PointInTimeRecoverySpecification: enabled
      ? defined({ PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: recovery?.RecoveryPeriodInDays })
      : undefined,
    ResourcePolicy: policy && { PolicyDocument: documentValue(policy.Policy) },
    KinesisStreamSpecification: target && pick(target, ['StreamArn', 'ApproximateCreationDateTimePrecision']),
  });
}

/**
 * Tables.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
 */
export const table: AnyResourceProvider = defineProvider<TableProperties>({
  typeName: TYPE,
  replaces: redefinesAttributes,
  model,
  handles: [
    ...CREATION.filter((name) => name !== 'GlobalSecondaryIndexes'),
    'GlobalSecondaryIndexes.IndexName',
    'GlobalSecondaryIndexes.KeySchema',
    'GlobalSecondaryIndexes.OnDemandThroughput',
    'GlobalSecondaryIndexes.Projection',
    'GlobalSecondaryIndexes.ProvisionedThroughput',
    'GlobalSecondaryIndexes.WarmThroughput',
    'KinesisStreamSpecification',
    'PointInTimeRecoverySpecification',
    'ResourcePolicy',
    'SSESpecification',
    'StreamSpecification.StreamViewType',
    'TableName',
    'TimeToLiveSpecification',
  ],

  async create(properties, ctx) {
    const TableName = properties.TableName ?? ctx.name();
    if (properties.TableName) refuseExisting(TYPE, TableName, await tableOf(TableName, ctx));
    const { TableDescription: made } = await run(ctx, 'dynamodb', 'CreateTable', {
      TableName,
      ...pick(properties, CREATION),
      StreamSpecification: streamOf(properties.StreamSpecification),
      SSESpecification: encryptionOf(properties.SSESpecification),
    });
    ctx.created(TableName);
    await active(TableName, ctx);
    await changeOtherSettings(TableName, made!.TableArn!, {}, properties, ctx);
    return { identifier: TableName };
  },

  async read(TableName, ctx) {
    const found = await tableOf(TableName, ctx);
    if (!found || found.TableStatus === 'DELETING') return undefined;
    const Arn = found.TableArn!;
    const { Tags } = await ctx.call('dynamodb', 'ListTagsOfResource', { ResourceArn: Arn });
    return {
      properties: defined({
        ...propertiesOf(found),
        ...(await otherSettingsOf(TableName, Arn, ctx)),
        Tags: unlessEmpty(Tags),
      }),
      attributes: defined({ Arn, StreamArn: found.LatestStreamArn }),
    };
  },

  async update(TableName, previous, desired, ctx) {
    const { TableArn: ResourceArn } = (await tableOf(TableName, ctx))!;
    for (const update of tableUpdates(previous, desired)) {
      await run(ctx, 'dynamodb', 'UpdateTable', { TableName, ...update });
      await active(TableName, ctx);
    }
    await changeOtherSettings(TableName, ResourceArn!, previous, desired, ctx);
    await changeTagsOf(ResourceArn!, previous, desired, ctx);
  },

  async delete(TableName, _properties, ctx) {
    await unless(ctx.call('dynamodb', 'DeleteTable', { TableName }), GONE);
    await ctx.until(async () => (await tableOf(TableName, ctx)) === undefined, POLL);
  },

  list: (ctx) =>
    everyItem(async (ExclusiveStartTableName) => {
      const page = await ctx.call('dynamodb', 'ListTables', defined({ ExclusiveStartTableName }));
      return [page.TableNames, page.LastEvaluatedTableName] as const;
    }),
});
