import { join } from 'node:path';
import type { Logger } from '../base/log.ts';
import { DirectoryLost } from '../storage/directory-lost.ts';
import { type FileSystem, isFileError } from '../storage/file-system.ts';
import { reportStorageTrouble } from '../storage/storage-trouble.ts';
import { type JournalTarget, JournalWriter } from './journal-writer.ts';
import type { Manifest, ServiceMark } from './manifest.ts';
import type { Change, ChangeBatch, ServiceJournal, SnapshotSource } from './persistence.ts';
import { type FoundState, journalName, journalNumber, readState, SNAPSHOT } from './service-files.ts';
import { writeSnapshot } from './snapshot.ts';

/** Size in bytes below which a journal is not folded while the service runs. */
const FOLD_SIZE = 16 * 1024 * 1024;
/** Largest snapshot in bytes that is written when the service ends: a larger one would delay the shutdown. */
const CLOSING_SNAPSHOT_LIMIT = 16 * 1024 * 1024;

/** Options of a journal. */
export interface JournalOptions {
  fileSystem: FileSystem;
  service: string;
  /** The service's directory, created at the first write. */
  directory: string;
  /** Whether each commit must reach the device. */
  sync: boolean;
  log: Logger;
  /** Records the files that must exist. */
  manifest: Manifest;
  /** Size in bytes at which a journal is folded; for tests. */
  foldSize?: number;
  onDirty: (journal: Journal, dirty: boolean) => void;
}

/** A service's journals and snapshot. */
export class Journal implements ServiceJournal {
  private readonly writer: JournalWriter;
  private folding: Promise<void> | undefined;
  private nextFold: Promise<void> | undefined;
  /** Bytes of journals that are not in a snapshot. */
  private journalSize = 0;
  /** Value of `journalSize` at which the next fold is due. */
  private foldAt = 0;
  private snapshotSize: number;
  /** Number of the last journal in the snapshot; undefined without a snapshot. */
  private covered: number | undefined;
  /** Aborts a running fold: the journals contain everything, and closing a service should not wait. */
  private closing = false;

  private constructor(
    private readonly options: JournalOptions,
    private readonly source: SnapshotSource,
    { snapshot, journals }: FoundState,
    target: JournalTarget,
  ) {
    const { fileSystem, service, directory, sync, log, manifest } = options;
    this.snapshotSize = snapshot?.size ?? 0;
    this.covered = snapshot?.journal;
    for (const { size } of journals) this.journalSize += size;
    this.scheduleFold(0);
    this.writer = new JournalWriter(
      {
        fileSystem,
        service,
        pathOf: (number) => join(directory, journalName(number)),
        prepare: () => this.prepare(),
        sync,
        onCreated: () => void manifest.write(),
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
      target,
    );
    manifest.follow(service, { mark: () => this.mark, check: () => this.writer.checkFile() });
  }

  /** Loads the state on disk and prepares for changes. @throws DamagedData for a damaged or missing file */
  static async open(options: JournalOptions, load: (change: Change) => void, source: SnapshotSource): Promise<Journal> {
    const { fileSystem, service, directory, manifest, log } = options;
    const found = await readState({ fileSystem, service, directory, mark: manifest.markOf(service) }, load);
    if (found.loss) log.warn(found.loss);
    await secure(options, found);
    for (const name of found.leftovers) await fileSystem.remove(join(directory, name));
    return new Journal(options, source, found, await targetOf(options, found));
  }

  /** Returns a description of the service's directory for the manifest. */
  private get mark(): ServiceMark {
    const { covered } = this;
    const { mark: journal } = this.writer;
    return {
      ...(covered !== undefined && { snapshot: covered }),
      ...(journal && journal.number > (covered ?? 0) && { journal }),
    };
  }

  get dirty(): boolean {
    return this.writer.dirty;
  }

  get congested(): boolean {
    return this.writer.congested;
  }

  append(change: Change): boolean {
    return this.writer.append(change);
  }

  batch(): ChangeBatch {
    return this.writer.batch();
  }

  committed(): Promise<void> {
    return this.writer.committed();
  }

  afterCommit(action: () => void): void {
    this.writer.afterCommit(action);
  }

  rewrite(): Promise<void> {
    if (!this.folding) {
      this.folding = this.fold().finally(() => {
        this.folding = undefined;
      });
      return this.folding;
    }
    // The running fold may miss changes since its start; a single further fold serves all waiting callers.
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
    this.options.manifest.touch();
    if (this.folding || this.journalSize <= this.foldAt) return;
    this.rewrite().catch(this.notFolded);
  }

  /** The journals remain, so nothing is lost. */
  private readonly notFolded = (error: unknown): void => {
    this.scheduleFold(this.journalSize);
    const { service, log } = this.options;
    log.warn(`the snapshot of ${service} could not be written; its journals are kept`, { error });
  };

  private scheduleFold(from: number): void {
    this.foldAt = from + Math.max(this.options.foldSize ?? FOLD_SIZE, this.snapshotSize);
  }

  /**
   * Writes a snapshot while changes continue. It is not a picture of one moment: each record is written as it is at its
   * turn. That suffices, because every change since the start of the fold is in the journal after those in the
   * snapshot, with the whole new record, and is replayed in order on top of the snapshot. So each record has the value
   * of its last change or, without one, that of the snapshot; and a replayed insertion moves the record to the end,
   * which preserves the order of insertion. The journal must be written up to what the snapshot contains before the
   * snapshot becomes valid. Otherwise the snapshot could contain one half of an operation and the journal none.
   */
  private async fold(): Promise<void> {
    const { fileSystem, service, directory, manifest } = this.options;
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
    this.covered = covered;
    this.journalSize -= before;
    this.scheduleFold(0);
    await manifest.write();
    for (const name of await fileSystem.list(directory)) {
      const number = journalNumber(name);
      if (number && number <= covered) await fileSystem.remove(join(directory, name));
    }
  }

  private *records(): Iterable<Change> {
    for (const record of this.source()) {
      if (this.closing) throw new Error('the service is closing');
      yield record;
    }
  }

  /** @throws DirectoryLost if the snapshot that a new journal continues was removed */
  private async prepare(): Promise<void> {
    const { fileSystem, directory } = this.options;
    if (this.covered !== undefined) {
      const path = join(directory, SNAPSHOT);
      await fileSystem.status(path).catch((error: unknown) => {
        throw isFileError(error, 'ENOENT', 'ENOTDIR') ? new DirectoryLost(path) : error;
      });
    }
    await this.makeDirectory();
  }

  private async makeDirectory(): Promise<void> {
    const { fileSystem, directory, sync } = this.options;
    await fileSystem.makeDirectory(directory);
    if (sync) await fileSystem.syncDirectory(join(directory, '..'));
  }
}

/**
 * Syncs the existing files, as the previous process may have crashed before doing so. A start removes files that the
 * state does not need, so a power failure must not bring back an earlier state.
 */
async function secure(
  { fileSystem, directory, sync }: JournalOptions,
  { snapshot, journals, leftovers }: FoundState,
): Promise<void> {
  const last = journals.at(-1);
  if (sync && last) {
    const file = await fileSystem.open(last.path, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
  if (leftovers.length || (sync && (snapshot || last))) await fileSystem.syncDirectory(directory);
  if (sync && (snapshot || last)) await fileSystem.syncDirectory(join(directory, '..'));
}

/** Returns the position after the existing state; truncates the remains of an interrupted write. */
async function targetOf(
  { fileSystem, log }: JournalOptions,
  { snapshot, journals }: FoundState,
): Promise<JournalTarget> {
  const last = journals.at(-1);
  if (!last) return { number: (snapshot?.journal ?? 0) + 1, sequence: 1 };
  const before = journals.at(-2);
  const previous = before && { number: before.number, size: before.size, sequence: before.sequence!, synced: true };
  // Without its first line it is created again.
  if (last.sequence === undefined) return { number: last.number, sequence: previous?.sequence ?? 1, previous };
  const file = await fileSystem.open(last.path, 'r+');
  const torn = last.fileSize - last.size;
  try {
    if (torn) {
      log.warn(`${last.path} ended within a change that was being written; its ${torn} bytes are dropped`);
      await file.truncate(last.size);
      await file.sync();
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  return { number: last.number, sequence: last.sequence, existing: { file, size: last.size }, previous };
}
