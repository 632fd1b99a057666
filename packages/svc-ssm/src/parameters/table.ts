import type { Collection, DeepReadonly, Tally } from '@emu/core';
import sortedBTree from 'sorted-btree';
import type { ParameterRecord, VersionRecord } from '../records.ts';

// The package is CommonJS: what `import` gives is its exports, and the class is their `default`.
const BTree = sortedBTree.default;

export type Parameter = DeepReadonly<ParameterRecord>;
export type Version = DeepReadonly<VersionRecord>;

/** Follows every name that begins as this one does. */
const LAST = '\uffff';

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The parameters of an account and region, by name and in the order of their names. */
export class ParameterTable {
  private readonly names = new BTree<string, true>(undefined, order);
  /** How many there are by their tier. */
  private readonly tiers: Tally;

  constructor(private readonly records: Collection<ParameterRecord>) {
    for (const name of records.keys()) this.names.set(name, true);
    this.tiers = records.tally((parameter) => currentVersion(parameter).tier);
  }

  /** How many are of the advanced tier. */
  get advanced(): number {
    return this.tiers.of('Advanced');
  }

  /** How many are of the standard tier. */
  get standard(): number {
    return this.records.size - this.advanced;
  }

  get(name: string): Parameter | undefined {
    return this.records.get(name);
  }

  put(record: ParameterRecord): Parameter {
    if (!this.records.has(record.name)) this.names.set(record.name, true);
    return this.records.put(record.name, record);
  }

  update(name: string, change: (draft: ParameterRecord) => void): Parameter {
    return this.records.update(name, change);
  }

  delete(name: string): boolean {
    this.names.delete(name);
    return this.records.delete(name);
  }

  /** Every parameter, in order. */
  *all(): Generator<Parameter> {
    for (const name of this.names.keys()) yield this.records.get(name)!;
  }

  /**
   * The parameters below a path, in order; finding the first one costs the logarithm of their number.
   * @param path `/` for all, else without a slash at its end
   * @param recursive whether those that lie deeper belong to it
   * @param after name behind which to begin
   */
  *below(path: string, recursive: boolean, after: string | undefined): Generator<Parameter> {
    const prefix = path === '/' ? '' : `${path}/`;
    let from = after === undefined ? prefix : `${after}\0`;
    for (;;) {
      const [name] = this.names.nextHigherPair(from) ?? [];
      if (name === undefined || !name.startsWith(prefix)) return;
      const deeper = recursive ? -1 : name.indexOf('/', Math.max(prefix.length, 1));
      if (deeper < 0) {
        yield this.records.get(name)!;
        from = name;
      } else from = name.slice(0, deeper + 1) + LAST;
    }
  }
}

/** The version of a parameter that holds when none is asked for. */
export const currentVersion = (parameter: Parameter): Version => parameter.versions.at(-1)!;
