import { lstat, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { ContainerError, type ContainerMount, type SandboxSpec } from '@emu/core/service';
import { isInside, type MachineMounts } from './machine-mounts.ts';
import { OLD_ROOT, ROOT, SKELETON_DIRECTORIES, type Skeleton } from './skeleton.ts';

/** Parts of /proc with which a process of root could change the machine. */
const PROC_READ_ONLY = ['acpi', 'asound', 'bus', 'fs', 'irq', 'mtrr', 'scsi', 'sys', 'sysrq-trigger'];
/** Where the machine's file system is while sandboxes are set up. */
const OLD = `/${OLD_ROOT}`;
/** Entries of the skeleton and of the machine are never set-user-id programs. */
const SAFE = ['nosuid', 'nodev'];

/** What a path inside a sandbox leads to: a path of the machine, a file in a tmpfs, or nothing. */
type Found = { readonly machinePath: string } | 'temporary' | 'absent';

/** Mounts of a sandbox as lines of fstab. */
export interface MountPlan {
  readonly lines: readonly string[];
  /** Mount points inside a tmpfs of `lines`, which exist only then, and the mounts on them. */
  readonly nested: { readonly directories: string[]; readonly files: string[]; readonly lines: string[] };
  /** Finds what a path inside leads to. */
  find(path: string): Found;
}

type DirectoryMount = Extract<ContainerMount, { type: 'directory' }>;

/** Returns the mounts that all sandboxes have, as lines of fstab. */
export async function baseMounts(skeleton: Skeleton, machine: MachineMounts): Promise<string[]> {
  const root = join(skeleton.mountPoint, ROOT);
  const lines = [
    bindLine(skeleton.base, skeleton.mountPoint, [...SAFE, 'ro']),
    bindLine(skeleton.root, root, [...SAFE, 'ro']),
    ...skeleton.system.flatMap((path) => bound('', path, join(root, path), machine)),
    ...skeleton.devices.map((path) => bindLine(path, join(root, path), ['nosuid', 'noexec'])),
    line('proc', join(root, 'proc'), 'proc', [...SAFE, 'noexec']),
  ];
  for (const name of PROC_READ_ONLY) {
    const path = join(root, 'proc', name);
    if (await exists(join('/proc', name))) lines.push(bindLine(path, path, [...SAFE, 'noexec', 'ro']));
  }
  return lines;
}

/**
 * Plans the mounts of a sandbox, and creates their mount points.
 * @throws ContainerError `engine` if a mount point cannot be created
 */
export async function planMounts(
  { mounts, visible }: SandboxSpec,
  skeleton: Skeleton,
  machine: MachineMounts,
): Promise<MountPlan> {
  const lines: string[] = [];
  const directories: DirectoryMount[] = [];
  const temporary: string[] = [];
  const nested: MountPlan['nested'] = { directories: [], files: [], lines: [] };
  const mountOf = (path: string): DirectoryMount | undefined =>
    directories.findLast(({ target }) => isInside(path, target));
  for (const mount of [...mounts].sort((a, b) => (a.target < b.target ? -1 : 1))) {
    const { target } = mount;
    if (mount.type === 'volume') throw refused(`${target} cannot be a volume`);
    await makePoint(target, true, mountOf(target), skeleton);
    if (mount.type === 'tmpfs') {
      const size = mount.size === undefined ? [] : [`size=${mount.size}`];
      lines.push(line('tmpfs', join(ROOT, target), 'tmpfs', [...SAFE, 'mode=1777', ...size]));
      temporary.push(target);
      continue;
    }
    lines.push(...bound(OLD, mount.source, join(ROOT, target), machine, mount.readOnly));
    directories.push(mount);
  }
  const shown: string[] = [];
  /** Directories that a mount of one above them would hide. */
  const own = [...skeleton.system, ...mounts.map(({ target }) => target), ...SKELETON_DIRECTORIES];
  for (const path of [...new Set(visible)].sort()) {
    const found = await stat(path).catch(() => undefined);
    if (!found || [...skeleton.system, ...shown].some((other) => isInside(path, other))) continue;
    if (own.some((other) => isInside(other, path))) continue;
    shown.push(path);
    const target = join(ROOT, path);
    if (temporary.some((other) => isInside(path, other))) {
      if (path.includes('\n')) throw refused(`${path} cannot be mounted: its name has more than one line`);
      nested.directories.push(found.isDirectory() ? target : dirname(target));
      if (!found.isDirectory()) nested.files.push(target);
      nested.lines.push(...bound(OLD, path, target, machine));
      continue;
    }
    await makePoint(path, found.isDirectory(), mountOf(path), skeleton);
    lines.push(...bound(OLD, path, target, machine));
  }
  return {
    lines,
    nested,
    find: (named) => {
      const path = normalize(named);
      const mount = mountOf(path);
      if (mount) return { machinePath: join(mount.source, relative(mount.target, path)) };
      if (skeleton.hasPrograms(path) || shown.some((other) => isInside(path, other))) return { machinePath: path };
      return temporary.some((target) => isInside(path, target)) ? 'temporary' : 'absent';
    },
  };
}

/** Creates a mount point in the innermost mount that contains it, or in the skeleton. */
async function makePoint(
  path: string,
  isDirectory: boolean,
  outer: DirectoryMount | undefined,
  skeleton: Skeleton,
): Promise<void> {
  if (!outer) {
    await (isDirectory ? skeleton.directory(path) : skeleton.file(path));
    return;
  }
  const inner = relative(outer.target, path);
  const point = join(outer.source, inner);
  try {
    // A package may contain links; directories of the machine outside of it must not be created.
    for (let at = outer.source, rest = inner.split(sep); rest.length > 0; rest = rest.slice(1)) {
      at = join(at, rest[0]!);
      if ((await lstat(at).catch(() => undefined))?.isSymbolicLink()) throw new Error(`${at} is a link`);
    }
    await mkdir(isDirectory ? point : dirname(point), { recursive: true });
    if (!isDirectory) await writeFile(point, '', { flag: 'a' });
  } catch (error) {
    throw refused(`${path} cannot be mounted: ${(error as Error).message}`);
  }
}

/** Returns the error for mounts that cannot be made. */
export const refused = (why: string): ContainerError => new ContainerError('engine', why);

/**
 * Mounts a directory or file with the mounts below it, each with the options that the machine requires.
 * @param old where the machine's file system is mounted
 */
function bound(old: string, source: string, target: string, machine: MachineMounts, isReadOnly = true): string[] {
  const options = (path: string): string[] => [
    ...SAFE,
    ...(machine.isNoexec(path) ? ['noexec'] : []),
    ...(isReadOnly ? ['ro'] : []),
  ];
  // The kernel binds a mount with inner ones only together with them. They keep their options, so each is bound again.
  return [source, ...machine.below(source)].map((path) => {
    const kind = machine.below(path).length > 0 ? 'rbind' : 'bind';
    return bindLine(old + path, join(target, relative(source, path)), options(path), kind);
  });
}

const bindLine = (source: string, target: string, options: readonly string[], kind = 'bind'): string =>
  line(source, target, 'none', [kind, ...options]);

function line(source: string, target: string, type: string, options: readonly string[]): string {
  return `${escaped(source)} ${escaped(target)} ${type} ${options.join(',')} 0 0`;
}

/** Escapes a path for fstab. */
const escaped = (path: string): string =>
  path.replace(/[ \t\n\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
