import type { DataPlaneRequest } from '@emu/core/service';

interface Field {
  name: string;
  values: string[];
}

/** Headers or parameters with multiple values per name, in order and with the first spelling of each name. */
export class Fields {
  private readonly fields = new Map<string, Field>();

  /** @param ignoresCase whether names are case-insensitive, as for headers */
  constructor(
    private readonly ignoresCase: boolean,
    entries: Iterable<readonly [name: string, value: string]> = [],
  ) {
    for (const [name, value] of entries) this.add(name, value);
  }

  /** Headers. */
  static headers(entries: Iterable<readonly [name: string, value: string]> = []): Fields {
    return new Fields(true, entries);
  }

  /** Returns the headers of a request, with their original spelling if known. */
  static ofRequest({ headers, rawHeaders }: Pick<DataPlaneRequest, 'headers' | 'rawHeaders'>): Fields {
    const fields = new Fields(true);
    if (rawHeaders) {
      for (let at = 0; at + 1 < rawHeaders.length; at += 2) fields.add(rawHeaders[at]!, rawHeaders[at + 1]!);
      return fields;
    }
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined || name.startsWith(':')) continue;
      for (const one of [value].flat()) fields.add(name, one);
    }
    return fields;
  }

  /**
   * Parses a query string.
   * @param query without the question mark
   */
  static ofQuery(query: string): Fields {
    return new Fields(false, query === '' ? [] : new URLSearchParams(query));
  }

  get size(): number {
    return this.fields.size;
  }

  has(name: string): boolean {
    return this.fields.has(this.key(name));
  }

  /** Returns the last value of a name. */
  get(name: string): string | undefined {
    return this.fields.get(this.key(name))?.values.at(-1);
  }

  /** Returns all values of a name. */
  all(name: string): readonly string[] {
    return this.fields.get(this.key(name))?.values ?? [];
  }

  /** Adds a value. */
  add(name: string, value: string): this {
    const field = this.fields.get(this.key(name));
    if (field) field.values.push(value);
    else this.fields.set(this.key(name), { name, values: [value] });
    return this;
  }

  /** Replaces the values of a name; an existing name keeps its spelling and position. */
  set(name: string, ...values: string[]): this {
    const field = this.fields.get(this.key(name));
    if (field) field.values = values;
    else this.fields.set(this.key(name), { name, values });
    return this;
  }

  delete(name: string): boolean {
    return this.fields.delete(this.key(name));
  }

  /** Yields every name with its values, in order. */
  *entries(): Generator<[name: string, values: readonly string[]]> {
    for (const { name, values } of this.fields.values()) yield [name, values];
  }

  copy(): Fields {
    const copy = new Fields(this.ignoresCase);
    for (const [name, values] of this.entries()) copy.set(name, ...values);
    return copy;
  }

  /** Returns the last value of each name. */
  last(): Record<string, string> {
    return this.mapped((values) => values.at(-1)!);
  }

  /** Returns the joined values of each name. */
  joined(separator = ','): Record<string, string> {
    return this.mapped((values) => values.join(separator));
  }

  /** Returns all values of each name. */
  lists(): Record<string, string[]> {
    return this.mapped((values) => [...values]);
  }

  private mapped<T>(of: (values: readonly string[]) => T): Record<string, T> {
    return Object.fromEntries([...this.entries()].map(([name, values]) => [name, of(values)]));
  }

  private key(name: string): string {
    return this.ignoresCase ? name.toLowerCase() : name;
  }
}
