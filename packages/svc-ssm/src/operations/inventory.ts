import { notEmulated } from '@emu/core/service';
import type {
  InputOf,
  InventoryDeletionSummary,
  InventoryItemSchema,
  InventoryResultEntity,
  OutputOf,
} from '@emu/service-types/ssm';
import { compares } from '../comparisons.ts';
import { complianceOfInventory } from '../compliance/from-inventory.ts';
import { report } from '../compliance/reporting.ts';
import type { SsmContext } from '../context.ts';
import { notManaged, ssmError } from '../errors.ts';
import { checkItem } from '../inventory/putting.ts';
import { aggregate, type NodeInventory, nodeFilter } from '../inventory/query.ts';
import { SCHEMAS, schemaOf } from '../inventory/schemas.ts';
import type { InventoryDeletionRecord, InventoryItem } from '../inventory/store.ts';
import { paging } from '../paging.ts';

const DEFAULT_TYPE = 'AWS:InstanceInformation';

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PutInventory.html */
export async function PutInventory(
  { InstanceId, Items }: InputOf<'PutInventory'>,
  ctx: SsmContext,
): Promise<OutputOf<'PutInventory'>> {
  if (!(await ctx.state.nodes.get(InstanceId))) ctx.wouldRefuse(notManaged([InstanceId], ctx.accountId));
  const { inventory, syncs } = ctx.state;
  const newTypes = new Set<string>();
  const records = Items.flatMap((item) => checkItem(InstanceId, item, inventory, newTypes) ?? []);
  const reported = records.flatMap((record) => complianceOfInventory(record) ?? []);
  for (const record of records) {
    if (record.typeName.startsWith('Custom:')) {
      const { typeName, schemaVersion } = record;
      const known = inventory.customTypes.get(typeName);
      const names = new Set([...(known?.attributes ?? []), ...record.content.flatMap((entry) => Object.keys(entry))]);
      inventory.customTypes.put(typeName, { typeName, version: schemaVersion, attributes: [...names] });
    }
    inventory.put(record);
  }
  syncs.inventoryChanged(records, ctx.requestId);
  for (const one of reported) report(one, ctx);
  return {};
}

const shown = ({ typeName, schemaVersion, captureTime, contentHash, content }: InventoryItem) => ({
  TypeName: typeName,
  SchemaVersion: schemaVersion,
  CaptureTime: captureTime,
  ContentHash: contentHash,
  Content: content.map((entry) => ({ ...entry })),
});

/** Whether an inventory type exists, AWS's or the account's own. */
const isKnown = (type: string, { state }: SsmContext): boolean =>
  Object.hasOwn(SCHEMAS, type) || state.inventory.customTypes.has(type);

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetInventory.html */
export function GetInventory(input: InputOf<'GetInventory'>, ctx: SsmContext): OutputOf<'GetInventory'> {
  const type = input.ResultAttributes?.[0]?.TypeName ?? DEFAULT_TYPE;
  if (!isKnown(type, ctx)) throw ssmError('InvalidTypeNameException', `The inventory type ${type} is not valid.`);
  const passes = nodeFilter(input.Filters);
  const nodes = [...ctx.state.inventory.all()].filter(([, inventory]) => passes(inventory));
  if (input.Aggregators) {
    const counted = aggregate(
      nodes.map(([, inventory]) => inventory),
      input.Aggregators,
    );
    // Aggregated results have no capture time or schema.
    const Data = Object.fromEntries([...counted].map(([name, Content]) => [name, { Content }]));
    return { Entities: [{ Data } as InventoryResultEntity] };
  }
  return paging
    .page('GetInventory', input, nodes, ([id]) => id)
    .list(([Id, inventory]) => ({
      Id,
      Data: dataOf(inventory, type),
    }));
}

const dataOf = (inventory: NodeInventory, type: string) => {
  const item = inventory.get(type);
  return item ? { [type]: shown(item) } : {};
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListInventoryEntries.html */
export function ListInventoryEntries(
  input: InputOf<'ListInventoryEntries'>,
  ctx: SsmContext,
): OutputOf<'ListInventoryEntries'> {
  const { InstanceId, TypeName, Filters = [] } = input;
  if (!isKnown(TypeName, ctx))
    throw ssmError('InvalidTypeNameException', `The inventory type ${TypeName} is not valid.`);
  const tests = Filters.map(({ Key, Values, Type = 'Equal' }) => {
    if (Type === 'Exists') throw ssmError('InvalidFilter', 'The Exists filter must be used with aggregators.');
    const name = Key.startsWith(`${TypeName}.`) ? Key.slice(TypeName.length + 1) : Key;
    return (entry: Readonly<Record<string, string>>) =>
      entry[name] !== undefined && compares(entry[name], Type, Values);
  });
  const item = ctx.state.inventory.get(InstanceId, TypeName);
  const entries = (item?.content ?? [])
    .map((entry, index) => ({ entry: { ...entry }, key: String(index).padStart(6, '0') }))
    .filter(({ entry }) => tests.every((test) => test(entry)));
  return {
    TypeName,
    InstanceId,
    SchemaVersion: item?.schemaVersion,
    CaptureTime: item?.captureTime,
    ...paging.page('ListInventoryEntries', input, entries, ({ key }) => key).list(({ entry }) => entry),
  };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetInventorySchema.html */
export function GetInventorySchema(
  input: InputOf<'GetInventorySchema'>,
  { state }: SsmContext,
): OutputOf<'GetInventorySchema'> {
  const { TypeName = '', Aggregator = false } = input;
  if (input.SubType) throw notEmulated('sub-types of inventory schemas of ssm');
  const own = [...state.inventory.customTypes.values()]
    .filter(({ disabledVersion }) => disabledVersion === undefined)
    .map(
      ({ typeName, version, attributes }): InventoryItemSchema => ({
        TypeName: typeName,
        Version: version,
        Attributes: attributes.map((Name) => ({ Name, DataType: 'string' })),
      }),
    );
  const schemas = [
    ...Object.keys(SCHEMAS)
      .filter((name) => !Aggregator || SCHEMAS[name]!.counted)
      .map((name) => schemaOf(name, Aggregator)),
    ...own,
  ].filter(({ TypeName: name }) => TypeName === '' || name === TypeName);
  if (TypeName && !schemas.length)
    throw ssmError('InvalidTypeNameException', `The inventory type ${TypeName} is not valid.`);
  return paging
    .page('GetInventorySchema', input, schemas, ({ TypeName: name }) => name, { defaultLimit: 200 })
    .list((schema) => schema);
}

/**
 * Returns the summary of a deletion.
 * @param remaining whether nothing is deleted yet
 */
const summaryOf = (
  { counts }: Pick<InventoryDeletionRecord, 'counts'>,
  remaining: boolean,
): InventoryDeletionSummary => {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return {
    TotalCount: total,
    RemainingCount: remaining ? total : 0,
    SummaryItems: counts.map(({ version, count }) => ({
      Version: version,
      Count: count,
      RemainingCount: remaining ? count : 0,
    })),
  };
};

/**
 * Deletes inventory immediately; as in AWS, the response still counts it as remaining.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeleteInventory.html
 */
export function DeleteInventory(input: InputOf<'DeleteInventory'>, ctx: SsmContext): OutputOf<'DeleteInventory'> {
  const { state, ids, clock } = ctx;
  const { TypeName, SchemaDeleteOption, DryRun = false } = input;
  const known = state.inventory.customTypes.get(TypeName);
  if (!known) throw ssmError('InvalidTypeNameException', `The custom inventory type ${TypeName} is not valid.`);
  const versions = state.inventory.ofType(TypeName).map(({ schemaVersion }) => schemaVersion);
  const counts = [...new Set(versions)].map((version) => ({
    version,
    count: versions.filter((one) => one === version).length,
  }));
  const DeletionSummary = summaryOf({ counts }, true);
  if (DryRun) return { TypeName, DeletionSummary };
  const DeletionId = state.tokens.once('DeleteInventory', input, () => {
    const id = ids.uuid();
    state.inventory.deletions.put(id, { id, typeName: TypeName, counts, startedAt: clock.now() });
    state.inventory.deleteType(TypeName);
    if (SchemaDeleteOption === 'DeleteSchema') state.inventory.customTypes.delete(TypeName);
    if (SchemaDeleteOption === 'DisableSchema')
      state.inventory.customTypes.update(TypeName, (draft) => {
        draft.disabledVersion = draft.version;
      });
    return id;
  });
  return { DeletionId, TypeName, DeletionSummary };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeInventoryDeletions.html */
export function DescribeInventoryDeletions(
  input: InputOf<'DescribeInventoryDeletions'>,
  { state }: SsmContext,
): OutputOf<'DescribeInventoryDeletions'> {
  const { deletions } = state.inventory;
  const { DeletionId } = input;
  if (DeletionId !== undefined && !deletions.has(DeletionId))
    throw ssmError('InvalidDeletionIdException', `The deletion ID ${DeletionId} is not valid.`);
  const listed = [...deletions.values()].filter(({ id }) => DeletionId === undefined || id === DeletionId);
  return paging
    .page('DescribeInventoryDeletions', input, listed, ({ id }) => id)
    .list((deletion) => ({
      DeletionId: deletion.id,
      TypeName: deletion.typeName,
      DeletionStartTime: new Date(deletion.startedAt),
      LastStatus: 'Complete',
      LastStatusMessage: 'Deletion is complete',
      DeletionSummary: summaryOf(deletion as InventoryDeletionRecord, false),
      LastStatusUpdateTime: new Date(deletion.startedAt),
    }));
}
