import { LinearRegex } from '@emu/core/regex';

const cache = new Map<string, LinearRegex>();
const MAX_CACHED = 100;

/**
 * Compiles a regular expression of the query language. Flags such as `(?i)` apply to the whole expression wherever they
 * are.
 * @throws RegexError if it is invalid
 */
export function regexOf(source: string): LinearRegex {
  const known = cache.get(source);
  if (known) return known;
  const flags = new Set<string>();
  const body = source.replace(/\(\?([ims]+)\)/g, (_whole, inline: string) => {
    for (const flag of inline) flags.add(flag);
    return '';
  });
  const regex = new LinearRegex(body, {
    ignoreCase: flags.has('i'),
    multiline: flags.has('m'),
    dotAll: flags.has('s'),
  });
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!);
  cache.set(source, regex);
  return regex;
}
