/** Ids of bodies in the other place, by their ids here. */
export type BodyNames = ReadonlyMap<string, string>;

/**
 * Replaces the ids of bodies in a record's JSON.
 * @param ids ids of the bodies that the record refers to; other texts are unchanged
 */
export function withBodyNames(value: unknown, ids: Iterable<string>, names: BodyNames): unknown {
  const changes = new Map<string, string>();
  for (const id of ids) {
    const name = names.get(id);
    if (name !== undefined && name !== id) changes.set(id, name);
  }
  return changes.size ? renamed(value, changes) : value;
}

function renamed(value: unknown, changes: BodyNames): unknown {
  if (typeof value === 'string') return changes.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, changes));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renamed(member, changes)]));
}
