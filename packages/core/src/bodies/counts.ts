/** Number of references to a body: by records, by writers before their record is stored, and by readers. */
interface Uses {
  holders: number;
  readers: number;
}

/** Counts the references to the bodies of a store. */
export class BodyCounts {
  private readonly uses = new Map<string, Uses>();

  /** @param onUnused called when a body has no reference any more */
  constructor(private readonly onUnused: (id: string) => void) {}

  retain(id: string): void {
    this.of(id).holders++;
  }

  /** @throws Error for a body without references */
  release(id: string): void {
    const uses = this.uses.get(id);
    if (!uses?.holders) throw new Error(`the body ${id} is released more often than retained`);
    uses.holders--;
    this.settle(id, uses);
  }

  beginReading(id: string): void {
    this.of(id).readers++;
  }

  endReading(id: string): void {
    const uses = this.of(id);
    uses.readers--;
    this.settle(id, uses);
  }

  /** Whether a record or writer refers to the body, so that it can be read. */
  isHeld(id: string): boolean {
    return !!this.uses.get(id)?.holders;
  }

  /** Whether its bytes are in use. */
  isUsed(id: string): boolean {
    return this.uses.has(id);
  }

  private of(id: string): Uses {
    let uses = this.uses.get(id);
    if (!uses) {
      uses = { holders: 0, readers: 0 };
      this.uses.set(id, uses);
    }
    return uses;
  }

  private settle(id: string, uses: Uses): void {
    if (uses.holders || uses.readers) return;
    this.uses.delete(id);
    this.onUnused(id);
  }
}
