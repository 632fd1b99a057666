import { defineCollection } from '@emu/core/service';

/** The only report of an account. */
export interface ReportRecord {
  /** Status as in DescribeReportCreation. */
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  bucket: string;
  /** Key of the report's object. */
  key: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Reason of a failure. */
  error?: string;
}

export const reportCollection = defineCollection<ReportRecord>('reports', 'region');

export const collections = [reportCollection] as const;
