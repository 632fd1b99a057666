import { type Collection, type DeepReadonly, defineCollection, type StateScope } from '@emu/core';

/** Inventory of one type of a node. */
export interface InventoryRecord {
  instanceId: string;
  typeName: string;
  schemaVersion: string;
  /** As the node says it. */
  captureTime: string;
  contentHash?: string | undefined;
  context?: Record<string, string> | undefined;
  content: Record<string, string>[];
}

/** A type of inventory that an account has made. */
export interface CustomTypeRecord {
  typeName: string;
  version: string;
  attributes: string[];
  /** The version up to which inventory is ignored. */
  disabledVersion?: string | undefined;
}

/** A deletion of custom inventory. */
export interface InventoryDeletionRecord {
  id: string;
  typeName: string;
  /** How many nodes had inventory, by schema version. */
  counts: { version: string; count: number }[];
  /** Epoch milliseconds. */
  startedAt: number;
}

export type InventoryItem = DeepReadonly<InventoryRecord>;

const itemCollection = defineCollection<InventoryRecord>('inventory', 'region', { content: ['content'] });
const customTypeCollection = defineCollection<CustomTypeRecord>('inventoryTypes', 'region');
const deletionCollection = defineCollection<InventoryDeletionRecord>('inventoryDeletions', 'region');

export const inventoryCollections = [itemCollection, customTypeCollection, deletionCollection] as const;

const keyOf = (instanceId: string, typeName: string): string => `${instanceId} ${typeName}`;

/** The inventory of the nodes of an account and region. */
export class InventoryStore {
  readonly customTypes: Collection<CustomTypeRecord>;
  readonly deletions: Collection<InventoryDeletionRecord>;
  private readonly items: Collection<InventoryRecord>;
  /** Inventory by node, and there by type. */
  private readonly nodes = new Map<string, Map<string, InventoryItem>>();

  constructor(scope: StateScope) {
    this.items = scope.collection(itemCollection);
    this.customTypes = scope.collection(customTypeCollection);
    this.deletions = scope.collection(deletionCollection);
    for (const item of this.items.values()) this.index(item);
  }

  get(instanceId: string, typeName: string): InventoryItem | undefined {
    return this.nodes.get(instanceId)?.get(typeName);
  }

  put(record: InventoryRecord): void {
    this.index(this.items.put(keyOf(record.instanceId, record.typeName), record));
  }

  /** Nodes that have inventory, each with what it has, by type. */
  *all(): Generator<readonly [instanceId: string, types: ReadonlyMap<string, InventoryItem>]> {
    yield* this.nodes;
  }

  /** Every node's inventory of a type. */
  ofType(typeName: string): InventoryItem[] {
    return [...this.nodes.values()].flatMap((types) => types.get(typeName) ?? []);
  }

  deleteType(typeName: string): void {
    for (const [instanceId, types] of this.nodes) {
      if (!types.delete(typeName)) continue;
      this.items.delete(keyOf(instanceId, typeName));
      if (!types.size) this.nodes.delete(instanceId);
    }
  }

  private index(item: InventoryItem): void {
    const types = this.nodes.get(item.instanceId) ?? new Map<string, InventoryItem>();
    this.nodes.set(item.instanceId, types.set(item.typeName, item));
  }
}
