declare module 'mailsplit' {
  import type { Readable, Transform, Writable } from 'node:stream';

  /** A part of a message. */
  interface MimePart {
    readonly multipart: false | string;
    /** In lower case, as `text/html`. */
    readonly contentType: false | string;
    readonly charset: false | string;
    readonly disposition: false | string;
  }

  /** Takes a message apart, into parts and their bytes. */
  class Splitter extends Transform {}

  /** Puts parts together again. */
  class Joiner extends Transform {}

  /** Has the content of some parts changed: tells `node` of each, whose new content is what is written to the encoder. */
  class Rewriter extends Transform {
    constructor(filter: (part: MimePart) => boolean);
    on(event: 'node', listen: (found: { node: MimePart; decoder: Readable; encoder: Writable }) => void): this;
    on(event: string, listen: (...values: never[]) => void): this;
  }
}
