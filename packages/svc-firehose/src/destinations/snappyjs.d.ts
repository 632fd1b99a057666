declare module 'snappyjs' {
  /** Compresses bytes to Snappy's raw format. */
  export function compress(bytes: Buffer): Buffer;
  /** Decompresses bytes. */
  export function uncompress(bytes: Buffer): Buffer;
}
