import {
  defined,
  defineProvider,
  listChanges,
  type Properties,
  pick,
  run,
  sameValue,
  type TemplateTag,
  unless,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext, ResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { table } from './table.ts';

const TYPE = 'AWS::DynamoDB::GlobalTable';
const POLL = { interval: 20 };
/** Properties of the whole table, with the same names as for a table in one region. */
const SHARED = [
  'AttributeDefinitions',
  'BillingMode',
  'KeySchema',
  'LocalSecondaryIndexes',
  'SSESpecification',
  'StreamSpecification',
  'TimeToLiveSpecification',
  'WarmThroughput',
] as const;
/** Properties of each replica, with the same names as for a table in one region. */
const OWN = [
  'DeletionProtectionEnabled',
  'KinesisStreamSpecification',
  'PointInTimeRecoverySpecification',
  'ResourcePolicy',
  'TableClass',
  'Tags',
] as const;

interface Replica extends Properties {
  readonly Region: string;
  readonly SSESpecification?: { readonly KMSMasterKeyId: string };
  readonly Tags?: readonly TemplateTag[];
}

interface Limits {
  readonly ReadOnDemandThroughputSettings?: { readonly MaxReadRequestUnits?: number };
  readonly WriteOnDemandThroughputSettings?: { readonly MaxWriteRequestUnits?: number };
}

interface GlobalProperties extends Properties, Limits {
  readonly GlobalSecondaryIndexes?: readonly (Properties & Limits)[];
  readonly Replicas: readonly Replica[];
  readonly TableName?: string;
}

const tables = table as unknown as ResourceProvider<Properties>;

/** Returns the maximum on-demand throughput of a table or an index, in the form of a table in one region. */
function limitsIn({
  ReadOnDemandThroughputSettings: read,
  WriteOnDemandThroughputSettings: write,
}: Limits): Properties {
  const OnDemandThroughput = { ...read, ...write };
  return Object.keys(OnDemandThroughput).length ? { OnDemandThroughput } : {};
}

function limitsOut(found: unknown): Limits {
  const { MaxReadRequestUnits: read, MaxWriteRequestUnits: write } = (found ?? {}) as Record<string, number>;
  return defined({
    ReadOnDemandThroughputSettings: read === undefined || read < 0 ? undefined : { MaxReadRequestUnits: read },
    WriteOnDemandThroughputSettings: write === undefined || write < 0 ? undefined : { MaxWriteRequestUnits: write },
  }) as Limits;
}

const LIMITS = ['ReadOnDemandThroughputSettings', 'WriteOnDemandThroughputSettings'];
const without = (values: Properties, names: readonly string[]): Properties =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

const some = (values: Properties, names: readonly string[]): Properties => pick(values, names);

/** Returns the properties of the table in the stack's region. */
function localTable(properties: GlobalProperties, ctx: ProviderContext): Properties {
  const replica = properties.Replicas.find(({ Region }) => Region === ctx.region);
  const { KMSMasterKeyId } = replica?.SSESpecification ?? {};
  return {
    ...some(properties, SHARED),
    ...limitsIn(properties),
    ...some(replica ?? {}, OWN),
    ...(KMSMasterKeyId !== undefined && {
      SSESpecification: { ...(properties.SSESpecification as Properties | undefined), KMSMasterKeyId },
    }),
    ...(properties.GlobalSecondaryIndexes && {
      GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes.map((index) => ({
        ...without(index, LIMITS),
        ...limitsIn(index),
      })),
    }),
  };
}

/** Returns the provider context for another region. */
const inRegion = (region: string, ctx: ProviderContext): ProviderContext => ({
  ...ctx,
  region,
  call: (service, operation, input, options) => ctx.call(service, operation, input, { region, ...options }),
  callJson: (service, operation, json, options) => ctx.callJson(service, operation, json, { region, ...options }),
});

const othersOf = ({ Replicas }: GlobalProperties, { region }: ProviderContext): readonly Replica[] =>
  Replicas.filter(({ Region }) => Region !== region);

const settled = (TableName: string, ctx: ProviderContext): Promise<void> =>
  ctx.until(async () => {
    const { Table } = await ctx.call('dynamodb', 'DescribeTable', { TableName });
    return (Table?.Replicas ?? []).every(({ ReplicaStatus }) => ReplicaStatus === 'ACTIVE');
  }, POLL);

/** Creates, changes and deletes the tables in other regions, one at a time, as AWS does. */
async function changeReplicas(
  TableName: string,
  previous: readonly Replica[],
  desired: readonly Replica[],
  ctx: ProviderContext,
): Promise<void> {
  const region = ({ Region }: Replica): string => Region;
  const { added, removed } = listChanges(previous.map(region), desired.map(region));
  const update = async (change: Properties) => {
    await run(ctx, 'dynamodb', 'UpdateTable', { TableName, ReplicaUpdates: [change] });
    await settled(TableName, ctx);
  };
  for (const RegionName of removed) {
    const protectedOne = previous.find((one) => one.Region === RegionName)?.DeletionProtectionEnabled;
    if (protectedOne)
      await inRegion(RegionName, ctx).call('dynamodb', 'UpdateTable', { TableName, DeletionProtectionEnabled: false });
    await update({ Delete: { RegionName } });
  }
  for (const replica of desired) {
    const { Region: RegionName, SSESpecification } = replica;
    const key = SSESpecification && { KMSMasterKeyId: SSESpecification.KMSMasterKeyId };
    const before = added.includes(RegionName)
      ? { Region: RegionName }
      : previous.find((one) => one.Region === RegionName)!;
    if (added.includes(RegionName)) await update({ Create: { RegionName, ...key } });
    else if (!sameValue(before.SSESpecification, SSESpecification)) await update({ Update: { RegionName, ...key } });
    const [from, to] = [some(before, OWN), some(replica, OWN)];
    if (!sameValue(from, to)) await tables.update!(TableName, from, to, inRegion(RegionName, ctx));
  }
}

/**
 * Tables with replicas in several regions; the table in the stack's region is the first replica.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html
 */
export const globalTable: AnyResourceProvider = defineProvider<GlobalProperties>({
  typeName: TYPE,
  model,
  handles: [
    ...SHARED,
    ...LIMITS,
    ...['IndexName', 'KeySchema', 'Projection', 'WarmThroughput', ...LIMITS].map(
      (name) => `GlobalSecondaryIndexes.${name}`,
    ),
    ...['GlobalSecondaryIndexes.IndexName', 'Region', 'SSESpecification', ...OWN].map((name) => `Replicas.${name}`),
    'TableName',
  ],

  async create(properties, ctx) {
    const TableName = properties.TableName ?? ctx.name();
    await tables.create({ ...localTable(properties, ctx), TableName }, ctx);
    await changeReplicas(TableName, [], othersOf(properties, ctx), ctx);
    return { identifier: TableName };
  },

  async read(TableName, ctx) {
    const found = await tables.read(TableName, ctx);
    if (!found) return undefined;
    const { properties } = found;
    const { Table } = await ctx.call('dynamodb', 'DescribeTable', { TableName });
    const others = await Promise.all(
      (Table?.Replicas ?? [])
        .filter(({ RegionName }) => RegionName !== ctx.region)
        .map(async ({ RegionName, KMSMasterKeyId }): Promise<Replica> => {
          const there = await tables.read(TableName, inRegion(RegionName!, ctx));
          return defined({
            Region: RegionName!,
            ...some(there?.properties ?? {}, OWN),
            SSESpecification: KMSMasterKeyId === undefined ? undefined : { KMSMasterKeyId },
          }) as Replica;
        }),
    );
    const indexes = properties.GlobalSecondaryIndexes as Properties[] | undefined;
    const ownIndexes = indexes && { GlobalSecondaryIndexes: indexes.map(({ IndexName }) => ({ IndexName })) };
    const { KMSMasterKeyId, ...encryption } = (properties.SSESpecification ?? {}) as Properties;
    return {
      properties: defined({
        ...some(properties, SHARED),
        ...limitsOut(properties.OnDemandThroughput),
        GlobalSecondaryIndexes: indexes?.map((index) => ({
          ...without(index, ['OnDemandThroughput']),
          ...limitsOut(index.OnDemandThroughput),
        })),
        Replicas: [
          defined({
            Region: ctx.region,
            ...ownIndexes,
            ...some(properties, OWN),
            SSESpecification: KMSMasterKeyId === undefined ? undefined : { KMSMasterKeyId },
          }) as Replica,
          ...others.map((replica) => ({ ...replica, ...ownIndexes })),
        ],
        SSESpecification: Object.keys(encryption).length ? encryption : undefined,
        TableName,
      }) as GlobalProperties,
      attributes: { ...some(found.attributes, ['Arn', 'StreamArn']), TableId: Table?.TableId },
    };
  },

  async update(TableName, previous, desired, ctx) {
    const { added } = listChanges(
      othersOf(previous, ctx).map(({ Region }) => Region),
      othersOf(desired, ctx).map(({ Region }) => Region),
    );
    const [from, to] = [localTable(previous, ctx), localTable(desired, ctx)];
    // The stream must exist before the first replica and until the last one is deleted.
    const change = async () => {
      if (!sameValue(from, to)) await tables.update!(TableName, from, to, ctx);
    };
    if (added.length) await change();
    await changeReplicas(TableName, othersOf(previous, ctx), othersOf(desired, ctx), ctx);
    if (!added.length) await change();
  },

  async delete(TableName, properties, ctx) {
    const found = await unless(ctx.call('dynamodb', 'DescribeTable', { TableName }), 'ResourceNotFoundException');
    if (!found) return;
    const there = (found.Table?.Replicas ?? []).map(({ RegionName }) => ({ Region: RegionName! }));
    const replicas = there.filter(({ Region }) => Region !== ctx.region);
    await changeReplicas(TableName, replicas, [], ctx);
    await tables.delete(TableName, localTable(properties, ctx), ctx);
  },

  ...(tables.list && { list: tables.list }),
});
