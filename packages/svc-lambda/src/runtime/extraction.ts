import { createWriteStream } from 'node:fs';
import { chmod, mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lambdaError } from '../errors.ts';
import type { ZipEntry } from '../zip.ts';

const FILE_TYPE = 0o170000;
const SYMLINK = 0o120000;
/** Longest target of a symbolic link. */
const MAX_LINK = 4096;

/** What the caller of a function is told whose package cannot be unpacked. */
const unsafe = (why: string): Error =>
  lambdaError('InvalidZipFileException', `Lambda could not unzip the deployment package: ${why}.`, 'Service');

const leadsOut = (name: string): Error => unsafe(`${name} leads out of the package`);

/**
 * Writes the entries of packages into one directory and nowhere else. What a path means is asked of the file system
 * for every entry: links that each lead to a place inside may lead out together.
 */
export class Extraction {
  /** Directories that are known to be inside; links may change what a path means, so they empty it. */
  private readonly known = new Set<string>();
  private readonly links: { name: string; path: string }[] = [];

  /** @param root the directory, without any link in its path */
  private constructor(private readonly root: string) {}

  /** @param root the directory, which is there */
  static async into(root: string): Promise<Extraction> {
    return new Extraction(await realpath(root));
  }

  /**
   * Writes an entry; what is there of the same name is replaced.
   * @throws Error `InvalidZipFileException` where its path, or a link in it, leads out of the directory
   */
  async add(entry: ZipEntry): Promise<void> {
    const { name, mode } = entry;
    const isDirectory = name.endsWith('/');
    const path = join(this.root, name);
    // readZip refuses names that lead out; this is what the file system makes of them.
    if (!this.contains(path) || (path === this.root && !isDirectory)) throw leadsOut(name);
    await this.makeDirectory(isDirectory ? path : dirname(path), name);
    if (isDirectory) return;
    // An earlier package may have put something else there, a link to elsewhere among them.
    await rm(path, { recursive: true, force: true });
    if ((mode & FILE_TYPE) === SYMLINK) {
      await this.link(entry, path);
      return;
    }
    await pipeline(Readable.from(entry.read()), createWriteStream(path, { flags: 'wx' }));
    // Packages made on Windows carry no modes; AWS lets everything be read and run then.
    const permissions = mode & 0o777;
    await chmod(path, permissions === 0 ? 0o755 : permissions | 0o400);
  }

  /** Looks at the links again, once everything they may lead to is there. @throws Error where one leads out */
  async finish(): Promise<void> {
    for (const { name, path } of this.links) {
      // A later entry may have replaced it, or what it leads to may not be there: then it leads nowhere.
      const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP') return this.root;
        throw error;
      });
      if (!this.contains(real)) throw leadsOut(name);
    }
  }

  private contains(path: string): boolean {
    return path === this.root || path.startsWith(this.root + sep);
  }

  /** Makes a directory and those above it, each of which has to be inside before the next is made. */
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
      if (real === undefined || !this.contains(real)) throw leadsOut(name);
    }
    this.known.add(path);
  }

  /** Makes a symbolic link, unless it leads out of the package by itself. */
  private async link(entry: ZipEntry, path: string): Promise<void> {
    const { name } = entry;
    if (entry.size > MAX_LINK) throw unsafe(`${name} is no link`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry.read()) chunks.push(chunk);
    const target = Buffer.concat(chunks).toString();
    // Where the link really is: an earlier link may be part of its own path.
    const resolved = join(await realpath(dirname(path)), target);
    if (target.startsWith('/') || !this.contains(resolved) || resolved === this.root) throw leadsOut(name);
    await symlink(target, path);
    this.known.clear();
    this.links.push({ name, path });
  }
}
