import type { DeepReadonly } from '@emu/core/service';
import type { KinesisOrigin, Lane, PieceRecord } from '../records.ts';

/** A piece as it is read. */
export type Piece = DeepReadonly<PieceRecord>;

/** A record as it is accepted. */
export interface Arrival {
  data: Uint8Array;
  /** Epoch milliseconds. */
  arrivedAt: number;
  origin?: KinesisOrigin;
}

/** A piece for another lane. */
export type NewPiece = Omit<PieceRecord, 'stream' | 'since'>;

/** Pieces that go together, from the moment that their buffer is full. */
export interface Batch {
  readonly stream: number;
  readonly lane: Lane;
  /** The same for each attempt. */
  readonly id: string;
  readonly keys: readonly string[];
  /** Of the first attempt, epoch milliseconds. */
  readonly startedAt: number;
  attempts: number;
}

/** Pieces of a batch that are attempted again. */
export interface Again {
  /** Their places in the batch. */
  readonly indexes: ReadonlySet<number>;
  /** When, in milliseconds. */
  readonly after: number;
}

/**
 * What came of an attempt: what is to be done with the pieces then, and which of them are attempted again; or when all of it
 * is made again, in milliseconds.
 */
export type Outcome =
  | { readonly next: readonly NewPiece[]; readonly again?: Again | undefined }
  | { readonly retryIn: number };
