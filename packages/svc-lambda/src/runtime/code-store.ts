import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { LambdaState } from '../state.ts';
import { readZip } from '../zip.ts';
import { Extraction } from './extraction.ts';

/** Bytes of unpacked packages that nobody uses which are kept for the next cold start. */
const UNUSED_LIMIT = 1024 * 1024 * 1024;

/** Packages to unpack into one directory, in order: a later one wins. */
export interface PackageSource {
  /** Tells the contents apart; equal keys share one directory. */
  key: string;
  state: LambdaState;
  /** Ids of the bodies of the .zip files. */
  bodies: readonly string[];
  /**
   * Where modules find packages besides the package's own `node_modules`, nearest first. Node.js looks for the packages
   * of ES modules in the directories above only; AWS's runtimes make it look along NODE_PATH too.
   */
  modules?: readonly string[];
}

interface UnpackedDirectory {
  directory: string;
  /** What is removed with it. */
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
  /** Tells that it is no longer used. */
  release(): void;
}

/** Directories with unpacked packages, shared by all environments that run them. */
export class CodeStore {
  private readonly unpacked = new Map<string, Unpacked>();

  /** @param home where the directories go */
  constructor(private readonly home: string) {}

  /**
   * The directory of packages, unpacked at first use.
   * @throws Error where a package cannot be read or a file not be written
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
          // What was used last is the last to go.
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

  /** Removes the directories that were unused for the longest time. */
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

  private async unpack({ key, state, bodies, modules = [] }: PackageSource): Promise<UnpackedDirectory> {
    const top = join(this.home, key);
    const partial = `${top}.partial`;
    await rm(partial, { recursive: true, force: true });
    // Never together with what is above: that may have been removed because the emulator ends.
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
    await rm(top, { recursive: true, force: true });
    await rename(partial, top);
    return { directory: join(top, relative(partial, root)), top, size };
  }
}
