import { defineCollection } from '@emu/core';
import type { Processor } from '@emu/service-types/logs';

/** The transformer of a log group, kept by the group's name. */
export interface TransformerRecord {
  group: string;
  config: Processor[];
  /** Epoch milliseconds. */
  createdAt: number;
  modifiedAt: number;
}

export const transformerCollection = defineCollection<TransformerRecord>('transformers', 'region');
