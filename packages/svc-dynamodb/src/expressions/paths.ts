import type { AttributeValue } from '@emu/service-types/dynamodb';
import type { Item } from '../attributes/values.ts';
import type { DocumentPath } from './placeholders.ts';
import { type ExpressionKind, expressionError } from './syntax.ts';

/** Returns the value at a path of an item; undefined if missing. */
export function valueAt(item: Item, path: DocumentPath): AttributeValue | undefined {
  const [name, ...steps] = path;
  let value = Object.hasOwn(item, name as string) ? item[name as string] : undefined;
  for (const step of steps) {
    if (!value) return undefined;
    if (typeof step === 'number') value = value.L?.[step];
    else value = value.M && Object.hasOwn(value.M, step) ? value.M[step] : undefined;
  }
  return value;
}

/** Formats a path as in error messages: `[a, b, [1]]`. */
export function describePath(path: DocumentPath): string {
  return `[${path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join(', ')}]`;
}

/** Whether two paths are equal or one is a prefix of the other. */
function overlaps(left: DocumentPath, right: DocumentPath): boolean {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) if (left[index] !== right[index]) return false;
  return true;
}

/** Whether two paths treat the same value as a list and as a map. */
function conflicts(left: DocumentPath, right: DocumentPath): boolean {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    if (typeof left[index] !== typeof right[index]) return true;
    if (left[index] !== right[index]) return false;
  }
  return false;
}

/**
 * Checks that no two paths of an expression overlap or conflict. DynamoDB checks all pairs for overlaps before
 * conflicts.
 * @throws AwsError `ValidationException`
 */
export function checkApart(kind: ExpressionKind, paths: readonly DocumentPath[]): void {
  for (const [meet, verb] of [
    [overlaps, 'overlap'],
    [conflicts, 'conflict'],
  ] as const)
    for (let index = 1; index < paths.length; index++)
      for (let other = 0; other < index; other++)
        if (meet(paths[other]!, paths[index]!))
          throw expressionError(
            kind,
            `Two document paths ${verb} with each other; must remove or rewrite one of these paths; path one: ${describePath(paths[other]!)}, path two: ${describePath(paths[index]!)}`,
          );
}

/** Empty set, for conditions and updates without nested paths. */
export const NONE: ReadonlySet<string> = new Set();
