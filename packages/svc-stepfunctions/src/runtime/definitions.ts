import type { Block } from '../asl/definition.ts';

/** Maximum number of cached definitions. */
const MAX = 256;

/** Cache of parsed definitions, shared by executions of a state machine. */
export class Definitions {
  private readonly known = new Map<string, { text: string; block: Block }>();

  /**
   * Parses a definition.
   * @param text JSON of a validated definition
   */
  read(text: string): Block {
    return this.find(text).block;
  }

  /** Returns the cached text, so that records share one string. */
  share(text: string): string {
    return this.find(text).text;
  }

  private find(text: string): { text: string; block: Block } {
    const found = this.known.get(text);
    // Least recently used first.
    if (found) this.known.delete(text);
    const entry = found ?? { text, block: JSON.parse(text) as Block };
    this.known.set(text, entry);
    if (this.known.size > MAX) this.known.delete(this.known.keys().next().value!);
    return entry;
  }
}
