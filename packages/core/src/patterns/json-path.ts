import { isObject } from '@emu/wire';

/** One step of a path: a member name, an element index, or all elements. */
type PathStep = string | number | '*';

/** Differences between the JSONPath subsets of services. */
interface PathDialect {
  /** Characters of names in dot notation besides letters, digits, `_` and `-`. */
  readonly nameCharacters: string;
  /** Whether negative indexes count from the end of an array. */
  readonly negativeIndexes: boolean;
  /** Whether the result of a wildcard contains undefined for elements that lack the rest of the path. */
  readonly keepsMissing: boolean;
}

/**
 * The JSONPath subset of EventBridge: names, array indexes and wildcards.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
 */
export class JsonPaths {
  private readonly step: RegExp;

  constructor(private readonly dialect: PathDialect) {
    const index = dialect.negativeIndexes ? '-?\\d+' : '\\d+';
    this.step = new RegExp(
      `\\.([\\w${dialect.nameCharacters}-]+|\\*)|\\[(?:'([^']*)'|"([^"]*)"|(${index})|(\\*))\\]`,
      'y',
    );
  }

  /** Parses a path that begins with `$`. @returns undefined for an invalid path */
  parse(path: string): PathStep[] | undefined {
    if (!path.startsWith('$')) return undefined;
    const steps: PathStep[] = [];
    this.step.lastIndex = 1;
    while (this.step.lastIndex < path.length) {
      const match = this.step.exec(path);
      if (!match) return undefined;
      const [, name, single, double, place, all] = match;
      steps.push(place !== undefined ? Number(place) : all !== undefined ? '*' : (name ?? single ?? double)!);
    }
    return steps;
  }

  /** Returns the value at a path; undefined if it does not exist or the path is invalid. */
  valueAt(root: unknown, path: string): unknown {
    const steps = this.parse(path);
    if (!steps) return undefined;
    const result = [root];
    const found: unknown[][] = [];
    // The lists with the values that the previous steps lead to: the innermost ones if a wildcard was among the steps.
    let lists: unknown[][] = [result];
    for (const step of steps) {
      for (const list of lists)
        for (let index = 0; index < list.length; index++) list[index] = follow(list[index], step);
      if (step !== '*') continue;
      lists = lists.flat().filter((list) => Array.isArray(list));
      for (const list of lists) found.push(list);
    }
    if (!this.dialect.keepsMissing) found.forEach(removeMissing);
    return result[0];
  }
}

/** Returns the value one step below another; for a wildcard, a new list of all values. */
function follow(value: unknown, step: PathStep): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (step === '*') return Object.values(value);
  if (typeof step === 'number') return Array.isArray(value) ? value.at(step) : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** Removes undefined elements in place. */
function removeMissing(list: unknown[]): void {
  let kept = 0;
  for (const value of list) if (value !== undefined) list[kept++] = value;
  list.length = kept;
}

/** Whether a text ends inside a JSON string, for templates with values inside and outside of strings. */
export function endsQuoted(text: string, open: boolean): boolean {
  let quoted = open;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '\\') index++;
    else if (character === '"') quoted = !quoted;
  }
  return quoted;
}
