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

/** Results of test files that a run left in a folder, in the form that vitest and jest have in common; none where none ran. */
export function resultsOf(folder) {
  const directory = join(root, folder, '.test-results');
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.json')) : [];
  return files.flatMap((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')).testResults);
}
