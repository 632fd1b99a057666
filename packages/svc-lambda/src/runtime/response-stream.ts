import type { ResponseSink } from './invocation.ts';

/** A response streamed from a runtime to a client, which reads it once, with back-pressure in both directions. */
export class ResponseStream implements ResponseSink, AsyncIterable<Uint8Array> {
  /** Resolves with the content type before the first bytes. */
  readonly begun: Promise<string>;
  private announce!: (contentType: string) => void;
  private chunk: Uint8Array | undefined;
  private ended = false;
  /** Whether the client has stopped reading: the rest is dropped. */
  private gone = false;
  private taken: (() => void) | undefined;
  private arrived: (() => void) | undefined;

  constructor() {
    this.begun = new Promise((resolve) => {
      this.announce = resolve;
    });
  }

  begin(contentType: string): void {
    this.announce(contentType);
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.gone || this.ended) return undefined;
    this.chunk = chunk;
    this.arrived?.();
    return new Promise((resolve) => {
      this.taken = resolve;
    });
  }

  /** Ends the response. */
  end(): void {
    this.ended = true;
    this.arrived?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        if (this.chunk) {
          const { chunk } = this;
          this.chunk = undefined;
          yield chunk;
          this.taken?.();
        } else if (this.ended) return;
        else
          await new Promise<void>((resolve) => {
            this.arrived = resolve;
          });
      }
    } finally {
      this.gone = true;
      this.taken?.();
    }
  }
}
