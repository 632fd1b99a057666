import { join } from 'node:path';
import type { Logger } from '../kernel/log.ts';
import type { FileSystem, OpenFile } from './file-system.ts';
import { readJournal } from './journal-reader.ts';
import { JournalWriter } from './journal-writer.ts';
import type { Change, ServiceJournal, SnapshotSource } from './persistence.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';
import { reportStorageTrouble } from './storage-trouble.ts';

/** A journal smaller than this is not folded while the service runs, in bytes. */
const FOLD_SIZE = 16 * 1024 * 1024;
/** Snapshots up to this size are written when the service ends, in bytes: more would hold up the shutdown. */
const CLOSING_SNAPSHOT_LIMIT = 16 * 1024 * 1024;

const SNAPSHOT = 'snapshot.json';
const JOURNAL = /^journal-(\d+)\.jsonl$/;

/** Whether a file of a service's directory is a journal. */
export function isJournalFile(name: string): boolean {
  return JOURNAL.test(name);
}

/** Whether a file of a service's directory holds records of it. */
export function isStateFile(name: string): boolean {
  return name === SNAPSHOT || isJournalFile(name);
}

/** What a journal is opened with. */
export interface JournalOptions {
  fileSystem: FileSystem;
  service: string;
  /** The service's directory, made when there is something to write. */
  directory: string;
  /** Whether each commit has to reach the device. */
  sync: boolean;
  log: Logger;
  /** Size in bytes from which on a journal is folded; for tests. */
  foldSize?: number;
  onDirty: (journal: Journal, dirty: boolean) => void;
}

/** A service's journals and snapshot. */
export class Journal implements ServiceJournal {
  private readonly writer: JournalWriter;
  private folding: Promise<void> | undefined;
  private nextFold: Promise<void> | undefined;
  /** Bytes of journals that no snapshot has taken in yet. */
  private journalSize = 0;
  /** Size of `journalSize` from which on the next fold is due. */
  private foldAt = 0;
  private snapshotSize = 0;
  /** Ends a fold that is under way: the journals hold everything, and who ends a service does not want to wait. */
  private closing = false;

  private constructor(
    private readonly options: JournalOptions,
    private readonly source: SnapshotSource,
    found: { number: number; sequence: number; existing?: { file: OpenFile; size: number } },
    sizes: { snapshot: number; journals: number },
  ) {
    const { fileSystem, service, directory, sync, log } = options;
    this.snapshotSize = sizes.snapshot;
    this.journalSize = sizes.journals;
    this.scheduleFold(0);
    this.writer = new JournalWriter(
      {
        fileSystem,
        service,
        pathOf: (number) => journalPath(directory, number),
        prepare: () => this.makeDirectory(),
        sync,
        onDirty: (dirty) => options.onDirty(this, dirty),
        onWritten: (bytes) => this.written(bytes),
        onHealth: (error) =>
          error === undefined
            ? log.info(`changes of ${service} are written to disk again`)
            : reportStorageTrouble(
                log,
                `changes of ${service} cannot be written to disk; requests fail until they can`,
                error,
              ),
      },
      found,
    );
  }

  /** Loads what is on disk and makes ready for changes. @throws Error naming the file that is damaged */
  static async open(options: JournalOptions, load: (change: Change) => void, source: SnapshotSource): Promise<Journal> {
    const { fileSystem, service, directory, log } = options;
    await fileSystem.remove(join(directory, `${SNAPSHOT}.tmp`));
    const snapshot = await readSnapshot(fileSystem, join(directory, SNAPSHOT), service, load);
    const covered = snapshot?.journal ?? 0;
    const numbers: number[] = [];
    for (const name of await fileSystem.list(directory)) {
      const number = Number(JOURNAL.exec(name)?.[1] ?? 0);
      if (number > covered) numbers.push(number);
      // Left over when the process died between renaming the snapshot and this.
      else if (number) await fileSystem.remove(join(directory, name));
    }
    numbers.sort((a, b) => a - b);
    const sizes = { snapshot: snapshot?.size ?? 0, journals: 0 };
    let sequence: number | undefined;
    for (const [index, number] of numbers.entries()) {
      const path = journalPath(directory, number);
      const previous = covered + index;
      if (number !== previous + 1) throw new Error(`${journalPath(directory, previous + 1)} is missing`);
      const last = index === numbers.length - 1;
      const file = await fileSystem.open(path, last ? 'r+' : 'r');
      try {
        const extent = await readJournal(file, { path, service, number, sequence, last }, load);
        sizes.journals += extent.size;
        sequence = extent.sequence ?? sequence;
        if (!last) await file.close();
        else if (extent.sequence === undefined) {
          // Not even its header was written: it is made anew.
          await file.close();
          return new Journal(options, source, { number, sequence: sequence ?? 1 }, sizes);
        } else {
          const torn = extent.fileSize - extent.size;
          if (torn) {
            log.warn(`${path} ended within a change that was being written; its ${torn} bytes are dropped`);
            await file.truncate(extent.size);
            await file.sync();
          }
          const existing = { file, size: extent.size };
          return new Journal(options, source, { number, sequence: extent.sequence, existing }, sizes);
        }
      } catch (error) {
        await file.close().catch(() => undefined);
        throw error;
      }
    }
    return new Journal(options, source, { number: covered + 1, sequence: 1 }, sizes);
  }

  get dirty(): boolean {
    return this.writer.dirty;
  }

  get congested(): boolean {
    return this.writer.congested;
  }

  append(change: Change): void {
    this.writer.append(change);
  }

  committed(): Promise<void> {
    return this.writer.committed();
  }

  rewrite(): Promise<void> {
    if (!this.folding) {
      this.folding = this.fold().finally(() => {
        this.folding = undefined;
      });
      return this.folding;
    }
    // The running fold may have passed by what changed since it began; one more serves all who ask meanwhile.
    this.nextFold ??= this.folding
      .catch(() => undefined)
      .then(() => {
        this.nextFold = undefined;
        return this.rewrite();
      });
    return this.nextFold;
  }

  /** Writes everything and closes the files. @param fold whether small journals are folded into the snapshot */
  async close(fold: boolean): Promise<void> {
    try {
      await this.committed();
      this.closing = true;
      await this.folding?.catch(() => undefined);
      this.closing = false;
      const size = this.snapshotSize + this.journalSize;
      if (fold && this.journalSize && size <= CLOSING_SNAPSHOT_LIMIT) await this.rewrite().catch(this.notFolded);
    } finally {
      await this.writer.close();
    }
  }

  private written(bytes: number): void {
    this.journalSize += bytes;
    if (this.folding || this.journalSize <= this.foldAt) return;
    this.rewrite().catch(this.notFolded);
  }

  /** The journals stay, so nothing is lost. */
  private readonly notFolded = (error: unknown): void => {
    this.scheduleFold(this.journalSize);
    const { service, log } = this.options;
    log.warn(`the snapshot of ${service} could not be written; its journals are kept`, { error });
  };

  private scheduleFold(from: number): void {
    this.foldAt = from + Math.max(this.options.foldSize ?? FOLD_SIZE, this.snapshotSize);
  }

  /**
   * Writes a snapshot while changes go on. It is no picture of one moment: a record is written as it is when its turn
   * comes. That is enough, because everything that changed since the fold began is in the journal after those that the
   * snapshot stands for, with the whole new record, and is replayed in order over what the snapshot holds. So a record
   * ends up as its last change left it, or, if there is none, as the snapshot found it; and an insertion replayed moves
   * the record to the end, so that the order of insertion comes out as well. Before the snapshot counts, the journal
   * has to be written as far as the snapshot saw, or else it could hold one half of an operation and the journal none.
   */
  private async fold(): Promise<void> {
    const { fileSystem, service, directory } = this.options;
    await this.committed();
    const covered = await this.writer.rotate();
    const before = this.journalSize;
    await this.makeDirectory();
    this.snapshotSize = await writeSnapshot(
      fileSystem,
      { path: join(directory, SNAPSHOT), service, journal: covered, ready: () => this.committed() },
      this.records(),
    );
    await fileSystem.syncDirectory(directory);
    this.journalSize -= before;
    this.scheduleFold(0);
    for (const name of await fileSystem.list(directory)) {
      const number = Number(JOURNAL.exec(name)?.[1] ?? 0);
      if (number && number <= covered) await fileSystem.remove(join(directory, name));
    }
  }

  private *records(): Iterable<Change> {
    for (const record of this.source()) {
      if (this.closing) throw new Error('the service is closing');
      yield record;
    }
  }

  private async makeDirectory(): Promise<void> {
    const { fileSystem, directory, sync } = this.options;
    await fileSystem.makeDirectory(directory);
    if (sync) await fileSystem.syncDirectory(join(directory, '..'));
  }
}

function journalPath(directory: string, number: number): string {
  return join(directory, `journal-${number}.jsonl`);
}
