import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders of every workspace package, relative to the root. */
export function packageFolders() {
  const nested = ['packages', 'apps', 'tools', 'examples'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name)),
  );
  return [...nested, 'e2e', 'integration', 'bench'].filter((folder) => existsSync(join(root, folder, 'package.json')));
}

/** Returns the package.json of a folder. */
export const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** Returns the folders of a package and of those of the workspace that it depends on, directly or not. */
export function closureOf(folder) {
  const folders = new Map(packageFolders().map((each) => [manifestOf(each).name, each]));
  const found = new Set([folder]);
  for (const each of found) {
    const { dependencies, devDependencies } = manifestOf(each);
    for (const name of Object.keys({ ...dependencies, ...devDependencies }))
      if (folders.has(name)) found.add(folders.get(name));
  }
  return [...found];
}

/** Results of test files that a run left in a folder, in the form that vitest and jest have in common; none where none ran. */
export function resultsOf(folder) {
  const directory = join(root, folder, '.test-results');
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.json')) : [];
  return files.flatMap((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')).testResults);
}
