/** The state's interface to a disk. Unused in memory mode; `openDiskPersistence` implements it in persistent mode. */

import type { FileSystem } from '../storage/file-system.ts';

/** One change of a service's state in the journal. */
export interface Change {
  /** `insert` adds a new record. */
  op: 'insert' | 'put' | 'delete' | 'clear';
  collection: string;
  /** Empty for global collections. */
  accountId: string;
  /** Empty for global and account collections. */
  region: string;
  /** Absent for `clear`. */
  key?: string;
  /** The record as JSON, for `insert` and `put`. */
  value?: unknown;
}

/** Returns every record of a service as `put` changes, for a snapshot while changes continue. */
export type SnapshotSource = () => Iterable<Change>;

/** Changes over several turns that are appended together. */
export interface ChangeBatch {
  /** Adds a change and encodes it at once. Never throws. @returns whether it is going to be written */
  append(change: Change): boolean;
  /** Appends everything as one operation. */
  end(): void;
}

/** The journal of one service. */
export interface ServiceJournal {
  /**
   * Appends a change, which is written with others soon after. Never blocks and never throws.
   * @returns whether it is going to be written; false if it cannot be encoded or the journal is closed, with which the
   * next commit rejects
   */
  append(change: Change): boolean;
  /** Begins changes over several turns that take effect together when the batch ends. */
  batch(): ChangeBatch;
  /** Rewrites the snapshot and starts an empty journal; resolves when both are on disk. */
  rewrite(): Promise<void>;
  /** Whether a change is waiting to be written. */
  readonly dirty: boolean;
  /**
   * Whether too many changes wait, or changes cannot be written: an operation that could make further changes should
   * await `committed` first, and fail with it.
   */
  readonly congested: boolean;
  /**
   * Resolves when every change appended so far is on disk; rejects if it could not be written. Also ends an operation:
   * changes appended between two calls take effect together or, after a crash, not at all.
   */
  committed(): Promise<void>;
  /**
   * Calls `action` once every change appended so far is on disk, including those of running batches: at once if none
   * waits, and never while they cannot be written or after the journal is closed. Does not end the running operation.
   */
  afterCommit(action: () => void): void;
}

/** The data directory. */
export interface Persistence {
  /** Its path; undefined if changes are stored elsewhere. */
  readonly directory?: string;
  /** The file system for services with their own data; undefined if changes are stored elsewhere. */
  readonly fileSystem?: FileSystem;
  /** Whether the directory must contain a service's own data, by `noteData`. Absent if changes are stored elsewhere. */
  hasData?(service: string): boolean;
  /** Records that a service has its own data, so that its loss is detected. */
  noteData?(service: string): Promise<void>;
  /** Returns the names of the services with state in the directory. */
  services(): readonly string[];
  /**
   * Opens a service's journal: calls `load` with everything on disk, in order, then accepts changes.
   * @throws Error naming the file if it is damaged beyond an incomplete last record
   */
  open(service: string, load: (change: Change) => void, snapshot: SnapshotSource): Promise<ServiceJournal>;
  /** Whether a change of any service is waiting to be written. */
  readonly dirty: boolean;
  /** Resolves when every change of every service so far is on disk; rejects if one could not be written. */
  committed(): Promise<void>;
  /** Calls `action` once every change of a service so far is on disk; see `ServiceJournal.afterCommit`. */
  afterCommit(service: string, action: () => void): void;
  /**
   * Whether the directory is of a version that wrote every ARN in one partition: then each service's records must be
   * rewritten before any service is opened. Absent if changes are stored elsewhere.
   */
  readonly arnsOutdated?: boolean;
  /** Replaces every record of a service by the result of `change`; replaces all of them on disk, or none. */
  rewriteAll?(service: string, change: (record: Change) => Change): Promise<void>;
  /** Records that all services are rewritten, so that it is not repeated. */
  arnsRewritten?(): Promise<void>;
  /** Writes everything, folds journals into snapshots and closes the files. */
  close(): Promise<void>;
}
