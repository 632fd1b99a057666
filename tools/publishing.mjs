// Completes a package for publication: builds it, adds the fields of package.json that all packages share, and adds LICENSE,
// NOTICE and README.md. `.pnpmfile.cjs` calls it when pnpm packs or publishes a package.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readmeOf } from './readme.mjs';
import { manifestOf, root } from './workspace.mjs';

/**
 * Returns the names of the dependencies that a published package imports; the others are bundled. A library imports packages of
 * emu and the libraries in `emu.external` of its package.json. A program (a package without exports) imports none.
 */
export function importedBy({ dependencies = {}, exports, emu }) {
  if (exports === undefined) return [];
  return Object.keys(dependencies).filter((name) => name.startsWith('@emu/') || emu?.external?.includes(name));
}

/** Returns the exports of a published package: built files and their types. */
const publishedExports = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([path, { 'emu-source': source, default: built }]) => [
      path,
      source === undefined ? { default: built } : { types: built.replace(/\.js$/, '.d.ts'), default: built },
    ]),
  );

/** Returns the files in the exports and commands of a package.json, relative to its package. */
const filesOf = ({ exports = {}, bin = {} }) =>
  [...Object.values(exports).flatMap(({ types, default: built }) => [types, built]), ...Object.values(bin)].filter(
    (file) => file !== undefined,
  );

/** Converts a package.json of the workspace, in which pnpm has inserted versions, to the published one. */
export function publishedManifest(manifest) {
  const { scripts, dependencies, devDependencies, emu, exports, ...own } = manifest;
  const { license, engines } = manifestOf('.');
  const imported = importedBy(manifest).map((name) => [name, dependencies[name]]);
  const published = {
    ...own,
    license,
    engines,
    ...(exports && { sideEffects: false, exports: publishedExports(exports) }),
    ...(imported.length > 0 && { dependencies: Object.fromEntries(imported) }),
  };
  const folders = filesOf(published).map((file) => file.split('/')[1]);
  return { ...published, files: [...new Set(['dist', ...folders, 'LICENSE', 'NOTICE'])] };
}

/**
 * Builds a package and adds the files of an archive besides dist/. Returns the published package.json.
 * @throws Error if the build fails or does not create a file in package.json's exports or commands
 */
export function prepare(manifest, directory) {
  const build = manifest.exports
    ? ['tools/build-packages.mjs', relative(root, directory)]
    : [join(directory, 'build.mjs')];
  // pnpm prints the archive's contents to standard output, possibly as JSON.
  execFileSync(process.execPath, build, { cwd: root, stdio: ['ignore', 2, 2] });
  const published = publishedManifest(manifest);
  const missing = filesOf(published).filter((file) => !existsSync(join(directory, file)));
  if (missing.length) throw new Error(`${manifest.name} exports ${missing.join(', ')}, which the build did not create`);
  const readme = readmeOf(manifest);
  if (readme) writeFileSync(join(directory, 'README.md'), readme);
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), join(directory, name));
  return published;
}
