/** POSIX character classes in brackets. */
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
 * Converts a regular expression of the query language to JavaScript. Flags such as `(?i)` apply to the whole expression
 * wherever they are; named groups may be written `(?P<name>…)`.
 * @throws SyntaxError if it is invalid
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
