/**
 * What the state needs of a disk. In memory mode there is none; in persistent mode `openDiskPersistence`
 * provides it.
 */

import type { FileSystem } from './file-system.ts';

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

/** A stored body. */
export interface StoredBody {
  /** In persistent mode the content address, the SHA-256 of the bytes in hexadecimal; else anything. */
  id: string;
  /** Bytes. */
  size: number;
}

/** Part of a body: `start` included, `end` excluded. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What the writer of a body knows of it. */
export interface WriteOptions {
  /** Its bytes, where they are known. */
  size?: number | undefined;
  /** Whether it is a part of something larger, which memory mode does not try to keep in memory. */
  part?: boolean;
}

/** A body on its way. */
export interface BodyStream extends AsyncIterable<Uint8Array> {
  /**
   * Resolves when the first bytes can be given; without it they can be at once. Who says anything about the body before
   * it sends bytes waits for it.
   * @throws AwsError `InternalError` (500) where what is stored is not what was written
   */
  ready?(): Promise<void>;
}

/**
 * Bodies (objects, packages, layers): files named by their content, or in memory, streamed in and out, never in the
 * journal.
 */
export interface BodyStore {
  /**
   * Stores a body; when the promise resolves it is whole on disk (persistent mode). Small ones that stay in memory are
   * stored at once. Equal bodies share one file. The writer counts once until it calls `release`, which it does when its
   * record is put, or when it makes none after all.
   * @param observe sees each chunk on its way, e.g. to compute checksums; what it throws aborts the write. Chunks
   *   must not change after they were given
   */
  write(
    source: AsyncIterable<Uint8Array> | Uint8Array,
    observe?: (chunk: Uint8Array) => void,
    options?: WriteOptions,
  ): StoredBody | Promise<StoredBody>;
  /**
   * Streams a body or a part of it. The body stays until the iterator has ended or was told to `return`, whatever is
   * released meanwhile.
   * @throws Error if there is no such body; AwsError `InternalError` (`ready`, or the first step of the iteration) where
   *   what is stored is not what was written
   */
  read(id: string, range?: ByteRange): BodyStream;
  /**
   * Makes sure that what is stored is what was written, for answers about a body that is not read: the content is
   * compared with its name once in a process, and again when the file was changed.
   * @throws AwsError `InternalError` (500) where it is not
   */
  check(id: string): Promise<void>;
  /** Counts one more record that refers to the body. A collection that declares `bodies` does it by itself. */
  retain(id: string): void;
  /**
   * Counts one fewer. The file is removed when none is left and nobody reads it, once every change made by then is on disk.
   * A later `write` or `retain` cancels the removal.
   */
  release(id: string): void;
  /**
   * Removes what was released by changes that are on disk, and in persistent mode moves files that nobody has retained or
   * released to the directory `orphans` beside that of the bodies: they may be all that is left of lost records. Called
   * after state was loaded or reset.
   */
  clearOut(): Promise<void>;
  /**
   * Resolves when what was released by changes that are on disk is removed. Nothing is removed afterwards: the files may
   * be another store's.
   */
  close(): Promise<void>;
}
