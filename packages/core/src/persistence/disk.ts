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

/** Options of persistent mode. */
export interface DiskPersistenceOptions {
  /** The data directory; created if missing. */
  path: string;
  /** Whether a commit waits until the changes have reached the device, and so survive a power failure. */
  sync: boolean;
  /** Version of the running service. */
  version: string;
  log: Logger;
  /** Journal size in bytes at which it is folded into the snapshot, if that is smaller; 16 MiB by default. */
  foldSize?: number;
  /** By default the machine's. */
  fs?: FileSystem;
  /** Milliseconds between two touches of the lock's file; 2 s by default. */
  heartbeat?: number;
  /** Whether the lock uses a socket too, if the file system supports it; true by default. */
  sockets?: boolean;
}

/**
 * Opens a data directory exclusively.
 * @throws Error if another process uses it, or it has another format
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
    // A service that failed to load from its records is loaded again.
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

/** Applies a change to records by their places; an insertion is at the end, as in collections. */
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
