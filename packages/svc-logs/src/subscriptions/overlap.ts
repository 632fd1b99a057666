import { type Criteria, criteriaOf } from './selection.ts';

/** Whether two policy criteria, each a list of group names or prefixes, overlap. */
export function overlaps(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  const [a, b] = [criteriaOf(one), criteriaOf(other)];
  if (a.excludes && b.excludes) return true;
  if (a.excludes) return !isLeftOut(b, a);
  if (b.excludes) return !isLeftOut(a, b);
  return a.names.some((name) => b.names.some((second) => isShared(name, a.byPrefix, second, b.byPrefix)));
}

function isShared(one: string, oneIsPrefix: boolean, other: string, otherIsPrefix: boolean): boolean {
  return one === other || (oneIsPrefix && other.startsWith(one)) || (otherIsPrefix && one.startsWith(other));
}

/** Whether the second criteria exclude everything that the first select. */
const isLeftOut = (selected: Criteria, others: Criteria): boolean =>
  selected.names.every((name) =>
    others.names.some((other) => (others.byPrefix ? name.startsWith(other) : !selected.byPrefix && name === other)),
  );
