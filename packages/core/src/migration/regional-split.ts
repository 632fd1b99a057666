import { parseArn } from '../aws/arn.ts';
import { isRegionName } from '../aws/partitions.ts';
import type { AnyCollectionDefinition } from '../collections/collection.ts';
import type { Change } from '../persistence/persistence.ts';

const SEPARATOR = '\u0000';

/**
 * Records that versions before kept once per account and that belong to a region now. They are held until all are read,
 * and then placed: where their own ARN says, else where the record is that they belong to, else in the server's region.
 */
export class RegionalSplit {
  private readonly definitions: ReadonlyMap<string, AnyCollectionDefinition>;
  private readonly held = new Map<string, Change>();

  /** @param homeRegion the server's region */
  constructor(
    definitions: Iterable<AnyCollectionDefinition>,
    private readonly homeRegion: string,
  ) {
    this.definitions = new Map([...definitions].map((definition) => [definition.name, definition]));
  }

  /** Takes a change of the older form; false for any other. */
  take(change: Change): boolean {
    const { op, collection, accountId, region, key = '' } = change;
    if (region !== '' || this.definitions.get(collection)?.scope !== 'region') return false;
    const prefix = collection + SEPARATOR + accountId + SEPARATOR;
    if (op === 'clear') {
      for (const id of this.held.keys()) if (id.startsWith(prefix)) this.held.delete(id);
      return true;
    }
    // An insertion stands at the end, as where it was made.
    if (op !== 'put') this.held.delete(prefix + key);
    if (op !== 'delete') this.held.set(prefix + key, { ...change, op: 'put' });
    return true;
  }

  /** How many records wait to be placed. */
  get size(): number {
    return this.held.size;
  }

  /** The records in their regions, in their order. */
  *placed(): Iterable<Change> {
    const regions = this.regionsOfOwners();
    for (const change of this.held.values()) {
      const { collection, accountId, key = '' } = change;
      const owner = this.definitions.get(collection)?.ownerOf?.(key);
      const region =
        ownRegion(change) ?? (owner === undefined ? undefined : regions.get(accountId + SEPARATOR + owner));
      yield { ...change, region: region ?? this.homeRegion };
    }
  }

  /** Regions of records that have an ARN, by their keys and ids. */
  private regionsOfOwners(): ReadonlyMap<string, string> {
    const regions = new Map<string, string>();
    for (const change of this.held.values()) {
      const region = ownRegion(change);
      if (region === undefined) continue;
      const { id } = (change.value ?? {}) as { id?: unknown };
      for (const name of [change.key, id])
        if (typeof name === 'string') regions.set(change.accountId + SEPARATOR + name, region);
    }
    return regions;
  }
}

/** The region that the record's own ARN names, or the one that its key is or begins with. */
function ownRegion({ key = '', value }: Change): string | undefined {
  const { arn } = (value ?? {}) as { arn?: unknown };
  for (const text of [arn, key]) {
    const region = typeof text === 'string' ? parseArn(text)?.region : undefined;
    if (region !== undefined && isRegionName(region)) return region;
  }
  return undefined;
}
