import type { InventoryItem } from '@emu/service-types/ssm';
import { ssmError } from '../errors.ts';
import { attributesOf, SCHEMAS } from './schemas.ts';
import type { InventoryRecord, InventoryStore } from './store.ts';

const COMPLIANCE = 'AWS:ComplianceItem';
const CONTEXT = ['ComplianceType', 'ExecutionId', 'ExecutionType', 'ExecutionTime'];
/** Maximum number of custom types of an account, and maximum characters of a custom item. */
const MAX_TYPES = 20;
const MAX_CUSTOM_ITEM = 200 * 1024;

/** Compares versions part by part. */
function compareVersions(a: string, b: string): number {
  const [first, second] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  return first[0]! - second[0]! || first[1]! - second[1]!;
}

/**
 * Validates an inventory item.
 * @returns the item to store; undefined if its type is disabled up to the item's version
 * @throws AwsError as documented for PutInventory
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PutInventory.html
 */
export function checkItem(
  instanceId: string,
  item: InventoryItem,
  inventory: InventoryStore,
  newTypes: Set<string>,
): InventoryRecord | undefined {
  const { TypeName, SchemaVersion, CaptureTime, ContentHash, Content, Context } = item;
  const custom = TypeName.startsWith('Custom:');
  if (custom) {
    const known = inventory.customTypes.get(TypeName);
    if (!known) newTypes.add(TypeName);
    if (inventory.customTypes.size + newTypes.size > MAX_TYPES)
      throw ssmError(
        'CustomSchemaCountLimitExceededException',
        `An account can have at most ${MAX_TYPES} custom types.`,
      );
    if (known?.disabledVersion !== undefined && compareVersions(SchemaVersion, known.disabledVersion) <= 0)
      return undefined;
    if (JSON.stringify(Content ?? []).length > MAX_CUSTOM_ITEM)
      throw ssmError('ItemSizeLimitExceededException', `The item is longer than ${MAX_CUSTOM_ITEM} bytes.`, {
        members: { TypeName },
      });
  } else checkBuiltIn(item);
  if (Context) checkContext(TypeName, Context);
  const previous = inventory.get(instanceId, TypeName);
  const same = ContentHash !== undefined && previous?.contentHash === ContentHash;
  if (Content === undefined && !same)
    throw ssmError('ItemContentMismatchException', 'The content hash does not match the stored inventory.', {
      members: { TypeName },
    });
  return {
    instanceId,
    typeName: TypeName,
    schemaVersion: SchemaVersion,
    captureTime: CaptureTime,
    contentHash: ContentHash,
    context: Context,
    // Equal hashes mean equal content, which the request may omit.
    content: same ? previous.content.map((entry) => ({ ...entry })) : Content!,
  };
}

function checkBuiltIn({ TypeName, SchemaVersion, Content = [] }: InventoryItem): void {
  const schema = Object.hasOwn(SCHEMAS, TypeName) ? SCHEMAS[TypeName]! : undefined;
  if (!schema) throw ssmError('InvalidTypeNameException', `The inventory type ${TypeName} is not valid.`);
  if (schema.version !== SchemaVersion)
    throw ssmError(
      'UnsupportedInventorySchemaVersionException',
      `Inventory type ${TypeName} has the schema version ${schema.version}, not ${SchemaVersion}.`,
    );
  const names = new Set(attributesOf(TypeName));
  for (const name of new Set(Content.flatMap((entry) => Object.keys(entry))))
    if (!names.has(name))
      throw ssmError('InvalidItemContentException', `Inventory type ${TypeName} has no attribute ${name}.`, {
        members: { TypeName },
      });
}

function checkContext(TypeName: string, context: Readonly<Record<string, string>>): void {
  if (TypeName !== COMPLIANCE)
    throw ssmError('UnsupportedInventoryItemContextException', `Inventory type ${TypeName} has no context.`, {
      members: { TypeName },
    });
  for (const key of Object.keys(context))
    if (!CONTEXT.includes(key))
      throw ssmError('InvalidInventoryItemContextException', `The context of ${TypeName} has no key ${key}.`);
}
