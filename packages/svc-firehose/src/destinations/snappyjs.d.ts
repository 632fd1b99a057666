declare module 'snappyjs' {
  /** Bytes in Snappy's raw format. */
  export function compress(bytes: Buffer): Buffer;
  /** What they were. */
  export function uncompress(bytes: Buffer): Buffer;
}
