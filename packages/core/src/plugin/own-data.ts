import type { Logger } from '../kernel/log.ts';
import type { FileSystem } from '../persistence/file-system.ts';

/** Where a service keeps data of its own. */
export interface DataPlace {
  /** The service's directory in the data directory; made by who writes to it first. */
  readonly directory: string;
  /** The file system to write it by: it fails once another process has taken the data directory. */
  readonly fileSystem: FileSystem;
  readonly log: Logger;
}

/** What own data was at one moment, for a checkpoint. */
export interface HeldData {
  /** Lets go of what nothing else needs. */
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
  /** Resolves when everything so far is on disk, at once in memory mode. @throws Error where it cannot be written */
  committed(): Promise<void>;
  /** Writes everything and closes the files. */
  close(): Promise<void>;
}
