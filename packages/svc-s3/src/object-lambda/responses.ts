import type { S3ObjectLambdaResponse } from '@emu/control-client';
import type { BodyStore, Worker } from '@emu/core/service';
import type { WriteGetObjectResponseRequest } from '@emu/service-types/s3';

/** Maximum number of stored responses. */
const MAX_KEPT = 100;

/** A function's response, as it arrives. */
export interface LambdaAnswer {
  readonly input: WriteGetObjectResponseRequest;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A request waiting for its function's response. */
export interface WaitingRequest {
  readonly route: string;
  /** ARN of its access point. */
  readonly point: string;
  /** Aborted when the waiting client disconnects. */
  readonly signal: AbortSignal;
  deliver(answer: LambdaAnswer): void;
}

/** A response for the control route, with its body in the store. */
type KeptResponse = Omit<S3ObjectLambdaResponse, 'body'> & { bodyId: string };

/** Waiting requests of an account, and recent function responses. */
export class ObjectLambdaResponses implements Worker {
  private readonly waiting = new Map<string, WaitingRequest>();
  private readonly kept: KeptResponse[] = [];

  constructor(private readonly bodies: BodyStore) {}

  /** @returns a function that ends the waiting */
  wait(token: string, request: WaitingRequest): () => void {
    this.waiting.set(token, request);
    return () => this.waiting.delete(token);
  }

  /** Returns the ARN of the access point of a token. */
  pointOf(token: string): string | undefined {
    return this.waiting.get(token)?.point;
  }

  /** Returns the request of a single-use token. */
  take(token: string, route: string): WaitingRequest | undefined {
    const request = this.waiting.get(token);
    if (request?.route !== route) return undefined;
    this.waiting.delete(token);
    return request;
  }

  /** Stores a response, retaining its body. */
  keep(response: KeptResponse): void {
    this.kept.push(response);
    if (this.kept.length > MAX_KEPT) this.bodies.release(this.kept.shift()!.bodyId);
  }

  /** Returns the responses, oldest first. */
  async list(): Promise<S3ObjectLambdaResponse[]> {
    const shown: S3ObjectLambdaResponse[] = [];
    for (const { bodyId, ...response } of [...this.kept]) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of this.bodies.read(bodyId)) chunks.push(chunk);
      shown.push({ ...response, body: Buffer.concat(chunks).toString('base64') });
    }
    return shown;
  }

  /** Releases the bodies of all responses. */
  close(): void {
    for (const { bodyId } of this.kept.splice(0)) this.bodies.release(bodyId);
  }
}

/** Pipes chunks from one request to another with back-pressure; ends when either side disconnects. */
export class Passage {
  private chunk: Uint8Array | undefined;
  private ended = false;
  private failure: unknown;
  private wake: (() => void) | undefined;
  private taken: (() => void) | undefined;

  /** Resolves when the chunk is consumed or the reader is gone. */
  async push(chunk: Uint8Array): Promise<void> {
    if (this.ended) return;
    this.chunk = chunk;
    this.wake?.();
    await new Promise<void>((resolve) => {
      this.taken = resolve;
    });
  }

  /** @param failure error for the reader */
  end(failure?: unknown): void {
    this.ended = true;
    this.failure ??= failure;
    this.wake?.();
    this.taken?.();
  }

  /** Yields the chunks once. */
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
