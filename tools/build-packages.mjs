// Builds published packages: ESM in dist/, one file per export plus shared chunks, with the type declarations that its
// exports reach. The sources are the files in the `emu-source` conditions of package.json. Packages of emu, peer dependencies
// and the libraries of `emu.external` remain imports; used parts of other libraries and of JSON models are bundled.
//
//   node tools/build-packages.mjs                   builds every outdated dist/
//   node tools/build-packages.mjs packages/svc-sqs  builds the outdated dist/ of some packages only
//
// One compiler run declares all packages, so that shared types are read and inferred once.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { COMMONJS, compressPolicies, DONE_WITHOUT, withoutBuildKit } from './bundles.mjs';
import { publishDeclarations } from './declarations.mjs';
import { isUpToDate, remember } from './freshness.mjs';
import { licenses } from './licenses.mjs';
import { importedBy } from './publishing.mjs';
import { manifestOf, packageFolders, root } from './workspace.mjs';

const all = packageFolders().map((folder) => ({ folder, directory: join(root, folder), manifest: manifestOf(folder) }));

/** Returns the sources of a package's exports, relative to its directory. */
const entryPoints = ({ manifest }) =>
  Object.values(manifest.exports ?? {}).flatMap((target) => target['emu-source'] ?? []);

/** Returns the packages that are installed with a package, or may be. */
const installedWith = (manifest) => [...importedBy(manifest), ...Object.keys(manifest.peerDependencies ?? {})];

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
    external: [...installedWith(manifest), ...DONE_WITHOUT],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    chunkNames: 'chunks/[name]-[hash]',
    // Names remain readable in stack traces; white space and comments would be a third of the download.
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
 * Writes the declarations that the packages' exports reach into their dist/. Types are inferred, not checked; `pnpm
 * typecheck` does that.
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
    // The compiler writes no declarations of files that it finds in node_modules only.
    const include = packages.map(({ directory }) => join(directory, 'src'));
    const files = [join(root, 'packages/service-types/src/index.d.ts')];
    writeFileSync(
      config,
      JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include, files }),
    );
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: ['ignore', 'inherit', 'inherit'] });
    for (const each of packages) {
      const from = join(scratch, 'out', relative('packages', each.folder), 'src');
      const entries = entryPoints(each).map((file) => relative('src', file).replace(/\.ts$/, '.d.ts'));
      publishDeclarations(from, join(each.directory, 'dist'), entries, new Set(installedWith(each.manifest)));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const folders = process.argv.slice(2);
const wanted = all.filter(({ folder, manifest }) => (folders.length ? folders.includes(folder) : !manifest.private));
const outdated = wanted.filter((each) => entryPoints(each).length && !isUpToDate(each.folder));
if (outdated.length) {
  await Promise.all(outdated.map(bundle));
  declare(outdated);
  for (const { folder } of outdated) remember(folder);
}
