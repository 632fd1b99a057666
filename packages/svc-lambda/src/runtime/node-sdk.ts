import { mkdir, stat, symlink } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';

/** Package scopes that AWS's Node.js runtimes include. */
const SCOPES = ['@aws-sdk', '@smithy'];

/**
 * Makes an installed AWS SDK available to functions, as AWS's Node.js runtimes include one. Searches `node_modules` of
 * the working directory and its parents, NODE_PATH, emu's own directories, and global packages.
 * @param home parent of all unpacked packages, which Node.js searches last
 * @param start the working directory
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html#nodejs-sdk-included
 */
export async function linkSdk(home: string, start: string = process.cwd()): Promise<void> {
  const places = searchPlaces(start);
  const target = join(home, 'node_modules');
  await mkdir(target, { recursive: true });
  for (const scope of SCOPES)
    for (const place of places) {
      const directory = join(place, scope);
      if (!(await isDirectory(directory))) continue;
      await symlink(directory, join(target, scope)).catch((error: NodeJS.ErrnoException) => {
        // Exists from an earlier start.
        if (error.code !== 'EEXIST') throw error;
      });
      break;
    }
}

function searchPlaces(start: string): string[] {
  const named = (process.env.NODE_PATH ?? '').split(delimiter).filter((path) => path !== '');
  const globals = join(dirname(process.execPath), '..', 'lib', 'node_modules');
  return [...modulesAbove(start), ...named, ...modulesAbove(import.meta.dirname), globals];
}

/** Returns the `node_modules` of a directory and its parents. */
function modulesAbove(directory: string): string[] {
  const places: string[] = [];
  for (let at = resolve(directory); ; at = dirname(at)) {
    places.push(join(at, 'node_modules'));
    if (dirname(at) === at) return places;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return false;
    throw error;
  }
}
