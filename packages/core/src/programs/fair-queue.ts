/** A queue that serves its keys in turns, so that no key delays the others. */
export class FairQueue<Item> {
  private readonly items = new Map<string, Item[]>();
  private readonly taken = new Map<string, number>();

  /** @param share maximum items of a key that are taken at a time */
  constructor(private readonly share: number) {}

  /** Appends an item to those of its key. */
  add(key: string, item: Item): void {
    const items = this.items.get(key);
    if (items) items.push(item);
    else this.items.set(key, [item]);
  }

  /** Takes the first item of the next key whose share is not used up. */
  take(): { readonly key: string; readonly item: Item } | undefined {
    for (const [key, items] of this.items) {
      const taken = this.taken.get(key) ?? 0;
      if (taken >= this.share) continue;
      this.taken.set(key, taken + 1);
      const item = items.shift()!;
      // The key moves to the end.
      this.items.delete(key);
      if (items.length > 0) this.items.set(key, items);
      return { key, item };
    }
    return undefined;
  }

  /** Returns a taken item's place in the share of its key. */
  release(key: string): void {
    const taken = this.taken.get(key)! - 1;
    if (taken > 0) this.taken.set(key, taken);
    else this.taken.delete(key);
  }

  /** Removes and returns all waiting items. */
  clear(): Item[] {
    const all = [...this.items.values()].flat();
    this.items.clear();
    return all;
  }
}
