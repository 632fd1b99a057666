import { defineCollection } from '@emu/core';
import type { ExportFormat, ExportViewType, ImportTableInput, S3SseAlgorithm } from '@emu/service-types/dynamodb';

/** How a job that runs beside requests ends. */
export type JobStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';

/** What exports and imports have in common. Points in time are epoch milliseconds. */
export interface JobRecord {
  arn: string;
  tableArn: string;
  tableId: string;
  status: JobStatus;
  startedAt: number;
  endedAt?: number;
  token?: string;
  /** What was asked for under the token. */
  request: string;
  failure?: { code: string; message: string };
}

/** An export of a table to S3. */
export interface ExportRecord extends JobRecord {
  id: string;
  time: number;
  bucket: string;
  bucketOwner?: string;
  prefix?: string;
  sseAlgorithm?: S3SseAlgorithm;
  sseKey?: string;
  format: ExportFormat;
  incremental?: { from: number; to: number; view: ExportViewType };
  itemCount?: number;
  bytes?: number;
  manifest?: string;
}

/** An import of a table from S3. */
export interface ImportRecord extends JobRecord {
  input: ImportTableInput;
  errors: number;
  processed: number;
  imported: number;
  bytes: number;
}

export const exports = defineCollection<ExportRecord>('exports', 'region');
export const imports = defineCollection<ImportRecord>('imports', 'region');
