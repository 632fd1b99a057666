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
    return steps && this.walk(root, steps);
  }

  private walk(value: unknown, [step, ...rest]: readonly PathStep[]): unknown {
    if (step === undefined) return value;
    if (typeof value !== 'object' || value === null) return undefined;
    if (step === '*') {
      const found = Object.values(value).map((child: unknown) => this.walk(child, rest));
      return this.dialect.keepsMissing ? found : found.filter((one) => one !== undefined);
    }
    if (typeof step === 'number') return Array.isArray(value) ? this.walk(value.at(step), rest) : undefined;
    return isObject(value) && Object.hasOwn(value, step) ? this.walk(value[step], rest) : undefined;
  }
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
