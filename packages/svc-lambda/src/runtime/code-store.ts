import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { readZip } from '../code/zip.ts';
import type { LambdaState } from '../state.ts';
import { Extraction } from './extraction.ts';

/** Maximum bytes of unused unpacked packages kept for later cold starts. */
const UNUSED_LIMIT = 1024 * 1024 * 1024;

/** Packages to unpack into one directory in order; later ones overwrite earlier ones. */
export interface PackageSource {
  /** Identifies the contents; equal keys share one directory. */
  key: string;
  state: LambdaState;
  /** Body ids of the .zip files. */
  bodies: readonly string[];
  /**
   * Additional `node_modules` for modules besides the package's own, nearest first. Node.js resolves ES modules only
   * from parent directories; AWS's runtimes use NODE_PATH too.
   */
  modules?: readonly string[];
  /** Additional links, by name. */
  links?: ReadonlyMap<string, string>;
}

interface UnpackedDirectory {
  directory: string;
  /** Directories removed together with it. */
  top: string;
  /** Bytes. */
  size: number;
}

interface Unpacked {
  ready: Promise<UnpackedDirectory>;
  users: number;
}

/** An unpacked package in use. */
export interface CodeDirectory {
  path: string;
  /** Releases it. */
  release(): void;
}

/** Directories with unpacked packages, shared by all environments that use them. */
export class CodeStore {
  private readonly unpacked = new Map<string, Unpacked>();

  /** @param home parent of the directories */
  constructor(private readonly home: string) {}

  /**
   * Returns the directory of packages, unpacking them on first use.
   * @throws Error if a package cannot be read or a file not be written
   */
  async acquire(source: PackageSource): Promise<CodeDirectory> {
    let entry = this.unpacked.get(source.key);
    if (!entry) {
      entry = { ready: this.unpack(source), users: 0 };
      this.unpacked.set(source.key, entry);
      entry.ready.catch(() => this.unpacked.delete(source.key));
    }
    const held = entry;
    held.users++;
    try {
      const { directory } = await held.ready;
      let released = false;
      return {
        path: directory,
        release: () => {
          if (released) return;
          released = true;
          if (--held.users > 0) return;
          // The most recently used is evicted last.
          this.unpacked.delete(source.key);
          this.unpacked.set(source.key, held);
          void this.trim();
        },
      };
    } catch (error) {
      held.users--;
      throw error;
    }
  }

  /** Evicts the least recently used directories. */
  private async trim(): Promise<void> {
    const unused = [...this.unpacked].filter(([, { users }]) => users === 0).reverse();
    let kept = 0;
    for (const [key, entry] of unused) {
      const { top, size } = await entry.ready;
      kept += size;
      if (kept <= UNUSED_LIMIT || entry.users > 0 || this.unpacked.get(key) !== entry) continue;
      this.unpacked.delete(key);
      await rm(top, { recursive: true, force: true });
    }
  }

  private async unpack({
    key,
    state,
    bodies,
    modules = [],
    links = new Map(),
  }: PackageSource): Promise<UnpackedDirectory> {
    const top = join(this.home, key);
    const partial = `${top}.partial`;
    await rm(partial, { recursive: true, force: true });
    // Non-recursive: the parent may have been removed when the emulator closed.
    await mkdir(partial);
    let root = partial;
    for (const directory of [...modules].reverse()) {
      await symlink(directory, join(root, 'node_modules'));
      root = join(root, 'package');
      await mkdir(root);
    }
    let size = 0;
    const extraction = await Extraction.into(root);
    for (const body of bodies) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of state.bodies.read(body)) chunks.push(chunk);
      for await (const entry of readZip(Buffer.concat(chunks))) {
        await extraction.add(entry);
        size += entry.size;
      }
    }
    await extraction.finish();
    for (const [name, target] of links) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await symlink(target, join(root, name));
    }
    await rm(top, { recursive: true, force: true });
    await rename(partial, top);
    return { directory: join(top, relative(partial, root)), top, size };
  }
}
