/** POSIX's classes of characters, as they stand in brackets. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

const cache = new Map<string, RegExp>();
const MAX_CACHED = 100;

/**
 * A regular expression of the query language in JavaScript's: flags such as `(?i)` count for all of it, wherever they
 * stand, and named groups may be written `(?P<name>…)`.
 * @throws SyntaxError where it is none
 */
export function regexOf(source: string, flags = ''): RegExp {
  const key = `${flags}/${source}`;
  const known = cache.get(key);
  if (known) {
    known.lastIndex = 0;
    return known;
  }
  const all = new Set(flags);
  const body = source
    .replace(/\(\?([ims]+)\)/g, (_whole, inline: string) => {
      for (const flag of inline) all.add(flag);
      return '';
    })
    .replace(/\(\?P</g, '(?<')
    .replace(/\[:(\w+):\]/g, (whole, name: string) => POSIX[name] ?? whole)
    .replace(/\\A/g, '^')
    .replace(/\\[zZ]/g, '$');
  const regex = new RegExp(body, [...all].join(''));
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!);
  cache.set(key, regex);
  return regex;
}
