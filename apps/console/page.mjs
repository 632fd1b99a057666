// Builds the page into packages/gateway/src/generated/console.json. The file is committed, so that neither tests nor
// installations build it. `pnpm --filter @emu/console page`
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Path of the generated page. */
export const target = file('../../packages/gateway/src/generated/console.json');

/** Returns the page for the gateway as the text of a JSON file. */
export async function buildPage() {
  const { outputFiles } = await build({
    entryPoints: { app: file('src/main.ts') },
    outdir: 'out',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    write: false,
  });
  const css = await build({ entryPoints: [file('src/style.css')], minify: true, write: false });
  const page = {
    html: readFileSync(file('src/index.html'), 'utf8'),
    js: outputFiles[0].text,
    css: css.outputFiles[0].text,
  };
  return `${JSON.stringify(page, undefined, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, await buildPage());
