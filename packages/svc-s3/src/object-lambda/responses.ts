import type { S3ObjectLambdaResponse } from '@emu/control-client';
import type { BodyStore, Worker } from '@emu/core/service';
import type { WriteGetObjectResponseRequest } from '@emu/service-types/s3';

/** Answers that are remembered. */
const MOST_KEPT = 100;

/** What a function has to say, as it arrives. */
export interface LambdaAnswer {
  readonly input: WriteGetObjectResponseRequest;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A request that waits for its function's answer. */
export interface WaitingRequest {
  readonly route: string;
  /** Aborted when whoever waits has gone. */
  readonly signal: AbortSignal;
  deliver(answer: LambdaAnswer): void;
}

/** An answer as the control route shows it, with its body in the store. */
type KeptResponse = Omit<S3ObjectLambdaResponse, 'body'> & { bodyId: string };

/** Requests of an account that wait for functions, and what functions have answered lately. */
export class ObjectLambdaResponses implements Worker {
  private readonly waiting = new Map<string, WaitingRequest>();
  private readonly kept: KeptResponse[] = [];

  constructor(private readonly bodies: BodyStore) {}

  /** @returns what ends the waiting */
  wait(token: string, request: WaitingRequest): () => void {
    this.waiting.set(token, request);
    return () => this.waiting.delete(token);
  }

  /** The request of a token, which is good for one answer. */
  take(token: string, route: string): WaitingRequest | undefined {
    const request = this.waiting.get(token);
    if (request?.route !== route) return undefined;
    this.waiting.delete(token);
    return request;
  }

  /** Remembers an answer; its body counts once for this. */
  keep(response: KeptResponse): void {
    this.kept.push(response);
    if (this.kept.length > MOST_KEPT) this.bodies.release(this.kept.shift()!.bodyId);
  }

  /** The answers, oldest first. */
  async list(): Promise<S3ObjectLambdaResponse[]> {
    const shown: S3ObjectLambdaResponse[] = [];
    for (const { bodyId, ...response } of [...this.kept]) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of this.bodies.read(bodyId)) chunks.push(chunk);
      shown.push({ ...response, body: Buffer.concat(chunks).toString('base64') });
    }
    return shown;
  }

  /** Lets go of the bodies of the answers. */
  close(): void {
    for (const { bodyId } of this.kept.splice(0)) this.bodies.release(bodyId);
  }
}

/** Hands chunks from one request to another, at the pace of the reader; ends when either has gone. */
export class Passage {
  private chunk: Uint8Array | undefined;
  private ended = false;
  private failure: unknown;
  private wake: (() => void) | undefined;
  private taken: (() => void) | undefined;

  /** Resolves when the chunk has been taken, or nobody wants it any more. */
  async push(chunk: Uint8Array): Promise<void> {
    if (this.ended) return;
    this.chunk = chunk;
    this.wake?.();
    await new Promise<void>((resolve) => {
      this.taken = resolve;
    });
  }

  /** @param failure what the reader's iteration fails with */
  end(failure?: unknown): void {
    this.ended = true;
    this.failure ??= failure;
    this.wake?.();
    this.taken?.();
  }

  /** The chunks, once. */
  async *read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (this.chunk) {
          const { chunk } = this;
          this.chunk = undefined;
          yield chunk;
          this.taken?.();
        } else if (this.ended) {
          if (this.failure !== undefined) throw this.failure;
          return;
        } else
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
      }
    } finally {
      this.end();
    }
  }
}
