import { defineCollection } from '@emu/core/service';
import type { Processor } from '@emu/service-types/logs';

/** The transformer of a log group, keyed by group name. */
export interface TransformerRecord {
  group: string;
  config: Processor[];
  /** Epoch milliseconds. */
  createdAt: number;
  modifiedAt: number;
}

export const transformerCollection = defineCollection<TransformerRecord>('transformers', 'region');
