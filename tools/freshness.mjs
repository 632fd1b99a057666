// Checks whether dist/ of a package is up to date. A build records the sizes and times of its possible inputs: sources
// of the package and of its dependencies, the tools, and the versions of libraries.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { closureOf, root } from './workspace.mjs';

/** Returns the files below a directory, with paths from the root; none for a missing directory. */
function filesUnder(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
}

const ofPackage = (folder) => [
  join(folder, 'package.json'),
  ...filesUnder(join(folder, 'src')),
  ...filesUnder(join(folder, 'model')),
];

const described = new Map();

/** Returns a line for each file with its size and time. */
function describe(key, files) {
  if (!described.has(key)) {
    const lines = files().map((file) => {
      const { size, mtimeMs } = statSync(join(root, file));
      return `${file} ${size} ${mtimeMs}\n`;
    });
    described.set(key, lines.join(''));
  }
  return described.get(key);
}

/** Returns a text that changes with each possible input of a package's build. */
function inputsOf(folder) {
  const tools = readdirSync(join(root, 'tools')).filter((name) => name.endsWith('.mjs'));
  const shared = () => [
    'pnpm-lock.yaml',
    'tsconfig.base.json',
    'apps/cli/build.mjs',
    ...tools.map((name) => join('tools', name)),
  ];
  const folders = closureOf(folder).sort();
  return [describe('', shared), ...folders.map((each) => describe(each, () => ofPackage(each)))].join('');
}

const noteOf = (folder) => join(root, 'node_modules/.cache/emu/built', `${folder.replaceAll(/[\\/]/g, '-')}.txt`);

/** Records that dist/ of a package was built from the current sources. */
export function remember(folder) {
  const note = noteOf(folder);
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, inputsOf(folder));
}

/** Whether dist/ of a package was built from the current sources. */
export function isUpToDate(folder) {
  const note = noteOf(folder);
  return existsSync(join(root, folder, 'dist')) && existsSync(note) && readFileSync(note, 'utf8') === inputsOf(folder);
}
