import { join } from 'node:path';
import type { Logger } from '../base/log.ts';
import { DamagedData, withAdvice } from '../storage/damage.ts';
import { type FileSystem, nodeFileSystem } from '../storage/file-system.ts';
import { narrowAccess } from './access.ts';
import { allCommitted } from './all-committed.ts';
import { type DirectoryVersion, openDataDirectory, openManifest, servicesIn, writeVersion } from './data-directory.ts';
import { type DirectoryLock, lockDirectory } from './data-directory-lock.ts';
import { guardedFileSystem } from './guarded-file-system.ts';
import { Journal } from './journal.ts';
import { Manifest } from './manifest.ts';
import type { Change, Persistence, ServiceJournal, SnapshotSource } from './persistence.ts';
import { expectedFile } from './service-files.ts';

/** What persistent mode is set up with. */
export interface DiskPersistenceOptions {
  /** The data directory; made where it is missing. */
  path: string;
  /** Whether a commit waits until the changes have reached the device, and so survive the death of the machine. */
  sync: boolean;
  /** Version of the running service. */
  version: string;
  log: Logger;
  /** Size in bytes from which on a journal is folded into the snapshot, where that is smaller; 16 MiB by default. */
  foldSize?: number;
  /** The machine's by default. */
  fs?: FileSystem;
  /** Milliseconds between two signs of life in the directory; 2 s by default. */
  heartbeat?: number;
  /** Whether other processes find this one by a socket too, where the file system has them; so by default. */
  sockets?: boolean;
}

/**
 * Opens a data directory for this process alone.
 * @throws Error where another process uses it, or it is of another format
 */
export async function openDiskPersistence(options: DiskPersistenceOptions): Promise<Persistence> {
  const fileSystem = options.fs ?? nodeFileSystem;
  await fileSystem.makeDirectory(options.path);
  const lock = await lockDirectory(options.path, options);
  try {
    const { path, version, log } = options;
    const found = await openDataDirectory(fileSystem, path, version);
    await narrowAccess(path, log);
    const marks = await openManifest(fileSystem, path, found);
    const guarded = guardedFileSystem(fileSystem, () => lock.lost);
    const manifest = new Manifest({ fileSystem: guarded, directory: path, log }, marks);
    const services = await servicesIn(fileSystem, path);
    const lost = manifest.services.find((name) => !services.includes(name));
    if (lost !== undefined) throw new DamagedData(join(path, lost, expectedFile(manifest.markOf(lost)!)), 'is missing');
    return new DiskPersistence(options, guarded, lock, manifest, { ...found, manifest: true }, services);
  } catch (error) {
    await lock.release();
    throw withAdvice(error, options.path);
  }
}

class DiskPersistence implements Persistence {
  private readonly journals = new Map<string, Journal>();
  private readonly dirtyJournals = new Set<Journal>();
  private closed: Promise<void> | undefined;

  constructor(
    private readonly options: DiskPersistenceOptions,
    readonly fileSystem: FileSystem,
    private readonly lock: DirectoryLock,
    private readonly manifest: Manifest,
    private version: DirectoryVersion,
    private readonly found: readonly string[],
  ) {}

  get arnsOutdated(): boolean {
    return !this.version.arnsMigrated;
  }

  get directory(): string {
    return this.options.path;
  }

  services(): readonly string[] {
    return this.found;
  }

  hasData(service: string): boolean {
    return this.manifest.markOf(service)?.data === true;
  }

  noteData(service: string): Promise<void> {
    return this.manifest.hasData(service);
  }

  async open(service: string, load: (change: Change) => void, snapshot: SnapshotSource): Promise<ServiceJournal> {
    if (this.closed) throw new Error('the data directory is closed');
    // A service that could not be made of what was loaded is loaded anew.
    await this.journals.get(service)?.close(false);
    this.journals.delete(service);
    const { path, sync, log, foldSize } = this.options;
    const journal = await Journal.open(
      {
        fileSystem: this.fileSystem,
        service,
        directory: join(path, service),
        sync,
        log,
        manifest: this.manifest,
        foldSize,
        onDirty: (changed, dirty) => {
          if (dirty) this.dirtyJournals.add(changed);
          else this.dirtyJournals.delete(changed);
        },
      },
      load,
      snapshot,
    ).catch((error: unknown) => {
      throw withAdvice(error, path);
    });
    this.journals.set(service, journal);
    return journal;
  }

  async rewriteAll(service: string, change: (record: Change) => Change): Promise<void> {
    const records = new Map<string, Change>();
    const journal = await this.open(
      service,
      (record) => replay(records, record),
      function* () {
        for (const record of records.values()) yield change(record);
      },
    );
    await journal.rewrite();
    await this.journals.get(service)?.close(false);
    this.journals.delete(service);
  }

  async arnsRewritten(): Promise<void> {
    this.version = { ...this.version, arnsMigrated: true };
    await writeVersion(this.fileSystem, this.options.path, this.version);
  }

  get dirty(): boolean {
    return this.dirtyJournals.size > 0;
  }

  async committed(): Promise<void> {
    await allCommitted(this.dirtyJournals);
  }

  afterCommit(service: string, action: () => void): void {
    const journal = this.journals.get(service);
    if (journal) journal.afterCommit(action);
    else if (!this.closed) action();
  }

  close(): Promise<void> {
    this.closed ??= this.closeAll();
    return this.closed;
  }

  private async closeAll(): Promise<void> {
    const results = await Promise.allSettled([...this.journals.values()].map((journal) => journal.close(true)));
    await this.manifest.close();
    await this.lock.release();
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

/** Applies a change to records by their places; as in collections, an insertion stands at the end. */
function replay(records: Map<string, Change>, change: Change): void {
  const { op, collection, accountId, region, key = '' } = change;
  const prefix = JSON.stringify([collection, accountId, region]);
  if (op === 'clear') {
    for (const id of records.keys()) if (id.startsWith(prefix)) records.delete(id);
    return;
  }
  if (op !== 'put') records.delete(prefix + key);
  if (op !== 'delete') records.set(prefix + key, { ...change, op: 'put' });
}
