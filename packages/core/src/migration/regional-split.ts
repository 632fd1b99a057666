import { parseArn } from '../aws/arn.ts';
import { isRegionName } from '../aws/partitions.ts';
import type { AnyCollectionDefinition } from '../collections/collection.ts';
import type { Change } from '../persistence/persistence.ts';

const SEPARATOR = '\u0000';

/**
 * Records that earlier versions stored once per account and that now belong to a region. They are held until all are
 * read, and then placed: in the region of their own ARN, else with the record they belong to, else in the server's
 * region.
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

  /** Accepts a change of the older form; returns false for any other. */
  take(change: Change): boolean {
    const { op, collection, accountId, region, key = '' } = change;
    if (region !== '' || this.definitions.get(collection)?.scope !== 'region') return false;
    const prefix = collection + SEPARATOR + accountId + SEPARATOR;
    if (op === 'clear') {
      for (const id of this.held.keys()) if (id.startsWith(prefix)) this.held.delete(id);
      return true;
    }
    // An insertion is at the end, as where it was made.
    if (op !== 'put') this.held.delete(prefix + key);
    if (op !== 'delete') this.held.set(prefix + key, { ...change, op: 'put' });
    return true;
  }

  /** Number of records to be placed. */
  get size(): number {
    return this.held.size;
  }

  /** Returns the records in their regions, in their order. */
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

  /** Returns the regions of records with an ARN, by their keys and ids. */
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

/** Returns the region of the record's own ARN, or of the ARN that its key is or begins with. */
function ownRegion({ key = '', value }: Change): string | undefined {
  const { arn } = (value ?? {}) as { arn?: unknown };
  for (const text of [arn, key]) {
    const region = typeof text === 'string' ? parseArn(text)?.region : undefined;
    if (region !== undefined && isRegionName(region)) return region;
  }
  return undefined;
}
