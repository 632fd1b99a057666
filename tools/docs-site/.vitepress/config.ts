import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { checkSite } from '../src/check.ts';
import { anchorOf, leavingLinks } from '../src/links.ts';
import { literalCode } from '../src/literal-code.ts';
import { sidebar } from '../src/sidebar.ts';

export default defineConfig({
  title: 'emu',
  description: 'A local emulator of AWS',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '../../docs',
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  // Nothing is loaded from other hosts: fonts are the reader's own, and the search index is part of the site.
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    outline: [2, 3],
  },
  markdown: {
    config: (markdown) => {
      leavingLinks(markdown);
      literalCode(markdown);
    },
    anchor: { slugify: anchorOf },
  },
  buildEnd: ({ outDir }) => checkSite(outDir),
  vite: {
    // The pages are outside of this package and cannot resolve its modules.
    resolve: { alias: { vue: dirname(fileURLToPath(import.meta.resolve('vue/package.json'))) } },
  },
});
