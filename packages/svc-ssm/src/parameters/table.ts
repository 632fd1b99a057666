import type { Collection, DeepReadonly } from '@emu/core';
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
  /** How many are of the advanced tier. */
  advanced = 0;

  constructor(private readonly records: Collection<ParameterRecord>) {
    for (const parameter of records.values()) {
      this.names.set(parameter.name, true);
      this.advanced += isAdvanced(parameter);
    }
  }

  /** How many are of the standard tier. */
  get standard(): number {
    return this.records.size - this.advanced;
  }

  get(name: string): Parameter | undefined {
    return this.records.get(name);
  }

  put(record: ParameterRecord): Parameter {
    const before = this.records.get(record.name);
    if (!before) this.names.set(record.name, true);
    this.advanced += isAdvanced(record) - isAdvanced(before);
    return this.records.put(record.name, record);
  }

  update(name: string, change: (draft: ParameterRecord) => void): Parameter {
    return this.records.update(name, change);
  }

  delete(name: string): boolean {
    this.names.delete(name);
    this.advanced -= isAdvanced(this.records.get(name));
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

/** 1 of a parameter of the advanced tier, else 0. */
const isAdvanced = (parameter: Parameter | undefined): number =>
  parameter && currentVersion(parameter).tier === 'Advanced' ? 1 : 0;

/** The version of a parameter that holds when none is asked for. */
export const currentVersion = (parameter: Parameter): Version => parameter.versions.at(-1)!;
