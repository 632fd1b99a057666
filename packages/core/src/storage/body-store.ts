/** A stored body. */
export interface StoredBody {
  /** In persistent mode the content address, the SHA-256 of the bytes in hexadecimal; else any unique text. */
  id: string;
  /** Bytes. */
  size: number;
}

/** Part of a body: `start` included, `end` excluded. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Properties of a body, from its writer. */
export interface WriteOptions {
  /** Size in bytes, if known. */
  size?: number | undefined;
  /** Whether it is a part of a larger body; memory mode does not try to keep parts in memory. */
  part?: boolean;
}

/** A body that is being read. */
export interface BodyStream extends AsyncIterable<Uint8Array> {
  /**
   * Resolves when the first bytes are available; without it they are available at once. A caller that sends headers
   * before the body awaits it first.
   * @throws AwsError `InternalError` (500) if the stored content differs from what was written
   */
  ready?(): Promise<void>;
}

/**
 * Bodies (objects, packages, layers): files named by their content, or in memory; streamed in and out, never in the
 * journal.
 */
export interface BodyStore {
  /**
   * Stores a body. When the promise resolves, it is complete on disk (persistent mode). Small bodies that stay in
   * memory are stored at once. Equal bodies share one file. The writer holds one reference until it calls `release`,
   * after it has put its record or decided against one.
   * @param observe receives each chunk, e.g. to compute checksums; an error aborts the write. Chunks must not change
   * after they were passed
   */
  write(
    source: AsyncIterable<Uint8Array> | Uint8Array,
    observe?: (chunk: Uint8Array) => void,
    options?: WriteOptions,
  ): StoredBody | Promise<StoredBody>;
  /**
   * Streams a body or a part of it. The body stays until the iterator has ended or its `return` was called, even if it
   * is released meanwhile.
   * @throws Error for an unknown body; AwsError `InternalError` (`ready`, or the first step of the iteration) if the
   * stored content differs from what was written
   */
  read(id: string, range?: ByteRange): BodyStream;
  /**
   * Verifies the stored content, for responses about a body without reading it: its hash is compared with its name once
   * in a process, and again after the file was changed.
   * @throws AwsError `InternalError` (500) if the content differs
   */
  check(id: string): Promise<void>;
  /** Adds a reference of a record to the body. A collection that declares `bodies` calls it itself. */
  retain(id: string): void;
  /**
   * Removes a reference. The file is deleted without references and readers, once every earlier change is on disk. A
   * later `write` or `retain` cancels the deletion.
   */
  release(id: string): void;
  /**
   * Deletes bodies released by changes that are on disk. In persistent mode, moves files without references to the
   * directory `orphans` beside that of the bodies: they may be the rest of lost records. Called after state was loaded
   * or reset.
   */
  clearOut(): Promise<void>;
  /**
   * Resolves when bodies released by changes on disk are deleted. Deletes nothing afterwards, as the files may belong
   * to another store.
   */
  close(): Promise<void>;
}
