/** Names of a resource, and the texts in it. */
export interface Mentions {
  /** Values that identify it in other resources: its identifier and ARNs. */
  readonly names: ReadonlySet<string>;
  /** All texts in its properties. */
  readonly texts: ReadonlySet<string>;
}

/** Collects all texts of a value, at any depth. */
export function textsOf(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') found.add(value);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) textsOf(item, found);
  return found;
}

/** Minimum length of a name that counts as a reference; shorter ones match by chance. */
const MIN_NAME = 3;

/** Returns the names of a resource from its identifier and attributes. */
export function namesOf(identifier: string, attributes: Readonly<Record<string, unknown>>): Set<string> {
  const arns = Object.values(attributes).filter(
    (value): value is string => typeof value === 'string' && value.startsWith('arn:'),
  );
  return new Set([identifier, ...arns].filter((name) => name.length >= MIN_NAME));
}

/** Finds references between resources. Returns for each the numbers of related resources, in both directions. */
export function relationsOf(all: readonly Mentions[]): number[][] {
  const owners = new Map<string, number[]>();
  for (const [index, { names }] of all.entries())
    for (const name of names) owners.set(name, [...(owners.get(name) ?? []), index]);
  const related = all.map(() => new Set<number>());
  for (const [index, { texts }] of all.entries())
    for (const text of texts)
      for (const owner of owners.get(text) ?? [])
        if (owner !== index) {
          related[index]!.add(owner);
          related[owner]!.add(index);
        }
  return related.map((numbers) => [...numbers].sort((a, b) => a - b));
}
