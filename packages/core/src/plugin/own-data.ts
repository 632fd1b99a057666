import type { Logger } from '../base/log.ts';
import type { FileSystem } from '../storage/file-system.ts';

/** Place of a service's own data. */
export interface DataPlace {
  /** The service's directory in the data directory; created by the first writer. */
  readonly directory: string;
  /** The file system for its files: it fails after another process has taken the data directory. */
  readonly fileSystem: FileSystem;
  readonly log: Logger;
  /** Whether data was written there before, so that missing files are damage. */
  readonly expected?: boolean;
  /**
   * Resolves when the changes of the service's records so far are on disk; rejects if they cannot be written. Writes
   * and removals caused by a change wait for it. Absent for copies.
   */
  recordsCommitted?(): Promise<void>;
  /** To be called once data exists, so that its loss is detected. Absent for copies. */
  noteData?(): Promise<void>;
}

/** Result of `emu doctor` for a service's own data. */
export interface DataFindings {
  /** Damage and losses, and what was repaired; a sentence each. */
  readonly damage: readonly string[];
  /** Whether it prevents emu from starting. */
  readonly stops: boolean;
}

/** Functions for repairing damaged data. */
export interface DataRepair {
  /** Moves a file out of the way. */
  setAside(path: string): Promise<void>;
}

/** Own data at one moment, for a checkpoint. */
export interface HeldData {
  /** Releases data that nothing else uses. */
  release(): void;
}

/** Data of another emulator, prepared next to the existing data and not visible yet. */
export interface AdoptedData {
  /** Returns a record of a collection adapted to this data, if it refers to a place in the data that differs here. */
  translated(collection: string, value: unknown): unknown;
  /** Makes it visible, in place of data with the same keys. Cannot fail. */
  show(): void;
  /** Discards what was not made visible. Has no effect after `show`. */
  release(): void;
}

/**
 * Data of a service that is too large for memory and therefore not in records, such as log events: in its own files
 * next to the service's journal, or in memory.
 */
export interface OwnData {
  /** Captures the data of this moment. */
  hold(): HeldData;
  /** Restores captured data. @param held undefined for no data */
  putBack(held: HeldData | undefined): void;
  /** Removes the data of one account, or all. */
  clear(accountId: string | undefined): void;
  /**
   * Writes captured data to another directory, in the form that `openData` reads; absent if nothing is to be saved.
   * @param accounts undefined for every account
   */
  save?(held: HeldData, place: DataPlace, accounts: readonly string[] | undefined): Promise<void>;
  /**
   * Copies the result of `save`.
   * @param accounts undefined for every account
   * @throws DamagedData if it differs from what was written
   */
  adopt?(place: DataPlace, accounts: readonly string[] | undefined): Promise<AdoptedData>;
  /** Resolves when everything so far is on disk, at once in memory mode. @throws Error if it cannot be written */
  committed(): Promise<void>;
  /** Writes everything and closes the files. */
  close(): Promise<void>;
}
