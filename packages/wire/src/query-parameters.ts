/** Decodes percent-encoding and `+`. Malformed text is unchanged. */
export function decodeQueryText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/**
 * Returns the first value of a parameter in a query string or form, decoded; undefined if missing. Searches for one
 * name instead of parsing all.
 * @param query still percent-encoded, without `?`
 */
export function queryParameter(query: string, name: string): string | undefined {
  for (let start = 0; start < query.length; ) {
    const ampersand = query.indexOf('&', start);
    const end = ampersand < 0 ? query.length : ampersand;
    if (query.startsWith(name, start)) {
      const after = start + name.length;
      if (after === end) return '';
      if (query[after] === '=') return decodeQueryText(query.slice(after + 1, end));
    }
    start = end + 1;
  }
  return undefined;
}

/** Whether a query string or form has a parameter, with or without a value. */
export function hasQueryParameter(query: string, name: string): boolean {
  return queryParameter(query, name) !== undefined;
}
