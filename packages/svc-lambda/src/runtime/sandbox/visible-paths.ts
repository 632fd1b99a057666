import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';

/** Parts of an interpreter's installation that it needs, where the installation shares its directory with other files. */
const PARTS = ['bin', 'lib', 'lib64', 'ssl', 'pyvenv.cfg'];
/** Package managers whose programs use libraries of each other. */
const STORES = ['/nix/store', '/gnu/store', '/home/linuxbrew/.linuxbrew', '/snap'];
/** Maximum number of `node_modules` that links lead to. */
const MAX_ROOTS = 64;

/** Returns what an interpreter needs: its installation, and that of the one that a virtual environment is based on. */
export async function interpreterPaths(executable: string): Promise<string[]> {
  const real = await realpath(executable);
  const prefixes = new Set([executable, real].map(prefixOf));
  for (const prefix of [...prefixes]) {
    const base = /^home\s*=\s*(.+)$/m.exec(await readFile(join(prefix, 'pyvenv.cfg'), 'utf8').catch(() => ''))?.[1];
    if (base === undefined) continue;
    prefixes.add(dirname(base.trim()));
    prefixes.add(dirname(await realpath(base.trim()).catch(() => base.trim())));
  }
  const found = [...prefixes].flatMap((prefix) => {
    const store = STORES.find((directory) => isBelow(prefix, directory));
    if (store !== undefined) return [store];
    return isShared(prefix) ? PARTS.map((part) => join(prefix, part)) : [prefix];
  });
  return [executable, real, ...found];
}

/** Returns the directory of an installation: .NET has its program there, other languages in `bin`. */
function prefixOf(executable: string): string {
  const directory = dirname(executable);
  return basename(directory) === 'bin' ? dirname(directory) : directory;
}

/** Whether a directory contains more than an installation: the root, a home directory, or a parent of one. */
function isShared(prefix: string): boolean {
  const home = homedir();
  return (
    prefix === dirname(prefix) ||
    isBelow(home, prefix) ||
    prefix === join(home, '.local') ||
    dirname(prefix) === '/home'
  );
}

/**
 * Returns what the links in directories of packages lead to. A package in a `node_modules` needs the others there, and
 * these can be links again.
 * @param directories with packages, and scopes of packages, as links
 */
export async function linkedPaths(directories: readonly string[]): Promise<string[]> {
  const roots = new Set<string>();
  const waiting = [...directories];
  for (let next = waiting.shift(); next !== undefined && roots.size < MAX_ROOTS; next = waiting.shift())
    for (const target of await linksOf(next)) {
      const root = packagesRoot(target);
      if (roots.has(root)) continue;
      roots.add(root);
      if (basename(root) === 'node_modules') waiting.push(root);
    }
  return [...roots];
}

/** Returns the outermost `node_modules` that contains a path; otherwise the path, or the directory of a file. */
function packagesRoot(path: string): string {
  const parts = path.split(sep);
  const index = parts.indexOf('node_modules');
  return index < 0 ? path : parts.slice(0, index + 1).join(sep);
}

/** What the links in a directory and its scopes lead to. */
interface Links {
  targets: string[];
  /** Whether a link leads to nothing yet: its directory does not change when the target is created. */
  dangling: boolean;
  /** Times of the last changes, by directory. */
  changes: Map<string, number | undefined>;
}

const known = new Map<string, Links>();
/** Maximum number of directories with known links. */
const MAX_KNOWN = 1000;

/** Returns the targets of the links in a directory, and in the scopes in it. */
async function linksOf(directory: string): Promise<string[]> {
  const last = known.get(directory);
  if (last && !last.dangling && (await isCurrent(last))) return last.targets;
  if (known.size >= MAX_KNOWN) known.clear();
  const links: Links = { targets: [], dangling: false, changes: new Map() };
  await readLinks(directory, links);
  known.set(directory, links);
  return links.targets;
}

async function isCurrent({ changes }: Links): Promise<boolean> {
  for (const [directory, changed] of changes) if ((await changedAt(directory)) !== changed) return false;
  return true;
}

async function readLinks(directory: string, links: Links, isScope = false): Promise<void> {
  links.changes.set(directory, await changedAt(directory));
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    const path = join(directory, entry.name);
    const holdsPackages = entry.name.startsWith('@') && !isScope;
    if (entry.isDirectory() && holdsPackages) await readLinks(path, links, true);
    if (!entry.isSymbolicLink()) continue;
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined) links.dangling = true;
    else if (!isBelow(target, directory)) {
      // Both, because a part of the path that the link names may be a link itself.
      links.targets.push(target, resolve(directory, await readlink(path)));
      if (holdsPackages) await readLinks(target, links, true);
    }
  }
}

async function changedAt(directory: string): Promise<number | undefined> {
  return (await stat(directory).catch(() => undefined))?.mtimeMs;
}

/**
 * Returns what code in a directory of this machine finds outside of it: packages in the directories above, the nearest
 * package.json, and the targets of its links.
 */
export async function projectPaths(directory: string): Promise<string[]> {
  const paths = [directory];
  const modules: string[] = [];
  let isPackage = false;
  for (let at = directory; ; at = dirname(at)) {
    modules.push(join(at, 'node_modules'));
    const manifest = join(at, 'package.json');
    if (!isPackage && (await stat(manifest).catch(() => undefined))) {
      isPackage = true;
      paths.push(manifest);
    }
    if (dirname(at) === at) break;
  }
  const home = homedir();
  const targets = [...(await linkedPaths([directory])), ...(await linkedPaths(modules))];
  // A link to a home directory must not make all of its files visible.
  return [...paths, ...modules, ...targets.filter((target) => !isBelow(home, target))];
}

/** Whether a path is a directory or inside it. */
const isBelow = (path: string, directory: string): boolean =>
  isAbsolute(path) && (path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep));
