// Bundles emu into dist/: emu.js and the chunks it loads when they are needed, one per service among them.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licenses } from './licenses.mjs';

process.chdir(fileURLToPath(new URL('.', import.meta.url)));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const { outputFiles, metafile } = await build({
  entryPoints: { emu: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['emu-source'],
  chunkNames: 'chunks/[name]-[hash]',
  // A library of the platform, which is installed beside the bundle and loaded when it is needed; and one that ssh2
  // (engines at ssh:// addresses) does without where it is not there.
  external: ['@duckdb/node-api', 'cpu-features'],
  // CommonJS packages in the bundle ask for node's modules with `require`, and for their own folder.
  define: { __EMU_VERSION__: JSON.stringify(version), __dirname: '__emuDirname' },
  banner: {
    js: [
      "import { createRequire as __emuCreateRequire } from 'node:module';",
      'const require = __emuCreateRequire(import.meta.url);',
      "const __emuDirname = require('node:path').dirname(require('node:url').fileURLToPath(import.meta.url));",
    ].join('\n'),
  },
  // Names and lines stay readable in stack traces; spaces and comments cost start-up time.
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  write: false,
});
// What was built before stays until there is something better.
rmSync('dist', { recursive: true, force: true });
for (const { path, contents } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licenses(Object.keys(metafile.inputs)));
