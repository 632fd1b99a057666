import type { Logger } from '../base/log.ts';
import type { FileSystem } from '../storage/file-system.ts';

/** Where a service keeps data of its own. */
export interface DataPlace {
  /** The service's directory in the data directory; made by who writes to it first. */
  readonly directory: string;
  /** The file system to write it by: it fails once another process has taken the data directory. */
  readonly fileSystem: FileSystem;
  readonly log: Logger;
  /** Whether data was written there before, so that nothing may be missing. */
  readonly expected?: boolean;
  /**
   * Resolves when the changes of the service's records so far are on disk; rejects where they cannot be written. What is
   * written or removed because of a change waits for it. Absent for copies.
   */
  recordsCommitted?(): Promise<void>;
  /** To be called once there is data, so that it is missed where it gets lost. Absent for copies. */
  noteData?(): Promise<void>;
}

/** What `emu doctor` finds of a service's own data. */
export interface DataFindings {
  /** What is damaged or lost, and what was done about it; a sentence each. */
  readonly damage: readonly string[];
  /** Whether emu does not start with it. */
  readonly stops: boolean;
}

/** How damaged data is repaired. */
export interface DataRepair {
  /** Moves a file out of the way. */
  setAside(path: string): Promise<void>;
}

/** What own data was at one moment, for a checkpoint. */
export interface HeldData {
  /** Lets go of what nothing else needs. */
  release(): void;
}

/** Data of another emulator that is ready beside what there is, and not shown yet. */
export interface AdoptedData {
  /** A record of a collection as it has to be here, where it names a place in the data that is another one here. */
  translated(collection: string, value: unknown): unknown;
  /** Shows it, in the place of what has the same keys. Nothing can go wrong any more. */
  show(): void;
  /** Lets go of what was not shown. Harmless after `show`. */
  release(): void;
}

/**
 * What a service keeps besides its records, because it is too much for memory, such as log events: in files of its own
 * next to the service's journal, or in memory.
 */
export interface OwnData {
  /** Notes what there is at this moment. */
  hold(): HeldData;
  /** Goes back to what there was. @param held undefined where there was nothing */
  putBack(held: HeldData | undefined): void;
  /** Removes the data of one account, or all. */
  clear(accountId: string | undefined): void;
  /**
   * Writes what was held to another directory, as `openData` finds it there; absent where there is nothing to be saved.
   * @param accounts undefined for every account
   */
  save?(held: HeldData, place: DataPlace, accounts: readonly string[] | undefined): Promise<void>;
  /**
   * Copies what `save` wrote.
   * @param accounts undefined for every account
   * @throws DamagedData where it is not what was written
   */
  adopt?(place: DataPlace, accounts: readonly string[] | undefined): Promise<AdoptedData>;
  /** Resolves when everything so far is on disk, at once in memory mode. @throws Error where it cannot be written */
  committed(): Promise<void>;
  /** Writes everything and closes the files. */
  close(): Promise<void>;
}
