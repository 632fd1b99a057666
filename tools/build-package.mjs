// Builds a published package: ESM in dist/, one file per export plus shared chunks, with the type declarations that its
// exports reach. Run in the package's folder. Sources are what the `emu-source` conditions of package.json name. What
// package.json has among its dependencies and peers stays an import; other libraries become part of the code, of which
// only what is used is taken, and so do JSON models.
//
//   node ../../tools/build-package.mjs         builds dist/
//   node ../../tools/build-package.mjs --pack  for `prepack`: builds, brings LICENSE, NOTICE and README.md, and checks package.json
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { COMMONJS, compressPolicies, DONE_WITHOUT, withoutBuildKit } from './bundles.mjs';
import { publishDeclarations } from './declarations.mjs';
import { licenses } from './licenses.mjs';
import { readmeOf } from './readme.mjs';
import { packageFolders, root } from './workspace.mjs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** Sources of the package's exports, relative to its folder. */
function entryPoints() {
  return Object.values(manifest.exports ?? {}).flatMap((target) => target['emu-source'] ?? []);
}

async function bundle() {
  const { dependencies, peerDependencies } = manifest;
  const options = {
    entryPoints: entryPoints(),
    outdir: 'dist',
    outbase: 'src',
    bundle: true,
    splitting: true,
    external: [...Object.keys({ ...dependencies, ...peerDependencies }), ...DONE_WITHOUT],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    chunkNames: 'chunks/[name]-[hash]',
    // Names stay readable in stack traces; spaces and comments would be a third of what is downloaded.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins: [compressPolicies, withoutBuildKit],
  };
  const { metafile: alone } = await build({ ...options, write: false });
  const hasLibraries = Object.keys(alone.inputs).some((file) => file.includes('node_modules'));
  const { metafile } = await build(hasLibraries ? { ...options, ...COMMONJS } : options);
  const texts = licenses(Object.keys(metafile.inputs));
  if (texts) writeFileSync('dist/THIRD-PARTY-LICENSES.txt', texts);
}

/** Names of the workspace's packages that are never published. */
function privatePackages() {
  const manifests = packageFolders().map((folder) =>
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  );
  return new Set(manifests.filter((each) => each.private).map(({ name }) => name));
}

/** Declarations of what the exports reach. */
function declarations() {
  const config = 'dist/.tsconfig.json';
  const options = { noEmit: false, emitDeclarationOnly: true, declaration: true, outDir: '.', rootDir: '../src' };
  writeFileSync(config, JSON.stringify({ extends: '../tsconfig.json', compilerOptions: options, include: ['../src'] }));
  try {
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: ['ignore', 'inherit', 'inherit'] });
  } finally {
    rmSync(config);
  }
  const entries = entryPoints().map((file) => relative('src', file).replace(/\.ts$/, '.d.ts'));
  publishDeclarations('dist', entries, privatePackages());
}

/**
 * `emu-source` names files that are not in the archive, and another workspace might resolve that condition too; so the
 * archive's package.json must do without it, which is what pnpm makes of `publishConfig.exports`.
 */
function checkManifest() {
  const expected = Object.fromEntries(
    Object.entries(manifest.exports ?? {}).map(([path, { 'emu-source': _, ...target }]) => [path, target]),
  );
  if (!isDeepStrictEqual(manifest.publishConfig?.exports ?? {}, expected))
    throw new Error(`publishConfig.exports of ${manifest.name} must be ${JSON.stringify(expected)}`);
  const missing = Object.values(expected)
    .flatMap((target) => Object.values(target))
    .filter((file) => !existsSync(file));
  if (missing.length) throw new Error(`${manifest.name} exports ${missing.join(', ')}, which the build did not make`);
}

if (entryPoints().length) {
  rmSync('dist', { recursive: true, force: true });
  await bundle();
  declarations();
}
if (process.argv.includes('--pack')) {
  checkManifest();
  const readme = readmeOf(manifest);
  if (readme) writeFileSync('README.md', readme);
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), name);
}
