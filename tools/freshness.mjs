// Tells whether dist/ of a package is what a build would make now. A build notes the sizes and times of the files that it can
// depend on: sources of the package and of those that it depends on, the tools, and the versions of libraries.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { closureOf, root } from './workspace.mjs';

/** Returns the files under a folder, with paths from the root; none where the folder is missing. */
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

/** Returns a text that changes with each file that a build of the package can depend on. */
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

/** Notes that dist/ of a package was made of the present sources. */
export function remember(folder) {
  const note = noteOf(folder);
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, inputsOf(folder));
}

/** Whether dist/ of a package was made of the present sources. */
export function isUpToDate(folder) {
  const note = noteOf(folder);
  return existsSync(join(root, folder, 'dist')) && existsSync(note) && readFileSync(note, 'utf8') === inputsOf(folder);
}
