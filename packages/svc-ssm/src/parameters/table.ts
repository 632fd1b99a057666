import type { Collection, DeepReadonly, Tally } from '@emu/core/service';
import sortedBTree from 'sorted-btree';
import type { ParameterRecord, VersionRecord } from '../records.ts';

// The package is CommonJS: the default import is `module.exports`, whose `default` is the class.
const BTree = sortedBTree.default;

export type Parameter = DeepReadonly<ParameterRecord>;
export type Version = DeepReadonly<VersionRecord>;

/** Sorts after every character of a name. */
const LAST = '\uffff';

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Parameters of an account and region, ordered by name. */
export class ParameterTable {
  private readonly names = new BTree<string, true>(undefined, order);
  /** Number of parameters by tier. */
  private readonly tiers: Tally;

  constructor(private readonly records: Collection<ParameterRecord>) {
    for (const name of records.keys()) this.names.set(name, true);
    this.tiers = records.tally((parameter) => currentVersion(parameter).tier);
  }

  /** Number of advanced parameters. */
  get advanced(): number {
    return this.tiers.of('Advanced');
  }

  /** Number of standard parameters. */
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

  /** Yields all parameters in order. */
  *all(): Generator<Parameter> {
    for (const name of this.names.keys()) yield this.records.get(name)!;
  }

  /**
   * Yields the parameters below a path in order; finding the first takes logarithmic time.
   * @param path `/` for all, otherwise without a trailing slash
   * @param recursive whether to include deeper levels
   * @param after exclusive start name
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

/** Returns the current version of a parameter. */
export const currentVersion = (parameter: Parameter): Version => parameter.versions.at(-1)!;
