/**
 * What the state needs of a disk. In memory mode there is none; in persistent mode `openDiskPersistence`
 * provides it.
 */

import type { FileSystem } from '../storage/file-system.ts';

/** One change of a service's state, as the journal keeps it. */
export interface Change {
  /** `insert` puts a record that was not there before. */
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

/** Every record of a service at this moment, as `put` changes; used to write a snapshot while changes go on. */
export type SnapshotSource = () => Iterable<Change>;

/** Changes that are appended together, however long they take to be made. */
export interface ChangeBatch {
  /** Adds a change, already encoded then. Never throws. @returns whether it will be written */
  append(change: Change): boolean;
  /** Appends everything as one operation. */
  end(): void;
}

/** The journal of one service. */
export interface ServiceJournal {
  /**
   * Appends a change; it is written with others soon after. Never blocks and never throws.
   * @returns whether it will be written; false where it cannot be encoded or the journal is closed, which the next
   *   commit rejects with
   */
  append(change: Change): boolean;
  /** Begins changes that are made over several turns and take effect at once when the batch ends. */
  batch(): ChangeBatch;
  /** Writes the snapshot anew and starts an empty journal; resolves when both are safely on disk. */
  rewrite(): Promise<void>;
  /** Whether a change waits to be written. */
  readonly dirty: boolean;
  /**
   * Whether more changes wait than should, or changes cannot be written: an operation that could change more should
   * wait for `committed` first, and fail with it.
   */
  readonly congested: boolean;
  /**
   * Resolves when every change appended so far is on disk; rejects if it could not be written. It also ends an
   * operation: changes appended between two calls take effect together or, where the process dies meanwhile, not at all.
   */
  committed(): Promise<void>;
  /**
   * Calls `action` once every change appended so far is on disk, those of batches under way included: at once where none
   * waits, and never while they cannot be written or once the journal is closed. It does not end the running operation.
   */
  afterCommit(action: () => void): void;
}

/** The data directory. */
export interface Persistence {
  /** Its path; undefined where changes go elsewhere. */
  readonly directory?: string;
  /** What services that keep data of their own in it write by; undefined where changes go elsewhere. */
  readonly fileSystem?: FileSystem;
  /** Whether the directory is to hold data of a service's own, as `noteData` said. Absent where changes go elsewhere. */
  hasData?(service: string): boolean;
  /** Notes that a service has data of its own, so that it is missed where it gets lost. */
  noteData?(service: string): Promise<void>;
  /** Names of the services that the directory holds state of. */
  services(): readonly string[];
  /**
   * Opens a service's journal: hands everything on disk to `load`, in order, then accepts changes.
   * @throws Error naming the file, if what is on disk is damaged beyond an incomplete last record
   */
  open(service: string, load: (change: Change) => void, snapshot: SnapshotSource): Promise<ServiceJournal>;
  /** Whether a change of any service waits to be written. */
  readonly dirty: boolean;
  /** Resolves when every change of every service so far is on disk; rejects if one could not be written. */
  committed(): Promise<void>;
  /** Calls `action` once every change of a service so far is on disk; see `ServiceJournal.afterCommit`. */
  afterCommit(service: string, action: () => void): void;
  /**
   * Whether the directory is of a version that wrote every ARN in one partition: then each service's records are to be
   * rewritten before any service is opened. Absent where changes go elsewhere.
   */
  readonly arnsOutdated?: boolean;
  /** Replaces every record of a service by what `change` makes of it; all of them are replaced on disk, or none. */
  rewriteAll?(service: string, change: (record: Change) => Change): Promise<void>;
  /** Notes that all services are rewritten, so that it is not done again. */
  arnsRewritten?(): Promise<void>;
  /** Writes everything, folds journals into snapshots and closes the files. */
  close(): Promise<void>;
}
