/** Returns the key in manifests, reports and function events: percent-encoded except slashes. */
export const encodedKey = (key: string): string => encodeURIComponent(key).replaceAll('%2F', '/');

/** Formats a CSV line; quotes fields if necessary. */
export function csvLine(fields: readonly (string | number)[]): string {
  const quoted = fields.map((field) => {
    const text = String(field);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${quoted.join(',')}\n`;
}

/**
 * Joins a folder, with or without trailing slash, and a name.
 * @param prefix undefined without a folder
 */
export const under = (prefix: string | undefined, name: string): string =>
  prefix === undefined || prefix === '' ? name : `${prefix.replace(/\/$/, '')}/${name}`;

/** Encodes texts in chunks of several thousand characters. */
export async function* bytesOf(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  let pending = '';
  for await (const text of texts) {
    pending += text;
    if (pending.length < 65_536) continue;
    yield Buffer.from(pending);
    pending = '';
  }
  if (pending !== '') yield Buffer.from(pending);
}

/** Yields the lines of a chunked text, without line feeds. Every line ends with a line feed. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ text: string; bytes: number }> {
  let pending: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...pending, chunk.subarray(from, end)]);
      pending = [];
      from = end + 1;
      yield { text: line.toString(), bytes: line.length + 1 };
    }
    if (from < chunk.length) pending.push(Buffer.from(chunk.subarray(from)));
  }
}
