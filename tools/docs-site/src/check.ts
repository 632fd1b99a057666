import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ATTRIBUTE = /<(?<tag>a|link|script|img|iframe|source|video|audio)\b[^>]*?\s(?:href|src)="(?<url>[^"]*)"/g;
const isExternal = (url: string): boolean => /^(?:[a-z]+:)?\/\//i.test(url);

/** Returns the URLs on other hosts in a stylesheet. */
const importsOf = (css: string): string[] =>
  [...css.matchAll(/@import\s+[^;]*|url\(\s*["']?(?:https?:)?\/\/[^)]*/g)].map(([found]) => found);

/**
 * Checks a built site: every link leads to an existing page and heading, and nothing is loaded from another host.
 * @throws Error that lists the problems
 */
export function checkSite(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const existing = new Set(files);
  const pages = new Map(
    files.filter((name) => name.endsWith('.html')).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  const ids = new Map(
    [...pages].map(([name, html]) => [name, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const wrong: string[] = [];
  for (const [page, html] of pages)
    for (const { groups } of html.matchAll(ATTRIBUTE)) {
      const { tag, url } = groups as { tag: string; url: string };
      if (isExternal(url)) {
        if (tag !== 'a') wrong.push(`${page} loads ${url}`);
        continue;
      }
      if (/^(?:data|mailto):/.test(url)) continue;
      const [path = '', anchor] = decodeURI(url).split('#');
      const target =
        path === ''
          ? page
          : posix
              .join(path.startsWith('/') ? '' : posix.dirname(page), path, path.endsWith('/') ? 'index.html' : '')
              .replace(/^\//, '');
      if (!existing.has(target)) wrong.push(`${page} links to ${url}, which does not exist`);
      else if (anchor && !ids.get(target)?.has(anchor))
        wrong.push(`${page} links to ${url}, which has no such heading`);
    }
  for (const name of files.filter((file) => file.endsWith('.css')))
    for (const found of importsOf(readFileSync(join(folder, name), 'utf8'))) wrong.push(`${name} loads ${found}`);
  if (wrong.length) throw new Error(`The site has broken or foreign links:\n${[...new Set(wrong)].join('\n')}`);
}
