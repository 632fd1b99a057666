import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA } = process.env;
const repository = GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/blob/${GITHUB_SHA}`;

/** Returns the anchor of a heading as on GitHub, so that links work in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** Returns the path in the repository to which a link of a page leads; undefined inside docs/ and for the web. */
function pathOutside(href: string, page: string): string | undefined {
  if (/^[a-z]+:|^#/.test(href)) return undefined;
  const path = posix.join('docs', posix.dirname(page), href);
  return path.startsWith('docs/') ? undefined : path;
}

/**
 * Directs links to files outside of docs/ to the repository of the workflow. Without one they become text with the path
 * as tooltip.
 */
export function leavingLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('leaving-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let path: string | undefined;
      for (const token of children ?? []) {
        if (token.type === 'link_open') path = pathOutside(token.attrGet('href') ?? '', env.relativePath as string);
        if (path === undefined || !token.type.startsWith('link_')) continue;
        if (!repository)
          Object.assign(token, { type: 'outside', tag: 'span', attrs: token.nesting === 1 ? [['title', path]] : null });
        else if (token.nesting === 1) token.attrSet('href', `${repository}/${path}`);
        if (token.nesting === -1) path = undefined;
      }
    }
  });
}
