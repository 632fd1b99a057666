/** References to a body: by records, by writers before their record is stored, and by readers. */
export class BodyUses {
  private holders = 0;
  private readers = 0;

  constructor(readonly id: string) {}

  /** Whether a record or writer refers to the body, so that it can be read. */
  get held(): boolean {
    return this.holders > 0;
  }

  /** Whether its bytes are in use. */
  get used(): boolean {
    return this.holders > 0 || this.readers > 0;
  }

  retain(): void {
    this.holders++;
  }

  /** @throws Error for a body without references */
  release(): void {
    if (!this.holders) throw releasedTooOften(this.id);
    this.holders--;
  }

  beginReading(): void {
    this.readers++;
  }

  endReading(): void {
    this.readers--;
  }
}

const releasedTooOften = (id: string): Error => new Error(`the body ${id} is released more often than retained`);

/** Counts the references to the bodies of a store. */
export class BodyCounts {
  private readonly uses = new Map<string, BodyUses>();

  /** @param onUnused called when a body has no reference any more */
  constructor(private readonly onUnused: (id: string) => void) {}

  retain(id: string): void {
    this.of(id).retain();
  }

  /** @throws Error for a body without references */
  release(id: string): void {
    const uses = this.uses.get(id);
    if (!uses) throw releasedTooOften(id);
    uses.release();
    this.settle(uses);
  }

  beginReading(id: string): void {
    this.of(id).beginReading();
  }

  endReading(id: string): void {
    const uses = this.of(id);
    uses.endReading();
    this.settle(uses);
  }

  /** Whether a record or writer refers to the body, so that it can be read. */
  isHeld(id: string): boolean {
    return this.uses.get(id)?.held === true;
  }

  /** Whether its bytes are in use. */
  isUsed(id: string): boolean {
    return this.uses.has(id);
  }

  private of(id: string): BodyUses {
    let uses = this.uses.get(id);
    if (!uses) {
      uses = new BodyUses(id);
      this.uses.set(id, uses);
    }
    return uses;
  }

  private settle(uses: BodyUses): void {
    if (uses.used) return;
    this.uses.delete(uses.id);
    this.onUnused(uses.id);
  }
}
