/** One step of a path: a member name, an element index, or all elements. */
type Step = string | number | '*';

const STEP = /\.([\w@$-]+|\*)|\[(?:'([^']*)'|"([^"]*)"|(-?\d+)|(\*))\]/y;

/** Parses a path that begins with `$`. @returns undefined for an invalid path */
export function parsePath(path: string): Step[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: Step[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const match = STEP.exec(path);
    if (!match) return undefined;
    const [, name, single, double, place, all] = match;
    steps.push(place !== undefined ? Number(place) : all !== undefined ? '*' : (name ?? single ?? double)!);
  }
  return steps;
}

/** Returns the value at a path, in the JSONPath subset of EventBridge; undefined if it does not exist. */
export function valueAt(root: unknown, path: string): unknown {
  const steps = parsePath(path);
  return steps && walk(root, steps);
}

function walk(value: unknown, [step, ...rest]: readonly Step[]): unknown {
  if (step === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (step === '*') return Object.values(value).map((child) => walk(child, rest));
  if (typeof step === 'number') return Array.isArray(value) ? walk(value.at(step), rest) : undefined;
  return Object.hasOwn(value, step) ? walk((value as Record<string, unknown>)[step], rest) : undefined;
}
