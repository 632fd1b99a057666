import type { Block } from '../asl/definition.ts';

/** Most definitions that are known at once. */
const MOST = 256;

/** Definitions that were read: executions of one state machine share the same. */
export class Definitions {
  private readonly known = new Map<string, { text: string; block: Block }>();

  /** Reads a definition. @param text JSON of a definition that was checked */
  read(text: string): Block {
    return this.find(text).block;
  }

  /** The text as it is known already, so that many records of it share one. */
  share(text: string): string {
    return this.find(text).text;
  }

  private find(text: string): { text: string; block: Block } {
    const found = this.known.get(text);
    // The one that was not asked for longest comes first.
    if (found) this.known.delete(text);
    const entry = found ?? { text, block: JSON.parse(text) as Block };
    this.known.set(text, entry);
    if (this.known.size > MOST) this.known.delete(this.known.keys().next().value!);
    return entry;
  }
}
