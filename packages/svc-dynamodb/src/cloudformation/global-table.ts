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
import { type Provisioned, readSettings, readUnits, writeSettings, writeUnits } from './capacity.ts';
import { redefinesAttributes } from './indexes.ts';
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

/** An index of a replica. */
interface ReplicaIndex extends Properties, Provisioned {
  readonly IndexName: string;
}

interface Replica extends Properties, Provisioned {
  readonly Region: string;
  readonly GlobalSecondaryIndexes?: readonly ReplicaIndex[];
  readonly SSESpecification?: { readonly KMSMasterKeyId: string };
  readonly Tags?: readonly TemplateTag[];
}

interface Limits {
  readonly ReadOnDemandThroughputSettings?: { readonly MaxReadRequestUnits?: number };
  readonly WriteOnDemandThroughputSettings?: { readonly MaxWriteRequestUnits?: number };
}

interface GlobalProperties extends Properties, Limits, Provisioned {
  readonly BillingMode?: string;
  readonly GlobalSecondaryIndexes?: readonly (ReplicaIndex & Limits)[];
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

/** Whether a table has provisioned capacity, the default. */
const isProvisioned = ({ BillingMode: mode }: GlobalProperties): boolean => mode !== 'PAY_PER_REQUEST';

/**
 * Returns the provisioned throughput of a table or an index, in the form of a table in one region.
 * @param all settings of all replicas, for writes
 * @param own settings of the replica, for reads
 */
function throughputIn(properties: GlobalProperties, all: Provisioned, own: Provisioned = {}): Properties {
  if (!isProvisioned(properties)) return {};
  const ProvisionedThroughput = defined({ ReadCapacityUnits: readUnits(own), WriteCapacityUnits: writeUnits(all) });
  return Object.keys(ProvisionedThroughput).length ? { ProvisionedThroughput } : {};
}

/** Returns the index of a replica in a template. */
const indexOf = (replica: Replica | undefined, name: string): ReplicaIndex | undefined =>
  replica?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === name);

/** Returns the read capacities of a replica in another region that differ from those of the table. */
function readOverrides(properties: GlobalProperties, replica: Replica): Properties {
  const override = (own: Provisioned | undefined) => {
    const ReadCapacityUnits = own && isProvisioned(properties) ? readUnits(own) : undefined;
    return ReadCapacityUnits === undefined ? {} : { ProvisionedThroughputOverride: { ReadCapacityUnits } };
  };
  const indexes = (replica.GlobalSecondaryIndexes ?? []).flatMap((index) => {
    const own = override(index);
    return Object.keys(own).length ? [{ IndexName: index.IndexName, ...own }] : [];
  });
  return { ...override(replica), ...(indexes.length && { GlobalSecondaryIndexes: indexes }) };
}

const WRITES = 'WriteProvisionedThroughputSettings';
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
    ...throughputIn(properties, properties, replica),
    ...some(replica ?? {}, OWN),
    ...(KMSMasterKeyId !== undefined && {
      SSESpecification: { ...(properties.SSESpecification as Properties | undefined), KMSMasterKeyId },
    }),
    ...(properties.GlobalSecondaryIndexes && {
      GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes.map((index) => ({
        ...without(index, [WRITES, ...LIMITS]),
        ...limitsIn(index),
        ...throughputIn(properties, index, indexOf(replica, index.IndexName)),
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
  overrides: (replica: Replica) => Properties = () => ({}),
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
    const reads = overrides(replica);
    if (added.includes(RegionName)) await update({ Create: { RegionName, ...key, ...reads } });
    else if (!sameValue(before.SSESpecification, SSESpecification) || !sameValue(overrides(before), reads))
      await update({ Update: { RegionName, ...key, ...reads } });
    const [from, to] = [some(before, OWN), some(replica, OWN)];
    if (!sameValue(from, to)) await tables.update!(TableName, from, to, inRegion(RegionName, ctx));
  }
}

interface Units {
  readonly ReadCapacityUnits?: number;
  readonly WriteCapacityUnits?: number;
}

/** An index of a table in one region. */
interface DescribedIndex extends Properties {
  readonly IndexName: string;
  readonly ProvisionedThroughput?: Units;
}

/**
 * Returns a replica as in a template.
 * @param properties of the table in its region
 * @param applied template, whose spelling of a capacity is kept
 */
function replicaOut(Region: string, properties: Properties, applied: GlobalProperties | undefined): Properties {
  const indexes = properties.GlobalSecondaryIndexes as readonly DescribedIndex[] | undefined;
  const units = properties.ProvisionedThroughput as Units | undefined;
  const given = applied?.Replicas.find((replica) => replica.Region === Region);
  return defined({
    Region,
    GlobalSecondaryIndexes: indexes?.map(({ IndexName, ProvisionedThroughput: own }) => ({
      IndexName,
      ...readSettings(own?.ReadCapacityUnits, indexOf(given, IndexName)),
    })),
    ...readSettings(units?.ReadCapacityUnits, given),
    ...some(properties, OWN),
  });
}

/**
 * Tables with replicas in several regions; the table in the stack's region is the first replica.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html
 */
export const globalTable: AnyResourceProvider = defineProvider<GlobalProperties>({
  typeName: TYPE,
  replaces: redefinesAttributes,
  model,
  handles: [
    ...SHARED,
    ...LIMITS,
    WRITES,
    ...['IndexName', 'KeySchema', 'Projection', 'WarmThroughput', WRITES, ...LIMITS].map(
      (name) => `GlobalSecondaryIndexes.${name}`,
    ),
    ...[
      'GlobalSecondaryIndexes.IndexName',
      'GlobalSecondaryIndexes.ReadProvisionedThroughputSettings',
      'ReadProvisionedThroughputSettings',
      'Region',
      'SSESpecification',
      ...OWN,
    ].map((name) => `Replicas.${name}`),
    'TableName',
  ],

  async create(properties, ctx) {
    const TableName = properties.TableName ?? ctx.name();
    await tables.create({ ...localTable(properties, ctx), TableName }, ctx);
    await changeReplicas(TableName, [], othersOf(properties, ctx), ctx, (one) => readOverrides(properties, one));
    return { identifier: TableName };
  },

  async read(TableName, ctx, applied) {
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
            ...replicaOut(RegionName!, there?.properties ?? {}, applied),
            SSESpecification: KMSMasterKeyId === undefined ? undefined : { KMSMasterKeyId },
          }) as Replica;
        }),
    );
    const indexes = properties.GlobalSecondaryIndexes as DescribedIndex[] | undefined;
    const units = properties.ProvisionedThroughput as Units | undefined;
    const { KMSMasterKeyId, ...encryption } = (properties.SSESpecification ?? {}) as Properties;
    return {
      properties: defined({
        ...some(properties, SHARED),
        ...limitsOut(properties.OnDemandThroughput),
        ...writeSettings(units?.WriteCapacityUnits, applied),
        GlobalSecondaryIndexes: indexes?.map((index) => ({
          ...without(index, ['OnDemandThroughput', 'ProvisionedThroughput']),
          ...limitsOut(index.OnDemandThroughput),
          ...writeSettings(
            index.ProvisionedThroughput?.WriteCapacityUnits,
            applied?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.IndexName),
          ),
        })),
        Replicas: [
          defined({
            ...replicaOut(ctx.region, properties, applied),
            SSESpecification: KMSMasterKeyId === undefined ? undefined : { KMSMasterKeyId },
          }) as Replica,
          ...others,
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
    const first = added.length > 0 || isProvisioned(previous) !== isProvisioned(desired);
    if (first) await change();
    await changeReplicas(TableName, othersOf(previous, ctx), othersOf(desired, ctx), ctx, (one) =>
      readOverrides(desired, one),
    );
    if (!first) await change();
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
