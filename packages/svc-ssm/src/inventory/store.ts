import { type Collection, type DeepReadonly, defineCollection, type StateScope } from '@emu/core/service';

/** Inventory of a node in one type. */
export interface InventoryRecord {
  instanceId: string;
  typeName: string;
  schemaVersion: string;
  /** Capture time as reported by the node. */
  captureTime: string;
  contentHash?: string | undefined;
  context?: Record<string, string> | undefined;
  content: Record<string, string>[];
}

/** A custom inventory type of an account. */
export interface CustomTypeRecord {
  typeName: string;
  version: string;
  attributes: string[];
  /** Schema version up to which inventory is ignored. */
  disabledVersion?: string | undefined;
}

/** A deletion of custom inventory. */
export interface InventoryDeletionRecord {
  id: string;
  typeName: string;
  /** Number of nodes with inventory, by schema version. */
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
  /** Inventory by node, then by type. */
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

  /** Yields the nodes with inventory, each with its inventory by type. */
  *all(): Generator<readonly [instanceId: string, types: ReadonlyMap<string, InventoryItem>]> {
    yield* this.nodes;
  }

  /** Returns the inventory of all nodes in a type. */
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
