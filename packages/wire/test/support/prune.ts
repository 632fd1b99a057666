/** Removes values that some protocols cannot represent: empty lists, maps and structures. */
export function prune(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(prune);
  const out: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const pruned = prune(item);
    const empty =
      typeof pruned === 'object' && pruned !== null && !(pruned instanceof Date) && Object.keys(pruned).length === 0;
    if (!empty) out[key] = pruned;
  }
  return out;
}
