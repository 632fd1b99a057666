/** Converts bytes to plain `Uint8Array`s and streams to their bytes, so that values can be compared. */
export async function comparable(value: unknown): Promise<unknown> {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('latin1') };
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map(comparable));
  if (Symbol.asyncIterator in value) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of value as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    return bytes.length === 0 ? undefined : { bytes: bytes.toString('latin1') };
  }
  const out: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const compared = await comparable(item);
    if (compared !== undefined) out[key] = compared;
  }
  return out;
}
