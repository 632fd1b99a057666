import { dirname } from 'node:path';
import { DirectoryLost } from '../storage/directory-lost.ts';
import { type FileSystem, isFileError, type OpenFile, writeFully } from '../storage/file-system.ts';
import { Slices } from '../time/slices.ts';
import { encodeChange, encodeHeader, encodeRecord } from './journal-format.ts';
import type { JournalMark } from './manifest.ts';
import type { Change, ChangeBatch } from './persistence.ts';

/** Characters at which a group is closed to further operations. */
const GROUP_LIMIT = 8 * 1024 * 1024;
/** Characters of records that are converted to bytes at once. */
const PIECE = 64 * 1024;
/** Maximum number of waiting characters before new operations must wait too. */
const WAITING_LIMIT = 16 * 1024 * 1024;

/** Milliseconds between two checks that the file still exists. */
const CHECK_INTERVAL = 1000;

/** Position in a journal. */
export interface JournalTarget {
  /** Number of the journal. */
  number: number;
  /** Sequence number of the next record. */
  sequence: number;
  /** The existing file, if any, and its length. */
  existing?: { file: OpenFile; size: number };
  /** The previous journal. */
  previous?: JournalMark | undefined;
}

/** Options and callbacks of a writer. */
export interface JournalWriterOptions {
  fileSystem: FileSystem;
  service: string;
  /** Returns the path of a journal by its number. */
  pathOf: (number: number) => string;
  /** Called before a journal is created. */
  prepare: () => Promise<void>;
  /** Called after a journal was created. */
  onCreated: () => void;
  /** Whether each group must reach the device. */
  sync: boolean;
  /** Called when writing begins, and when everything is written. */
  onDirty: (dirty: boolean) => void;
  /** Called after each group with its size in bytes. */
  onWritten: (bytes: number) => void;
  /** Called when writing begins to fail, and when it works again. */
  onHealth: (error: unknown) => void;
}

/** Changes that are written together. */
class Group {
  readonly changes: string[] = [];
  /** Indexes of changes that complete an operation, ascending. */
  readonly ends: number[] = [];
  size = 0;
  /** The bytes of the first attempt, which are written again after a failure. */
  bytes: Buffer | undefined;
  /** Called once the group is written, after any number of attempts. */
  readonly afterwards: (() => void)[] = [];
  private waiting: { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void } | undefined;

  /** Settles with the next attempt to write the group. */
  get written(): Promise<void> {
    this.waiting ??= deferred();
    return this.waiting.promise;
  }

  endOperation(): void {
    const last = this.changes.length - 1;
    if (last >= 0 && this.ends.at(-1) !== last) this.ends.push(last);
  }

  resolve(): void {
    this.waiting?.resolve();
  }

  reject(error: unknown): void {
    this.waiting?.reject(error);
    this.waiting = undefined;
  }

  /** Encodes the group's records, in slices if there are many. @returns a promise only if it has to pause */
  encode(sequence: number): Buffer | Promise<Buffer> {
    this.endOperation();
    if (this.size > PIECE) return this.encodeInSlices(sequence);
    let text = '';
    for (const record of this.records(sequence)) text += record;
    return Buffer.from(text);
  }

  private async encodeInSlices(sequence: number): Promise<Buffer> {
    const slices = new Slices();
    const pieces: Buffer[] = [];
    let text = '';
    for (const record of this.records(sequence)) {
      text += record;
      if (text.length < PIECE) continue;
      pieces.push(Buffer.from(text));
      text = '';
      const pause = slices.pause();
      if (pause) await pause;
    }
    pieces.push(Buffer.from(text));
    return Buffer.concat(pieces);
  }

  private *records(sequence: number): Iterable<string> {
    let end = 0;
    for (let index = 0; index < this.changes.length; index++) {
      const last = this.ends[end] === index;
      if (last) end++;
      yield encodeRecord(sequence + index, index, !last, this.changes[index]!);
    }
  }
}

function deferred() {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // Callers that wait receive the rejection; without one it is no defect.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/**
 * Writes a service's changes in groups: one write runs at a time, and changes appended meanwhile belong to the next. A
 * group that cannot be written stays first in the queue, the file is truncated to its intact length, and the next
 * commit tries again.
 */
export class JournalWriter {
  private readonly queue: Group[] = [];
  /** The last group of the queue while it accepts changes. */
  private open: Group | undefined;
  private waitingSize = 0;
  /** Number of batches that have not ended. */
  private batches = 0;
  /** Called after the changes of those batches are written. */
  private readonly afterBatches: (() => void)[] = [];
  /** Whether the file is locked. */
  private busy = false;
  /** Callers that wait for the lock of the file. */
  private readonly successors: (() => void)[] = [];
  private wake: NodeJS.Immediate | undefined;
  private failed = false;
  private closed = false;
  /** Error of a change that could not be appended; the next commit rejects with it. */
  private defect: Error | undefined;
  /** Whether the file may hold bytes after `size`. */
  private torn = false;
  private file: OpenFile | undefined;
  private size: number;
  /** Why nothing can be written any more: the file with its content was removed. */
  private lost: DirectoryLost | undefined;
  /** Time of the next check for that, in milliseconds of `performance.now()`. */
  private nextCheck = 0;
  private number: number;
  private sequence: number;
  /** The journal before the current one, which is complete. */
  private previous: JournalMark | undefined;

  constructor(
    private readonly options: JournalWriterOptions,
    target: JournalTarget,
  ) {
    this.number = target.number;
    this.sequence = target.sequence;
    this.file = target.existing?.file;
    this.size = target.existing?.size ?? 0;
    this.previous = target.previous;
  }

  /** Returns the last journal, up to what is written; undefined without one. */
  get mark(): JournalMark | undefined {
    const { number, size, sequence, previous } = this;
    return size ? { number, size, sequence, synced: this.options.sync } : previous;
  }

  /** Whether a change or an error waits for the next commit. */
  get dirty(): boolean {
    return this.queue.length > 0 || this.defect !== undefined;
  }

  /** Whether operations should await `committed` before further changes. */
  get congested(): boolean {
    return this.failed || this.waitingSize > WAITING_LIMIT;
  }

  /** See `ServiceJournal.append`. The change belongs to the next group. */
  append(change: Change): boolean {
    const text = this.encode(change);
    if (text === undefined) return false;
    this.add(text);
    return true;
  }

  /** Ends the running operation. Groups are closed only here, so that no operation is split. */
  private endOperation(): void {
    const { open } = this;
    open?.endOperation();
    if (open && open.size > GROUP_LIMIT) this.open = undefined;
  }

  /** See `ServiceJournal.batch`. */
  batch(): ChangeBatch {
    const texts: string[] = [];
    this.batches++;
    return {
      append: (change) => {
        const text = this.encode(change);
        if (text === undefined) return false;
        texts.push(text);
        return true;
      },
      end: () => {
        // An uncommitted operation is not part of it.
        this.endOperation();
        for (const text of texts.splice(0)) this.add(text);
        this.endOperation();
        if (--this.batches === 0) for (const action of this.afterBatches.splice(0)) this.afterCommit(action);
      },
    };
  }

  /** See `ServiceJournal.afterCommit`. */
  afterCommit(action: () => void): void {
    if (this.closed) return;
    const actions = this.batches ? this.afterBatches : this.queue.at(-1)?.afterwards;
    if (actions) actions.push(action);
    else action();
  }

  /** Encodes a change; undefined on failure, with which the next commit rejects. */
  private encode(change: Change): string | undefined {
    try {
      if (this.closed) throw new Error('the journal is closed');
      return encodeChange(change);
    } catch (cause) {
      const what = `a change of ${change.collection} in ${this.options.service}`;
      this.defect ??= new Error(`${what} cannot be written: ${String(cause)}`, { cause });
      this.options.onDirty(true);
      return undefined;
    }
  }

  private add(text: string): void {
    if (!this.open) {
      this.open = new Group();
      if (this.queue.push(this.open) === 1) this.options.onDirty(true);
      // Changes without a waiting request, such as those of timers, are written too.
      this.wake ??= setImmediate(() => this.drain());
    }
    this.open.changes.push(text);
    this.open.size += text.length;
    this.waitingSize += text.length;
  }

  /** Resolves when everything appended so far is written; rejects if that fails. Ends the running operation. */
  committed(): Promise<void> {
    if (this.defect) {
      const { defect } = this;
      this.defect = undefined;
      if (!this.queue.length) this.options.onDirty(false);
      return Promise.reject(defect);
    }
    this.endOperation();
    const last = this.queue.at(-1);
    if (!last) return Promise.resolve();
    const { written } = last;
    this.drain();
    return written;
  }

  /**
   * Ends the current journal, so that changes from now on, and perhaps earlier ones, are written to the next one.
   * @returns number of the last completed journal
   */
  async rotate(): Promise<number> {
    await this.exclusively(async () => {
      const { file } = this;
      if (!file) return;
      if (this.torn) await file.truncate(this.size);
      this.torn = false;
      // The old journal must be at least as durable as the new one.
      await file.sync();
      this.previous = { number: this.number, size: this.size, sequence: this.sequence, synced: true };
      this.file = undefined;
      this.number++;
      this.size = 0;
      await file.close();
    });
    return this.number - 1;
  }

  /** Checks that the file still exists; otherwise changes fail from then on. */
  async checkFile(): Promise<void> {
    await this.exclusively(async () => {
      if (!this.file || this.lost || this.closed) return;
      await this.checkExists(this.file).catch((error: unknown) => this.setFailed(true, error));
    });
  }

  /** Closes the file; unwritten changes are lost. */
  async close(): Promise<void> {
    this.closed = true;
    clearImmediate(this.wake);
    await this.exclusively(async () => {
      const { file } = this;
      this.file = undefined;
      await file?.close();
    });
  }

  /** Runs `action` while no write is running. */
  private async exclusively(action: () => Promise<void>): Promise<void> {
    // The lock is handed over without being released, so that no other caller takes it.
    if (this.busy) await new Promise<void>((resolve) => this.successors.push(resolve));
    this.busy = true;
    try {
      await action();
    } finally {
      this.handOver();
      if (this.queue.length && !this.closed) this.drain();
    }
  }

  private handOver(): void {
    const next = this.successors.shift();
    if (next) next();
    else this.busy = false;
  }

  private drain(): void {
    if (this.busy) return;
    this.busy = true;
    void this.writeGroups();
  }

  private async writeGroups(): Promise<void> {
    clearImmediate(this.wake);
    this.wake = undefined;
    for (let group = this.queue[0]; group && !this.successors.length; group = this.queue[0]) {
      if (this.open === group) this.open = undefined;
      try {
        await this.write(group);
      } catch (error) {
        this.setFailed(true, error);
        this.handOver();
        for (const waiting of this.queue) waiting.reject(error);
        return;
      }
      this.queue.shift();
      this.waitingSize -= group.size;
      this.setFailed(false, undefined);
      if (!this.queue.length && !this.defect) this.options.onDirty(false);
      group.resolve();
      for (const action of group.afterwards) action();
      this.options.onWritten(group.bytes!.length);
    }
    this.handOver();
  }

  private async write(group: Group): Promise<void> {
    if (this.lost) throw this.lost;
    const file = this.file ?? (await this.create());
    group.bytes ??= await group.encode(this.sequence);
    if (this.torn) await file.truncate(this.size);
    this.torn = true;
    try {
      await writeFully(file, group.bytes, this.size);
      if (this.options.sync) await file.datasync();
    } catch (error) {
      await file.truncate(this.size).then(
        () => {
          this.torn = false;
        },
        // Retried before the next write.
        () => undefined,
      );
      throw error;
    }
    this.torn = false;
    if (performance.now() >= this.nextCheck) await this.checkExists(file);
    this.size += group.bytes.length;
    this.sequence += group.changes.length;
  }

  /** @throws DirectoryLost if the file was removed, as writes to it are lost */
  private async checkExists(file: OpenFile): Promise<void> {
    this.nextCheck = performance.now() + CHECK_INTERVAL;
    if ((await file.status()).links) return;
    const path = this.options.pathOf(this.number);
    // Some file systems do not count links.
    const named = await this.options.fileSystem.status(path).catch((error: unknown) => {
      if (isFileError(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    });
    if (named?.links === 0) return;
    this.lost = new DirectoryLost(path);
    throw this.lost;
  }

  /** Creates a journal and renames it with its first line written, so that one without the line is damaged. */
  private async create(): Promise<OpenFile> {
    const { fileSystem, pathOf, prepare, service, sync } = this.options;
    await prepare();
    const path = pathOf(this.number);
    const temporary = `${path}.tmp`;
    const header = Buffer.from(encodeHeader({ service, number: this.number, sequence: this.sequence }));
    try {
      const file = await fileSystem.open(temporary, 'w');
      try {
        await writeFully(file, header, 0);
        if (sync) await file.sync();
      } finally {
        await file.close();
      }
      await fileSystem.rename(temporary, path);
    } catch (error) {
      // The first error is reported; the next start removes the remains at the latest.
      await fileSystem.remove(temporary).catch(() => undefined);
      throw error;
    }
    if (sync) await fileSystem.syncDirectory(dirname(path));
    this.file = await fileSystem.open(path, 'r+');
    this.size = header.length;
    this.options.onCreated();
    return this.file;
  }

  private setFailed(failed: boolean, error: unknown): void {
    if (this.failed === failed) return;
    this.failed = failed;
    this.options.onHealth(error);
  }
}
