import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from '../base/log.ts';
import { BatchWriter } from '../persistence/batch-writer.ts';
import type { BodyStore, BodyStream, ByteRange, StoredBody } from '../storage/body-store.ts';
import { type FileSystem, isFileError, type OpenFile } from '../storage/file-system.ts';
import { reportStorageTrouble, storageProblem } from '../storage/storage-trouble.ts';
import type { BodyCache } from './cache.ts';
import { BodyChecks } from './checks.ts';
import { BodyCounts } from './counts.ts';
import { BodyReader } from './reader.ts';

/** Options of a store of bodies in files. */
export interface FileBodiesOptions {
  fileSystem: FileSystem;
  /** Contains `<first two digits>/<id>` for each body; created at the first write. */
  directory: string;
  /** Whether a write waits until the body has reached the device. */
  sync: boolean;
  log: Logger;
  cache?: BodyCache;
  /** Directory for unreferenced files; without it they are removed. */
  orphans?: string;
  /** Returns names of bodies, to avoid hashing their content; by default the hash is the name. */
  newId?: () => string;
  /**
   * Calls `action` once every change so far is on disk, so that no restored record lacks its body. Without it files are
   * removed at once.
   */
  afterCommit?: (action: () => void) => void;
}

/** Name of an incomplete body. */
const INCOMING = /^incoming-\d+$/;

/** Bodies as files, named by their content by default. */
export class FileBodies implements BodyStore {
  private readonly counts = new BodyCounts((id) => this.discard(id));
  private readonly incoming = new Set<string>();
  private readonly made = new Set<string>();
  /** Unreferenced bodies whose files remain, by id: number of the release of each, in ascending order. */
  private readonly released = new Map<string, number>();
  private lastRelease = 0;
  /** Number of the last release that belongs to a change on disk. */
  private committedRelease = 0;
  private sweeping: Promise<void> | undefined;
  private closed = false;
  /** Running work on the files of bodies, by id. */
  private readonly busy = new Map<string, Promise<void>>();
  private writes = 0;
  private readonly checks: BodyChecks;

  constructor(private readonly options: FileBodiesOptions) {
    this.checks = new BodyChecks(options);
  }

  async write(
    source: AsyncIterable<Uint8Array> | Uint8Array,
    observe?: (chunk: Uint8Array) => void,
  ): Promise<StoredBody> {
    const { fileSystem, directory, cache } = this.options;
    await this.makeDirectory(directory);
    const name = `incoming-${this.writes++}`;
    const path = join(directory, name);
    const gathering = cache?.gather();
    this.incoming.add(name);
    try {
      const body = await this.writeFile(path, source, (chunk) => {
        observe?.(chunk);
        gathering?.add(chunk);
      });
      await this.alone(body.id, async () => {
        const folder = join(directory, body.id.slice(0, 2));
        await this.makeDirectory(folder);
        // Replaces an existing equal body by its equal.
        await fileSystem.rename(path, join(folder, body.id));
        if (this.options.sync) await fileSystem.syncDirectory(folder);
        this.checks.written(body.id, body.size);
        this.retain(body.id);
      });
      gathering?.keep(body.id);
      return body;
    } catch (error) {
      // The first error is reported; the file is removed at the next start.
      await fileSystem.remove(path).catch(() => undefined);
      throw error;
    } finally {
      gathering?.drop();
      this.incoming.delete(name);
    }
  }

  read(id: string, range?: ByteRange): BodyStream {
    const { cache } = this.options;
    if (!this.counts.isHeld(id)) throw new Error(`unknown body ${id}`);
    this.counts.beginReading(id);
    return new BodyReader(
      {
        open: () => this.open(id),
        cached: cache?.get(id),
        // Parts of a body are not cached: the next read is most likely another part.
        gather: cache && !range ? () => cache.gather() : undefined,
        onEnd: () => this.counts.endReading(id),
      },
      id,
      range,
    );
  }

  retain(id: string): void {
    this.released.delete(id);
    this.counts.retain(id);
  }

  release(id: string): void {
    this.counts.release(id);
  }

  async check(id: string): Promise<void> {
    if (!this.counts.isHeld(id)) throw new Error(`unknown body ${id}`);
    if (this.options.newId || this.options.cache?.has(id)) return;
    this.counts.beginReading(id);
    try {
      await this.checks.check(id);
    } finally {
      this.counts.endReading(id);
    }
  }

  async clearOut(): Promise<void> {
    const { fileSystem, directory } = this.options;
    let orphans = 0;
    for (const name of await fileSystem.list(directory)) {
      const path = join(directory, name);
      if (INCOMING.test(name)) {
        if (!this.incoming.has(name)) await fileSystem.remove(path);
        continue;
      }
      for (const id of await fileSystem.list(path)) if (await this.setAside(id)) orphans++;
    }
    // A crash leaves some as well: bodies whose records were not written yet, or just removed.
    if (orphans && this.options.orphans)
      this.options.log.info(`${orphans} unreferenced bodies were moved to ${this.options.orphans}`);
  }

  private async writeFile(
    path: string,
    source: AsyncIterable<Uint8Array> | Uint8Array,
    observe: (chunk: Uint8Array) => void,
  ): Promise<StoredBody> {
    const { newId } = this.options;
    const hash = newId ? undefined : createHash('sha256');
    let size = 0;
    const file = await this.options.fileSystem.open(path, 'w');
    const writer = new BatchWriter(file);
    try {
      for await (const chunk of source instanceof Uint8Array ? [source] : source) {
        observe(chunk);
        hash?.update(chunk);
        await writer.write(chunk);
        size += chunk.length;
      }
      await writer.end();
      if (this.options.sync) await file.sync();
    } finally {
      await writer.settled();
      await file.close();
    }
    return { id: hash ? hash.digest('hex') : newId!(), size };
  }

  async close(): Promise<void> {
    while (this.sweeping) await this.sweeping;
    this.closed = true;
  }

  /** Registers a body without references. Its file is removed after the changes made so far are committed. */
  private discard(id: string): void {
    this.options.cache?.delete(id);
    const release = ++this.lastRelease;
    this.released.set(id, release);
    const onCommit = (): void => {
      this.committedRelease = release;
      if (!this.closed) this.sweeping ??= this.sweep();
    };
    if (this.options.afterCommit) this.options.afterCommit(onCommit);
    else onCommit();
  }

  /** Removes the files of bodies that were released by changes on disk. */
  private async sweep(): Promise<void> {
    // Starts after `sweeping` is set, as its end clears it.
    await Promise.resolve();
    try {
      for (const [id, release] of this.released) {
        if (release > this.committedRelease) break;
        this.released.delete(id);
        await this.remove(id);
      }
    } catch (error) {
      // Remaining files only cost space: the next sweep continues with them, and the cleanup takes the one that failed.
      const message = 'unreferenced bodies could not be removed';
      if (storageProblem(error) === undefined) this.options.log.warn(message, { error });
      else reportStorageTrouble(this.options.log, message, error);
    } finally {
      this.sweeping = undefined;
    }
  }

  private async remove(id: string): Promise<void> {
    await this.alone(id, async () => {
      // It may have been stored again meanwhile, and even released again by a change that is not on disk yet.
      if (this.isNeeded(id)) return;
      this.checks.discard(id);
      await this.options.fileSystem.remove(this.pathOf(id));
    });
  }

  /** Whether a body is referenced, or may be by a record on disk. */
  private isNeeded(id: string): boolean {
    return this.counts.isUsed(id) || (this.released.get(id) ?? 0) > this.committedRelease;
  }

  /** Removes the file of a released body, or moves one that was never retained. @returns whether it was moved */
  private async setAside(id: string): Promise<boolean> {
    const { fileSystem, orphans } = this.options;
    let moved = false;
    await this.alone(id, async () => {
      if (this.isNeeded(id)) return;
      this.checks.discard(id);
      if (this.released.delete(id) || !orphans) return fileSystem.remove(this.pathOf(id));
      await fileSystem.makeDirectory(orphans);
      try {
        await fileSystem.rename(this.pathOf(id), join(orphans, id));
        moved = true;
      } catch (error) {
        // It was released and removed since the directory was listed.
        if (!isFileError(error, 'ENOENT')) throw error;
      }
    });
    return moved;
  }

  private async open(id: string): Promise<{ file: OpenFile; size: number }> {
    if (!this.options.newId) return this.checks.open(id);
    // Spooled for this process, without a name to compare its content with.
    const file = await this.options.fileSystem.open(this.pathOf(id), 'r');
    return { file, size: await file.size() };
  }

  /** Runs `action` after other work on a body's file. */
  private async alone(id: string, action: () => Promise<void>): Promise<void> {
    const running = (this.busy.get(id) ?? Promise.resolve()).then(action);
    const end = running.catch(() => undefined);
    this.busy.set(id, end);
    try {
      await running;
    } finally {
      if (this.busy.get(id) === end) this.busy.delete(id);
    }
  }

  private async makeDirectory(path: string): Promise<void> {
    if (this.made.has(path)) return;
    await this.options.fileSystem.makeDirectory(path);
    if (this.options.sync) await this.options.fileSystem.syncDirectory(join(path, '..'));
    this.made.add(path);
  }

  private pathOf(id: string): string {
    return this.checks.pathOf(id);
  }
}
