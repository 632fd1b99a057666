// Builds published packages: ESM in dist/, one file per export plus shared chunks, with the type declarations that its
// exports reach. Sources are what the `emu-source` conditions of package.json name. What package.json has among its
// dependencies and peers stays an import; other libraries become part of the code, of which only what is used is taken,
// and so do JSON models.
//
//   node tools/build-packages.mjs               builds dist/ of every package that has none of the present sources
//   node ../../tools/build-packages.mjs         in a package's folder: builds that package alone
//   node ../../tools/build-packages.mjs --pack  for `prepack`: also brings LICENSE, NOTICE and README.md
//
// One run of the compiler declares all packages: it reads and infers the types of what they have in common once.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { COMMONJS, compressPolicies, DONE_WITHOUT, withoutBuildKit } from './bundles.mjs';
import { publishDeclarations } from './declarations.mjs';
import { isUpToDate, remember } from './freshness.mjs';
import { licenses } from './licenses.mjs';
import { readmeOf } from './readme.mjs';
import { manifestOf, packageFolders, root } from './workspace.mjs';

const all = packageFolders().map((folder) => ({ folder, directory: join(root, folder), manifest: manifestOf(folder) }));

/** Returns the sources of a package's exports, relative to its folder. */
const entryPoints = ({ manifest }) =>
  Object.values(manifest.exports ?? {}).flatMap((target) => target['emu-source'] ?? []);

/** Bundles a package into its dist/. */
async function bundle(each) {
  const { directory, manifest } = each;
  const { outputFiles, metafile } = await build({
    absWorkingDir: directory,
    entryPoints: entryPoints(each),
    outdir: 'dist',
    outbase: 'src',
    bundle: true,
    splitting: true,
    external: [...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }), ...DONE_WITHOUT],
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
    define: COMMONJS.define,
    write: false,
  });
  const inputs = Object.keys(metafile.inputs);
  const texts = licenses(inputs.map((file) => join(directory, file)));
  // Only libraries are CommonJS.
  const head = inputs.some((file) => file.includes('node_modules')) ? `${COMMONJS.banner.js}\n` : '';
  rmSync(join(directory, 'dist'), { recursive: true, force: true });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, head + text);
  }
  if (texts) writeFileSync(join(directory, 'dist/THIRD-PARTY-LICENSES.txt'), texts);
}

/**
 * Writes the declarations that the packages' exports reach into their dist/. Types are inferred, not checked: that is the
 * business of `pnpm typecheck`.
 */
function declare(packages) {
  const scratch = join(root, 'node_modules/.cache/emu/declarations', String(process.pid));
  const compilerOptions = {
    noEmit: false,
    noCheck: true,
    emitDeclarationOnly: true,
    rootDir: join(root, 'packages'),
    outDir: join(scratch, 'out'),
  };
  mkdirSync(scratch, { recursive: true });
  try {
    const config = join(scratch, 'tsconfig.json');
    // The compiler writes no declarations of files that it knows only as those of a package in node_modules.
    const include = packages.map(({ directory }) => join(directory, 'src'));
    const files = [join(root, 'packages/service-types/src/index.d.ts')];
    writeFileSync(
      config,
      JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include, files }),
    );
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: ['ignore', 'inherit', 'inherit'] });
    const isPrivate = new Set(all.filter(({ manifest }) => manifest.private).map(({ manifest }) => manifest.name));
    for (const each of packages) {
      const from = join(scratch, 'out', relative('packages', each.folder), 'src');
      const entries = entryPoints(each).map((file) => relative('src', file).replace(/\.ts$/, '.d.ts'));
      publishDeclarations(from, join(each.directory, 'dist'), entries, isPrivate);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function buildAll(packages) {
  if (!packages.length) return;
  await Promise.all(packages.map(bundle));
  declare(packages);
  for (const { folder } of packages) remember(folder);
}

/** Brings what an archive has beside dist/, and checks that the build made every file that the package exports. */
function completeArchive({ directory, manifest }) {
  const missing = Object.values(manifest.exports ?? {})
    .flatMap((target) => [target.types, target.default])
    .filter((file) => file !== undefined && !existsSync(join(directory, file)));
  if (missing.length) throw new Error(`${manifest.name} exports ${missing.join(', ')}, which the build did not make`);
  const readme = readmeOf(manifest);
  if (readme) writeFileSync(join(directory, 'README.md'), readme);
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), join(directory, name));
}

const here = all.find(({ directory }) => directory === process.cwd());
const isPacking = process.argv.includes('--pack');
const wanted = here ? [here] : all.filter(({ manifest }) => !manifest.private);
await buildAll(wanted.filter((each) => entryPoints(each).length && !isUpToDate(each.folder)));
if (isPacking) completeArchive(here);
