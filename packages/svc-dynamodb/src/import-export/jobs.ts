import { defineCollection, type OperationContext, type Principal } from '@emu/core/service';
import type { ExportFormat, ExportViewType, ImportTableInput, S3SseAlgorithm } from '@emu/service-types/dynamodb';
import { AwsError } from '@emu/wire';

/** Status of a background job. */
export type JobStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';

/** Identity and region with which a job calls S3: those of the request. */
interface JobCaller {
  accountId: string;
  region: string;
  principal: Principal;
  /** Id of the request. */
  cause: string;
}

/** Members common to exports and imports. Times are epoch milliseconds. */
export interface JobRecord {
  arn: string;
  tableArn: string;
  tableId: string;
  status: JobStatus;
  startedAt: number;
  endedAt?: number;
  token?: string;
  /** Fingerprint of the request, for its client token. */
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

/** Returns the caller of a job started by a request. */
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

/** Returns the failure of a job that uses S3, for example `S3NoSuchBucket` for S3's `NoSuchBucket`. */
export function failureOf(error: unknown): NonNullable<JobRecord['failure']> {
  if (error instanceof AwsError) return { code: `S3${error.code}`, message: error.message };
  return { code: 'UNKNOWN', message: error instanceof Error ? error.message : String(error) };
}

export const exports = defineCollection<ExportRecord>('exports', 'region');
export const imports = defineCollection<ImportRecord>('imports', 'region');
