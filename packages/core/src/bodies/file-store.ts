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

/** Where bodies are kept as files. */
export interface FileBodiesOptions {
  fileSystem: FileSystem;
  /** Holds `<first two digits>/<id>` for each body; made at the first write. */
  directory: string;
  /** Whether a write waits until the body has reached the device. */
  sync: boolean;
  log: Logger;
  cache?: BodyCache;
  /** Where files go that nobody refers to; without it they are removed. */
  orphans?: string;
  /** Names bodies otherwise than by their content, for which they would have to be hashed. */
  newId?: () => string;
  /**
   * Calls `action` once every change so far is on disk, so that no record comes back without its body. Without it files
   * are removed at once.
   */
  afterCommit?: (action: () => void) => void;
}

/** Name of a body that is not whole yet. */
const INCOMING = /^incoming-\d+$/;

/** Bodies as files named by their content, if not otherwise. */
export class FileBodies implements BodyStore {
  private readonly counts = new BodyCounts((id) => this.discard(id));
  private readonly incoming = new Set<string>();
  private readonly made = new Set<string>();
  /** Bodies that nobody refers to and whose files remain, by id: number of the release of each, in ascending order. */
  private readonly released = new Map<string, number>();
  private lastRelease = 0;
  /** Number of the last release that belongs to a change on disk. */
  private committedRelease = 0;
  private sweeping: Promise<void> | undefined;
  private closed = false;
  /** Ends of what is being done to the files of bodies, by id. */
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
        // An equal body that is there already is replaced by its equal.
        await fileSystem.rename(path, join(folder, body.id));
        if (this.options.sync) await fileSystem.syncDirectory(folder);
        this.checks.written(body.id, body.size);
        this.retain(body.id);
      });
      gathering?.keep(body.id);
      return body;
    } catch (error) {
      // The error to tell is the first one; what is left is removed at the next start.
      await fileSystem.remove(path).catch(() => undefined);
      throw error;
    } finally {
      gathering?.drop();
      this.incoming.delete(name);
    }
  }

  read(id: string, range?: ByteRange): BodyStream {
    const { cache } = this.options;
    if (!this.counts.isHeld(id)) throw new Error(`there is no body ${id}`);
    this.counts.beginReading(id);
    return new BodyReader(
      {
        open: () => this.open(id),
        cached: cache?.get(id),
        // A part of a body is not kept: what is read next is most likely another part.
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
    if (!this.counts.isHeld(id)) throw new Error(`there is no body ${id}`);
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
    // A killed process leaves some as well: bodies whose records were not written yet, or just removed.
    if (orphans && this.options.orphans)
      this.options.log.info(`${orphans} bodies that nothing refers to were moved to ${this.options.orphans}`);
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

  /** Notes that nobody refers to a body any more. Its file is removed after the commit of the changes made so far. */
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
    // Begins after `sweeping` is set, which its end clears.
    await Promise.resolve();
    try {
      for (const [id, release] of this.released) {
        if (release > this.committedRelease) break;
        this.released.delete(id);
        await this.remove(id);
      }
    } catch (error) {
      // Files that remain cost only space: the next sweep goes on with them, and clearing out takes the one that failed.
      const message = 'bodies that nothing refers to could not be removed';
      if (storageProblem(error) === undefined) this.options.log.warn(message, { error });
      else reportStorageTrouble(this.options.log, message, error);
    } finally {
      this.sweeping = undefined;
    }
  }

  private async remove(id: string): Promise<void> {
    await this.alone(id, async () => {
      // It may have come again meanwhile, and even been released again, by a change that is not on disk yet.
      if (this.isNeeded(id)) return;
      this.checks.forget(id);
      await this.options.fileSystem.remove(this.pathOf(id));
    });
  }

  /** Whether anybody refers to a body, or a record on disk may. */
  private isNeeded(id: string): boolean {
    return this.counts.isUsed(id) || (this.released.get(id) ?? 0) > this.committedRelease;
  }

  /** Removes the file of a released body, and moves one that nobody has retained. @returns whether it was moved */
  private async setAside(id: string): Promise<boolean> {
    const { fileSystem, orphans } = this.options;
    let moved = false;
    await this.alone(id, async () => {
      if (this.isNeeded(id)) return;
      this.checks.forget(id);
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
    // Spooled for this process, under no name that its content could be compared with.
    const file = await this.options.fileSystem.open(this.pathOf(id), 'r');
    return { file, size: await file.size() };
  }

  /** Runs `action` when nothing else is done to a body's file. */
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
