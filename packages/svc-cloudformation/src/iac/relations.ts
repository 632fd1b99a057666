/** What a resource is called, and what it mentions. */
export interface Mentions {
  /** Values by which others refer to it: its identifier and its ARNs. */
  readonly names: ReadonlySet<string>;
  /** Every text among its properties. */
  readonly texts: ReadonlySet<string>;
}

/** The texts of a value, at any depth. */
export function textsOf(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') found.add(value);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) textsOf(item, found);
  return found;
}

/** The shortest name by which a resource is taken for mentioned; shorter ones are found by chance. */
const MIN_NAME = 3;

/** The names of a resource among its identifier and attributes. */
export function namesOf(identifier: string, attributes: Readonly<Record<string, unknown>>): Set<string> {
  const arns = Object.values(attributes).filter(
    (value): value is string => typeof value === 'string' && value.startsWith('arn:'),
  );
  return new Set([identifier, ...arns].filter((name) => name.length >= MIN_NAME));
}

/** Which resources mention which others. @returns for each the numbers of those that it mentions and that mention it */
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
