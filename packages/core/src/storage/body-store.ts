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
