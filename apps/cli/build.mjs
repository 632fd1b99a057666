// Bundles emu into dist/: emu.js and lazily loaded chunks, among them one per service. Does nothing if dist/ matches
// the current sources.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { COMMONJS, compressPolicies, DONE_WITHOUT, withoutBuildKit } from '../../tools/bundles.mjs';
import { directImports } from '../../tools/direct-imports.mjs';
import { isUpToDate, remember } from '../../tools/freshness.mjs';
import { licenses } from '../../tools/licenses.mjs';
import { mergeStart } from '../../tools/start-chunk.mjs';

process.chdir(fileURLToPath(new URL('.', import.meta.url)));
const { version, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Bundles the program into dist/. */
async function bundle() {
  const { outputFiles, metafile } = await build({
    // esbuild resolves the working directory before the call.
    absWorkingDir: process.cwd(),
    entryPoints: { emu: 'src/main.ts' },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['emu-source'],
    chunkNames: 'chunks/[name]-[hash]',
    // Optional libraries, installed by users and loaded on demand.
    external: [...Object.keys(peerDependencies), ...DONE_WITHOUT],
    plugins: [directImports, compressPolicies, withoutBuildKit],
    ...COMMONJS,
    define: { ...COMMONJS.define, __EMU_VERSION__: JSON.stringify(version) },
    // Keeps names and lines readable in stack traces; white space and comments cost start-up time.
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  const listener = Object.keys(metafile.outputs).find((path) =>
    metafile.outputs[path].entryPoint?.endsWith('/listener.ts'),
  );
  const files = await mergeStart(
    metafile,
    new Map(outputFiles.map(({ path, text }) => [relative('', path).replaceAll(sep, '/'), text])),
    {
      roots: ['dist/emu.js', listener],
      merged: 'dist/chunks/start.js',
    },
  );
  // The previous build remains until the new one is complete.
  rmSync('dist', { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licenses(Object.keys(metafile.inputs)));
}

if (!isUpToDate('apps/cli')) {
  await bundle();
  remember('apps/cli');
}
