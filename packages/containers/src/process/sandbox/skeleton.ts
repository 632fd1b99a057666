import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside } from './machine-mounts.ts';

/** User and group of functions on AWS. */
export const USER = 993;
export const GROUP = 990;
/** Root directory of instances, inside the root of their mounts: a process in it cannot create user namespaces. */
export const ROOT = '/r';
/** Mount point of the machine's file system until it is detached. */
export const OLD_ROOT = 'old';

/** Directories that every sandbox has, besides those of the machine. */
export const SKELETON_DIRECTORIES = ['/dev', '/etc', '/opt', '/proc', '/tmp', '/var/runtime', '/var/task'];
/** Directories with the programs of the machine. Some distributions make links of the short ones. */
const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/libx32', '/lib64', '/nix/store', '/gnu/store'];
/** Directories of configuration that libraries and programs read. None contains secrets. */
const CONFIGURATION = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/crypto-policies',
  '/etc/fonts',
  '/etc/pki/ca-trust/extracted',
  '/etc/pki/tls/certs',
  '/etc/ssl/certs',
];
/** Names of directories of configuration of languages and their libraries. */
const OF_LANGUAGES = /^(?:ghostscript|ImageMagick-\d|java-\d|perl|python\d)/;
/** Files of configuration that do not change while emu runs. */
const FILES = [
  'gai.conf',
  'host.conf',
  'ld.so.cache',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'pki/tls/cert.pem',
  'pki/tls/openssl.cnf',
  'protocols',
  'services',
  'ssl/cert.pem',
  'ssl/openssl.cnf',
];
/** Files that change with the network. */
const NETWORK_FILES = ['resolv.conf', 'hosts'];
/** Names of an environment's own machine on AWS, which extensions use for their listeners. */
const OWN_HOSTS = '127.0.0.1 sandbox.localdomain sandbox\n';
/** Devices without state. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];
const DEVICE_LINKS = { fd: '/proc/self/fd', stdin: 'fd/0', stdout: 'fd/1', stderr: 'fd/2' };
const PASSWD = `root:x:0:0:root:/root:/bin/sh
sbx_user1051:x:${USER}:${GROUP}::/home/sbx_user1051:/sbin/nologin
`;
const GROUPS = `root:x:0:\nsbx_group1051:x:${GROUP}:\n`;

/**
 * Directories on which the file systems of sandboxes are mounted, and small files that all of them contain. The root of
 * the mounts contains the root of instances and links into it.
 */
export class Skeleton {
  /** Mount point of sandboxes. */
  readonly mountPoint: string;
  /** Root of the mounts, and root of instances. */
  readonly base: string;
  readonly root: string;
  /** Directories of the machine that every sandbox contains. */
  readonly system: string[] = [];
  readonly devices: string[] = [];
  private readonly copied = new Map<string, number>();

  private constructor(home: string) {
    this.mountPoint = join(home, 'mount');
    this.base = join(home, 'base');
    this.root = join(home, 'root');
  }

  /** Creates the directories. */
  static async make(home: string): Promise<Skeleton> {
    const skeleton = new Skeleton(home);
    const { base, root } = skeleton;
    for (const directory of [skeleton.mountPoint, join(base, ROOT), join(base, OLD_ROOT)])
      await mkdir(directory, { recursive: true });
    for (const directory of SKELETON_DIRECTORIES) await mkdir(join(root, directory), { recursive: true });
    await skeleton.addSystem();
    for (const name of DEVICES)
      if (existsSync(join('/dev', name))) skeleton.devices.push(await skeleton.file(join('/dev', name)));
    for (const [name, target] of Object.entries(DEVICE_LINKS)) await symlink(target, join(root, 'dev', name));
    await writeFile(join(root, 'etc/passwd'), PASSWD);
    await writeFile(join(root, 'etc/group'), GROUPS);
    for (const name of FILES) await skeleton.copy(name);
    // Programs that enter or set up a sandbox run in the root of its mounts.
    for (const name of await readdir(root)) await symlink(join(ROOT.slice(1), name), join(base, name));
    return skeleton;
  }

  /** Copies the files that depend on the network if they have changed. Running sandboxes see them, too. */
  async refresh(): Promise<void> {
    for (const name of NETWORK_FILES) await this.copy(name, name === 'hosts' ? OWN_HOSTS : '');
  }

  /** Whether a path is in a directory of the machine that every sandbox contains. */
  hasPrograms(path: string): boolean {
    return [...PROGRAMS, ...this.system].some((directory) => isInside(path, directory));
  }

  /** Creates a mount point for a directory. @returns its path inside */
  async directory(path: string): Promise<string> {
    await mkdir(join(this.root, path), { recursive: true });
    return path;
  }

  /** Creates a mount point for a file. @returns its path inside */
  async file(path: string): Promise<string> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), '', { flag: 'a' });
    return path;
  }

  private async addSystem(): Promise<void> {
    for (const path of PROGRAMS) {
      const found = await lstat(path).catch(() => undefined);
      if (found?.isSymbolicLink()) await symlink(await readlink(path), join(this.root, path));
      else if (found?.isDirectory()) this.system.push(await this.directory(path));
    }
    for (const path of [...CONFIGURATION, ...(await languageConfiguration())])
      if (await isDirectory(path)) this.system.push(await this.directory(path));
  }

  private async copy(name: string, added = ''): Promise<void> {
    const source = join('/etc', name);
    const found = await stat(source).catch(() => undefined);
    if (!found?.isFile() || this.copied.get(name) === found.mtimeMs) return;
    const target = join(this.root, 'etc', name);
    await mkdir(dirname(target), { recursive: true });
    const content = await readFile(source);
    await writeFile(target, added ? `${content}\n${added}` : content);
    this.copied.set(name, found.mtimeMs);
  }
}

async function languageConfiguration(): Promise<string[]> {
  const names = await readdir('/etc').catch(() => []);
  return names.filter((name) => OF_LANGUAGES.test(name)).map((name) => join('/etc', name));
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
