import { mkdir, stat, symlink } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';

/** What AWS's runtimes of Node.js bring besides Node.js itself, as scopes of packages. */
const SCOPES = ['@aws-sdk', '@smithy'];

/**
 * Lets functions find an AWS SDK that is installed here, as AWS's runtimes of Node.js have one. It is looked for in the
 * `node_modules` of the working directory and of those above it, along NODE_PATH, around emu itself, and among the global
 * packages.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html#nodejs-sdk-included
 * @param home the directory above all unpacked packages, where Node.js looks last
 * @param start the working directory
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
        // It is there since an earlier start.
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

/** The `node_modules` of a directory and of those above it. */
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
