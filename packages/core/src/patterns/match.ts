import type { PatternEvent } from './event.ts';
import type { Leaf } from './matchers.ts';
import type { FieldCondition, Pattern } from './pattern.ts';

/**
 * Whether a pattern matches an event. Any element of an array may match; conditions on fields of an array's objects
 * must all match the same object.
 */
export function matchesPattern(pattern: Pattern, event: PatternEvent): boolean {
  return pattern.branches.some((branch) => matchesBranch(branch, event));
}

/** Whether all conditions of one alternative of a pattern are met. */
export function matchesBranch(branch: readonly FieldCondition[], event: PatternEvent): boolean {
  return matchesAll(branch, 0, event.root);
}

/**
 * Whether conditions are met below a value.
 * @param depth number of names of the conditions' paths that lead to the value
 */
function matchesAll(conditions: readonly FieldCondition[], depth: number, value: unknown): boolean {
  if (Array.isArray(value)) return matchesElement(conditions, depth, value);
  for (let start = 0; start < conditions.length; ) {
    const name = conditions[start]!.segments[depth];
    if (name === undefined) {
      if (!matchesLeaf(conditions[start]!, value)) return false;
      start++;
      continue;
    }
    // Conditions are in order of their paths, so that those below one name are adjacent.
    let end = start + 1;
    while (conditions[end]?.segments[depth] === name) end++;
    const group = end - start === conditions.length ? conditions : conditions.slice(start, end);
    if (!matchesAll(group, depth + 1, childOf(value, name))) return false;
    start = end;
  }
  return true;
}

function matchesLeaf(condition: FieldCondition, value: unknown): boolean {
  if (!isLeaf(value)) return condition.absent;
  return condition.matchers.some((matcher) => matcher.test(value));
}

function matchesElement(conditions: readonly FieldCondition[], depth: number, elements: readonly unknown[]): boolean {
  const rest = afterAbsences(conditions, depth, elements);
  if (!rest) return false;
  return !rest.length || elements.some((element) => matchesAll(rest, depth, element));
}

/**
 * Removes the leading conditions that absence decides. They are checked before an element is selected, so that absence
 * means: from all elements.
 * @returns undefined if one of them is not met
 */
function afterAbsences(
  conditions: readonly FieldCondition[],
  depth: number,
  elements: readonly unknown[],
): readonly FieldCondition[] | undefined {
  let settled = 0;
  for (; conditions[settled]?.absent; settled++) {
    const condition = conditions[settled]!;
    if (!hasLeaf(elements, condition.segments, depth)) continue;
    if (condition.matchers.every((matcher) => matcher.absent)) return undefined;
    return [{ ...condition, absent: false }, ...conditions.slice(settled + 1)];
  }
  return settled ? conditions.slice(settled) : conditions;
}

function hasLeaf(value: unknown, segments: readonly string[], depth: number): boolean {
  if (Array.isArray(value)) return value.some((element) => hasLeaf(element, segments, depth));
  if (depth === segments.length) return isLeaf(value);
  const child = childOf(value, segments[depth]!);
  return child !== undefined && hasLeaf(child, segments, depth + 1);
}

/** Calls `visit` with every leaf at a path, through arrays. */
export function eachLeaf(value: unknown, segments: readonly string[], visit: (leaf: Leaf) => void, depth = 0): void {
  if (Array.isArray(value)) for (const element of value) eachLeaf(element, segments, visit, depth);
  else if (depth < segments.length) {
    const child = childOf(value, segments[depth]!);
    if (child !== undefined) eachLeaf(child, segments, visit, depth + 1);
  } else if (isLeaf(value)) visit(value);
}

const isLeaf = (value: unknown): value is Leaf => value === null || (typeof value !== 'object' && value !== undefined);

function childOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
