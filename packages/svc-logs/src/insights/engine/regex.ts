import { LinearRegex, RegexError } from '@emu/core/regex';

const cache = new Map<string, LinearRegex>();
const MAX_CACHED = 100;
/** Number of instructions after which no further expression is compiled in a turn of the event loop. */
const MAX_COMPILED = 4000;
/** Number of instructions that were compiled in this turn. */
let compiled = 0;

/**
 * Compiles a regular expression of the query language. Flags such as `(?i)` apply to the whole expression wherever they
 * are.
 * @throws RegexError if it is invalid, or if large expressions were compiled in the same turn
 */
export function regexOf(source: string): LinearRegex {
  const known = cache.get(source);
  if (known) return known;
  const flags = new Set<string>();
  const body = source.replace(/\(\?([ims]+)\)/g, (_whole, inline: string) => {
    for (const flag of inline) flags.add(flag);
    return '';
  });
  if (compiled > MAX_COMPILED) throw new RegexError('The regular expressions are too large together');
  const regex = new LinearRegex(body, {
    ignoreCase: flags.has('i'),
    multiline: flags.has('m'),
    dotAll: flags.has('s'),
  });
  if (compiled === 0)
    setImmediate(() => {
      compiled = 0;
    });
  compiled += regex.size;
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!);
  cache.set(source, regex);
  return regex;
}
