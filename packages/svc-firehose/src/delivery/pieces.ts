import type { DeepReadonly } from '@emu/core/service';
import type { KinesisOrigin, Lane, PieceRecord } from '../records.ts';

/** A stored piece. */
export type Piece = DeepReadonly<PieceRecord>;

/** An accepted record. */
export interface Arrival {
  data: Uint8Array;
  /** Epoch milliseconds. */
  arrivedAt: number;
  origin?: KinesisOrigin;
}

/** A piece for another lane. */
export type NewPiece = Omit<PieceRecord, 'stream' | 'since'>;

/** Pieces delivered together once their buffer is full. */
export interface Batch {
  readonly stream: number;
  readonly lane: Lane;
  /** Constant across attempts. */
  readonly id: string;
  readonly keys: readonly string[];
  /** First attempt in epoch milliseconds. */
  readonly startedAt: number;
  attempts: number;
}

/** Pieces of a batch to retry. */
export interface PiecesToRetry {
  /** Their indexes in the batch. */
  readonly indexes: ReadonlySet<number>;
  /** Delay in milliseconds. */
  readonly after: number;
}

/**
 * Outcome of an attempt: follow-up pieces and those to retry; or the delay of a retry of the whole batch, in
 * milliseconds.
 */
export type Outcome =
  | { readonly next: readonly NewPiece[]; readonly again?: PiecesToRetry | undefined }
  | { readonly retryIn: number };
