import { pointerTo, type QueryEvent } from './event.ts';
import type { Compiled } from './functions/function.ts';
import { type Kind, type Value, walk } from './values.ts';

/** Fields of all events, by name. */
export const SYSTEM_FIELDS: Readonly<Record<string, { kind: Kind; of(event: QueryEvent): Value }>> = {
  '@timestamp': { kind: 'timestamp', of: ({ timestamp }) => timestamp },
  '@ingestionTime': { kind: 'timestamp', of: ({ ingestionTime }) => ingestionTime },
  '@message': { kind: 'plain', of: ({ message }) => message },
  '@logStream': { kind: 'plain', of: ({ logStream }) => logStream },
  '@log': { kind: 'plain', of: ({ group }) => `${group.accountId}:${group.name}` },
  '@ptr': { kind: 'plain', of: pointerTo },
  '@aws.account': { kind: 'plain', of: ({ group }) => group.accountId },
  '@aws.region': { kind: 'plain', of: ({ group }) => group.region },
};

interface Column {
  readonly slot: number;
  readonly kind: Kind;
}

/** Name scope at one point of a query: its columns and event fields. */
export class Scope {
  private readonly columns = new Map<string, Column>();

  /** @param events whether rows are still events, rather than `stats` groups */
  constructor(readonly events: boolean) {}

  /** Number of column slots. */
  get size(): number {
    return this.columns.size;
  }

  has(name: string): boolean {
    return this.columns.has(name);
  }

  /**
   * Creates a column, replacing one with the same name.
   * @returns its slot
   */
  define(name: string, kind: Kind): number {
    const slot = this.columns.get(name)?.slot ?? this.columns.size;
    this.columns.set(name, { slot, kind });
    return slot;
  }

  /** Resolves a name. */
  resolve(name: string, segments: readonly string[]): Compiled {
    const column = this.columns.get(name);
    if (column) return { kind: column.kind, name, evaluate: ({ values }) => values[column.slot] };
    for (let count = segments.length - 1; count > 0; count--) {
      const parent = this.columns.get(segments.slice(0, count).join('.'));
      if (!parent) continue;
      const rest = segments.slice(count);
      return { kind: 'plain', name, evaluate: ({ values }) => walk(values[parent.slot], rest) };
    }
    return this.outside(name, segments);
  }

  /** Resolves a name that is not a column. */
  protected outside(name: string, segments: readonly string[]): Compiled {
    if (!this.events) return { kind: 'plain', name, evaluate: () => undefined };
    const system = Object.hasOwn(SYSTEM_FIELDS, name) ? SYSTEM_FIELDS[name] : undefined;
    if (system) return { kind: system.kind, name, evaluate: ({ event }) => event && system.of(event) };
    return { kind: 'plain', name, evaluate: (row) => row.discovered(segments, name) };
  }
}
