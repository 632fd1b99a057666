import { defineCollection, type OperationContext, type Principal } from '@emu/core';
import type { ExportFormat, ExportViewType, ImportTableInput, S3SseAlgorithm } from '@emu/service-types/dynamodb';
import { AwsError } from '@emu/wire';

/** How a job that runs beside requests ends. */
export type JobStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';

/** As whom, and where, a job calls S3: who asked for it. */
interface JobCaller {
  accountId: string;
  region: string;
  principal: Principal;
  /** Id of the request. */
  cause: string;
}

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
  caller: JobCaller;
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

/** The caller of a job that a request begins. */
export const callerOf = ({
  accountId,
  region,
  principal,
  requestId: cause,
}: Pick<OperationContext, 'accountId' | 'region' | 'principal' | 'requestId'>): JobCaller => ({
  accountId,
  region,
  principal: { ...principal },
  cause,
});

/** Why a job that works on S3 ended: `S3NoSuchBucket` for S3's `NoSuchBucket`. */
export function failureOf(error: unknown): NonNullable<JobRecord['failure']> {
  if (error instanceof AwsError) return { code: `S3${error.code}`, message: error.message };
  return { code: 'UNKNOWN', message: error instanceof Error ? error.message : String(error) };
}

export const exports = defineCollection<ExportRecord>('exports', 'region');
export const imports = defineCollection<ImportRecord>('imports', 'region');
