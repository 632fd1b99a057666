import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders of every workspace package, relative to the root. */
export function packageFolders() {
  const nested = ['packages', 'apps', 'tools', 'examples'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name)),
  );
  return [...nested, 'e2e', 'bench'].filter((folder) => existsSync(join(root, folder, 'package.json')));
}
