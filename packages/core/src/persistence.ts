/**
 * What the state needs of a disk. In memory mode there is none; in persistent mode `openDiskPersistence` of
 * `journal.ts` provides it.
 */

/** One change of a service's state, as the journal keeps it. */
export interface Change {
  op: 'put' | 'delete' | 'clear';
  collection: string;
  /** Empty for global collections. */
  accountId: string;
  /** Empty for global and account collections. */
  region: string;
  /** Absent for `clear`. */
  key?: string;
  /** The record as JSON, for `put`. */
  value?: unknown;
}

/** Every record of a service at this moment, as `put` changes; used to write a snapshot while changes go on. */
export type SnapshotSource = () => Iterable<Change>;

/** The journal of one service. */
export interface ServiceJournal {
  /** Appends a change; it is written with others soon after. Never blocks and never throws. */
  append(change: Change): void;
  /** Writes the snapshot anew and starts an empty journal; resolves when both are safely on disk. */
  rewrite(): Promise<void>;
}

/** The data directory. */
export interface Persistence {
  /** Names of the services that the directory holds state of. */
  services(): readonly string[];
  /**
   * Opens a service's journal: hands everything on disk to `load`, in order, then accepts changes.
   * @throws Error naming the file, if what is on disk is damaged beyond an incomplete last record
   */
  open(service: string, load: (change: Change) => void, snapshot: SnapshotSource): Promise<ServiceJournal>;
  /** Whether a change waits to be written. */
  readonly dirty: boolean;
  /** Resolves when every change appended so far is on disk; rejects if it could not be written. */
  committed(): Promise<void>;
  /** Writes everything, folds journals into snapshots and closes the files. */
  close(): Promise<void>;
}

/** A stored body. */
export interface StoredBody {
  /** Content address: the SHA-256 of the bytes in hexadecimal. */
  id: string;
  /** Bytes. */
  size: number;
}

/** Part of a body: `start` included, `end` excluded. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Bodies (objects, packages, layers): files named by their content, streamed in and out, never in the journal. */
export interface BodyStore {
  /**
   * Stores a body; when the promise resolves it is whole on disk (persistent mode). Equal bodies share one file.
   * @param observe sees each chunk on its way, e.g. to compute checksums; what it throws aborts the write
   */
  write(source: AsyncIterable<Uint8Array> | Uint8Array, observe?: (chunk: Uint8Array) => void): Promise<StoredBody>;
  /** Streams a body or a part of it. @throws Error if there is no such body */
  read(id: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Counts one more record that refers to the body. */
  retain(id: string): void;
  /** Counts one fewer; the file goes when none is left and nobody reads it. */
  release(id: string): void;
  /** Removes files that no record has retained; called once after state was loaded. */
  removeOrphans(): Promise<void>;
}
