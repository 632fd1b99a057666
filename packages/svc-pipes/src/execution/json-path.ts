import { isObject } from '@emu/wire';
import type { Json } from '../definition/json.ts';

/** One step of a path: a member name, an element index, or all elements. */
type Step = string | number | '*';

const STEP = /\.([\w/-]+|\*)|\[(?:'([^']*)'|"([^"]*)"|(\d+)|(\*))\]/y;

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

/**
 * Returns the value at a path, in the JSONPath subset of EventBridge Pipes; undefined if it does not exist.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-input-transformation.html
 */
export function valueAt(root: Json, path: string): Json | undefined {
  const steps = parsePath(path);
  return steps && walk(root, steps);
}

function walk(value: Json | undefined, [step, ...rest]: readonly Step[]): Json | undefined {
  if (step === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (step === '*')
    return Object.values(value).flatMap((child: Json) => {
      const found = walk(child, rest);
      return found === undefined ? [] : [found];
    });
  if (typeof step === 'number') return Array.isArray(value) ? walk(value[step], rest) : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? walk(value[step], rest) : undefined;
}
