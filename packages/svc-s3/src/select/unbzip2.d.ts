declare module 'unbzip2-stream' {
  import type { Transform } from 'node:stream';

  /** Makes a stream that undoes bzip2, block by block. */
  export default function unbzip2Stream(): Transform;
}
