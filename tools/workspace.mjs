import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root directory of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Directories of all workspace packages, relative to the root. */
export function packageFolders() {
  const nested = ['packages', 'apps', 'tools', 'examples'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name)),
  );
  return [...nested, 'e2e', 'integration', 'bench'].filter((folder) => existsSync(join(root, folder, 'package.json')));
}

/** Returns the package.json of a directory. */
export const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** Returns the directories of a package and its workspace dependencies, direct or not. */
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

/** Returns the test results of a run in a directory, in the common format of vitest and jest; none if none ran. */
export function resultsOf(folder) {
  const directory = join(root, folder, '.test-results');
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.json')) : [];
  return files.flatMap((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')).testResults);
}
