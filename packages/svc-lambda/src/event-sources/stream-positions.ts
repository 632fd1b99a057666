import { defineCollection } from '@emu/core/service';
import type { Position } from '@emu/polling';

/** How far a mapping has come in a shard, kept by the mapping's id and the shard's. */
export interface StreamPosition {
  mapping: string;
  shard: string;
  /** Where reading began. */
  from?: Position;
  /** Last record that is dealt with; undefined before the first. */
  sequence?: string;
  /** Whether the shard has ended, and all of it is dealt with. */
  done?: true;
  /** The tumbling window that is open. */
  window?: TumblingWindow;
}

/** An aggregation over a time. Points in time are epoch milliseconds. */
export interface TumblingWindow {
  start: number;
  end: number;
  /** What the function returned as its state last. */
  state: unknown;
}

/** What came of the last batch of a mapping, kept by the mapping's id. */
export interface ProcessingResult {
  result: string;
}

export const streamPositionCollection = defineCollection<StreamPosition>('stream-positions', 'region');
export const processingResultCollection = defineCollection<ProcessingResult>('processing-results', 'region');
