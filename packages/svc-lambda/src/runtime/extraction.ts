import { createWriteStream } from 'node:fs';
import { chmod, mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ZipEntry } from '../code/zip.ts';
import { lambdaError } from '../errors.ts';

const FILE_TYPE = 0o170000;
const SYMLINK = 0o120000;
/** Maximum length of a symbolic link's target. */
const MAX_LINK = 4096;

/** Returns the caller's error message if a package cannot be unpacked. */
const unsafe = (why: string): Error =>
  lambdaError('InvalidZipFileException', `Lambda could not unzip the deployment package: ${why}.`, 'Service');

const pointsOutside = (name: string): Error => unsafe(`${name} leads out of the package`);

/**
 * Writes the entries of packages into one directory and nowhere else. The file system resolves the path of each entry:
 * several links that each point inside may lead outside when combined.
 */
export class Extraction {
  /** Directories known to be inside; cleared when links are created, because these change path resolution. */
  private readonly known = new Set<string>();
  private readonly links: { name: string; path: string }[] = [];

  /** @param root the directory, with a link-free path */
  private constructor(private readonly root: string) {}

  /** @param root the existing directory */
  static async into(root: string): Promise<Extraction> {
    return new Extraction(await realpath(root));
  }

  /**
   * Writes an entry, replacing an existing file.
   * @throws Error `InvalidZipFileException` if its path, or a link in it, leads outside of the directory
   */
  async add(entry: ZipEntry): Promise<void> {
    const { name, mode } = entry;
    const isDirectory = name.endsWith('/');
    const path = join(this.root, name);
    // readZip rejects textual escapes; this check covers the file system's resolution.
    if (!this.contains(path) || (path === this.root && !isDirectory)) throw pointsOutside(name);
    await this.makeDirectory(isDirectory ? path : dirname(path), name);
    if (isDirectory) return;
    // An earlier package may have created something else here, such as a link to the outside.
    await rm(path, { recursive: true, force: true });
    if ((mode & FILE_TYPE) === SYMLINK) {
      await this.link(entry, path);
      return;
    }
    await pipeline(Readable.from(entry.read()), createWriteStream(path, { flags: 'wx' }));
    // Packages from Windows have no modes; AWS then makes everything readable and executable.
    const permissions = mode & 0o777;
    await chmod(path, permissions === 0 ? 0o755 : permissions | 0o400);
  }

  /**
   * Validates links again once all targets exist.
   * @throws Error if one leads outside
   */
  async finish(): Promise<void> {
    for (const { name, path } of this.links) {
      // A later entry may have replaced it, or its target may be missing, in which case it is harmless.
      const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP') return this.root;
        throw error;
      });
      if (!this.contains(real)) throw pointsOutside(name);
    }
  }

  private contains(path: string): boolean {
    return path === this.root || path.startsWith(this.root + sep);
  }

  /** Creates a directory and its parents, checking each before creating the next. */
  private async makeDirectory(path: string, name: string): Promise<void> {
    if (this.known.has(path)) return;
    let directory = this.root;
    for (const part of relative(this.root, path).split(sep)) {
      if (part === '') continue;
      directory = join(directory, part);
      await mkdir(directory).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      const real = await realpath(directory).catch(() => undefined);
      if (real === undefined || !this.contains(real)) throw pointsOutside(name);
    }
    this.known.add(path);
  }

  /** Creates a symbolic link, unless it leads out of the package by itself. */
  private async link(entry: ZipEntry, path: string): Promise<void> {
    const { name } = entry;
    if (entry.size > MAX_LINK) throw unsafe(`${name} is no link`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry.read()) chunks.push(chunk);
    const target = Buffer.concat(chunks).toString();
    // Real location of the link: its path may contain an earlier link.
    const resolved = join(await realpath(dirname(path)), target);
    if (target.startsWith('/') || !this.contains(resolved) || resolved === this.root) throw pointsOutside(name);
    await symlink(target, path);
    this.known.clear();
    this.links.push({ name, path });
  }
}
