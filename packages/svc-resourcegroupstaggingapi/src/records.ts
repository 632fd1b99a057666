import { defineCollection } from '@emu/core';

/** The report of an account, of which there is one. */
export interface ReportRecord {
  /** As DescribeReportCreation tells it. */
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  bucket: string;
  /** Key of the object that it is, or is to be. */
  key: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Why it failed. */
  error?: string;
}

export const reportCollection = defineCollection<ReportRecord>('reports', 'region');

export const collections = [reportCollection] as const;
