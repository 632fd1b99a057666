import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface SidebarItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: SidebarItem[];
}

const textOf = (page: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${page}`, import.meta.url)), 'utf8');

/** Returns the linked pages in a list or in the first column of a table. */
function itemsIn(text: string, folder: string): SidebarItem[] {
  const links = text.matchAll(/^(?:- |\| )\[([^\]]+)\]\(([\w/-]+)\.md\)/gm);
  return [...links].map(([, label, path]) => ({ text: label!, link: `/${folder}${path}` }));
}

/** Returns the sidebar: the sections of `docs/index.md`, with all services below Services. */
export function sidebar(): SidebarItem[] {
  const sections = textOf('index.md').split('\n## ').slice(1);
  return sections.map((section) => {
    const [heading = ''] = section.split('\n', 1);
    const items = itemsIn(section, '');
    if (heading === 'Services') items.push(...itemsIn(textOf('services/index.md'), 'services/'));
    return { text: heading, collapsed: heading === 'Services', items };
  });
}
