import { mkdir, rm, stat, symlink } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { PYTHON_SETS, packagesOf } from '../sdk/runtime-directory.ts';

/** Package scopes that AWS's Node.js runtimes include. */
const SCOPES = ['@aws-sdk', '@smithy'];

/** The SDK v2, which runtimes up to nodejs16.x include. */
export const SDK_V2 = 'aws-sdk';

/** Directories in that of the bootstraps with the SDK v2: of the runtime directory, and of the working directory. */
export const SDK_V2_MODULES = ['sdk-v2/node_modules', 'start/node_modules'];

/** Directories for `linkSdks`. */
export interface SdkDirectories {
  /** Parent of all unpacked packages, and of the bootstraps. */
  readonly home: string;
  /** Parent of unpacked packages. */
  readonly packages: string;
  /** Directory of the bootstraps, `/var/runtime` on AWS. */
  readonly bootstraps: string;
  /** Directory that `emu runtime install` fills, before or after the start of emu. */
  readonly runtimeDirectory: string;
  /** The working directory. */
  readonly start?: string;
}

/**
 * Makes the SDKs that AWS's runtimes include available to functions. Node.js searches the links beside packages after
 * the function and its layers, and those in the parent directory last: first the runtime directory is searched, then
 * `node_modules` of the working directory and its parents, NODE_PATH, emu's own directories, and global packages.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html#nodejs-sdk-included
 */
export async function linkSdks({
  home,
  packages,
  bootstraps,
  runtimeDirectory,
  start = process.cwd(),
}: SdkDirectories): Promise<void> {
  for (const scope of SCOPES)
    await link(join(packagesOf(runtimeDirectory, 'nodejs'), scope), join(bootstraps, 'node_modules', scope));
  await link(join(bootstraps, 'node_modules'), join(packages, 'node_modules'));
  await link(join(runtimeDirectory, 'dotnet'), join(bootstraps, 'dotnet'));
  for (const set of PYTHON_SETS) await link(packagesOf(runtimeDirectory, set), join(bootstraps, set));
  const [installed, found] = SDK_V2_MODULES.map((modules) => join(bootstraps, modules, SDK_V2));
  await link(join(packagesOf(runtimeDirectory, 'nodejs-sdk-v2'), SDK_V2), installed!);
  const places = searchPlaces(start);
  for (const scope of SCOPES) await linkFirst(places, scope, join(home, 'node_modules', scope));
  await linkFirst(places, SDK_V2, found!);
}

/** Links to the first place that contains a directory. */
async function linkFirst(places: readonly string[], name: string, path: string): Promise<void> {
  for (const place of places)
    if (await isDirectory(join(place, name))) {
      await link(join(place, name), path);
      return;
    }
}

/** Creates or replaces a link. */
async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { force: true });
  await symlink(target, path);
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
