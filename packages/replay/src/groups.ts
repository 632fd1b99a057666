import { CLASSES, type FoundDifference } from './differences.ts';

/** Equal differences of one operation. */
export interface DifferenceGroup {
  readonly service: string;
  readonly operation: string;
  readonly class: FoundDifference['class'];
  readonly path: string;
  /** In the order of the recording. */
  readonly differences: readonly FoundDifference[];
}

/** Differences of one operation. */
export interface OperationGroup {
  readonly service: string;
  readonly operation: string;
  /** Number of its requests that were compared. */
  readonly requests: number;
  /** Number of its requests with differences. */
  readonly different: number;
  /** The most frequent first. */
  readonly groups: readonly DifferenceGroup[];
}

/** Groups differences by operation, and by class and member. The most frequent come first, then the most serious. */
export function groupsOf(
  differences: readonly FoundDifference[],
  operations: ReadonlyMap<string, number>,
): OperationGroup[] {
  const byOperation = new Map<string, FoundDifference[]>();
  for (const difference of differences) add(byOperation, `${difference.service} ${difference.operation}`, difference);
  const groups = [...byOperation].map(([key, all]): OperationGroup => {
    const byKind = new Map<string, FoundDifference[]>();
    for (const difference of all) add(byKind, `${difference.class} ${difference.path}`, difference);
    const kinds = [...byKind.values()].map((found): DifferenceGroup => {
      const { service, operation, class: kind, path } = found[0]!;
      return { service, operation, class: kind, path, differences: found };
    });
    kinds.sort(
      (a, b) =>
        b.differences.length - a.differences.length ||
        CLASSES.indexOf(a.class) - CLASSES.indexOf(b.class) ||
        compareTexts(a.path, b.path),
    );
    const { service, operation } = all[0]!;
    const lines = new Set(all.map(({ file, line }) => `${line} ${file}`));
    return { service, operation, requests: operations.get(key) ?? lines.size, different: lines.size, groups: kinds };
  });
  return groups.sort(
    (a, b) => b.different - a.different || compareTexts(a.service, b.service) || compareTexts(a.operation, b.operation),
  );
}

function add(groups: Map<string, FoundDifference[]>, key: string, difference: FoundDifference): void {
  const group = groups.get(key);
  if (group) group.push(difference);
  else groups.set(key, [difference]);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
