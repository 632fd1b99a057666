const escapeProse = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;');

/** Escapes text that Markdown or the site would interpret as markup, except code spans and `<https://…>` links. */
export const prose = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .split(/(`[^`]*`|<https:[^>]*>)/)
    .map((part, index) => (index % 2 ? part : escapeProse(part)))
    .join('');

/** Formats names as code. */
export const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Returns a table. Columns whose heading ends with `:` are right-aligned. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll(/(?<!\\)\|/g, '\\|')).join(' | ')} |`.replaceAll('|  |', '| |');
  return [
    line(headings.map((heading) => heading.replace(/:$/, ''))),
    `|${headings.map((heading) => (heading.endsWith(':') ? '---:' : '---')).join('|')}|`,
    ...rows.map(line),
  ].join('\n');
}

const begin = (name: string): string => `<!-- generated: ${name} -->`;
const END = '<!-- end of generated -->';

/**
 * Replaces the text between the markers of a generated part.
 * @param where name of the page, for the error
 * @throws Error for a page without this part
 */
export function fillPart(page: string, name: string, text: string, where: string): string {
  const from = page.indexOf(begin(name));
  const to = page.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`${where} lacks a part between ${begin(name)} and ${END}`);
  return `${page.slice(0, from + begin(name).length)}\n${text.trim()}\n${page.slice(to)}`;
}
