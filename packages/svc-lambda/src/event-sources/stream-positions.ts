import { defineCollection } from '@emu/core/service';
import type { Position } from '@emu/polling';

/** Position of a mapping in a shard, keyed by the ids of mapping and shard. */
export interface StreamPosition {
  mapping: string;
  shard: string;
  /** Start of reading. */
  from?: Position;
  /** Last processed record; undefined before the first. */
  sequence?: string;
  /** Whether the shard has ended and is completely processed. */
  done?: true;
  /** The open tumbling window. */
  window?: TumblingWindow;
}

/** A tumbling window. Times are epoch milliseconds. */
export interface TumblingWindow {
  start: number;
  end: number;
  /** State that the function returned last. */
  state: unknown;
}

/** Last processing result of a mapping, keyed by the mapping's id. */
export interface ProcessingResult {
  result: string;
}

export const streamPositionCollection = defineCollection<StreamPosition>('stream-positions', 'region');
export const processingResultCollection = defineCollection<ProcessingResult>('processing-results', 'region');
