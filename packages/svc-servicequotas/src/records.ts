import { defineCollection } from '@emu/core/service';
import type { OptInLevel, OptInType, QuotaUtilizationInfo, RequestStatus } from '@emu/service-types/servicequotas';

/** A request to increase a quota. */
export interface RequestRecord {
  id: string;
  serviceCode: string;
  quotaCode: string;
  quotaName: string;
  unit: string;
  global: boolean;
  desiredValue: number;
  status: RequestStatus;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds. */
  updatedAt: number;
  /** Requester, as JSON text. */
  requester: string;
  /** Whether automatic management created it. */
  automatic?: true;
  /** Id of its support case. */
  caseId?: string;
}

/** Tags of a quota. */
export interface TagsRecord {
  service: string;
  code: string;
  global: boolean;
  tags: Record<string, string>;
}

/** Settings of automatic management. */
export interface ManagementRecord {
  level: OptInLevel;
  type: OptInType;
  /** Excluded quota codes by service code; an empty list excludes the whole service. */
  exclusions: Record<string, string[]>;
  /** Greatest reported threshold of each quota in percent, by service and quota code. */
  told: Record<string, number>;
}

/** A utilization report. */
export interface ReportRecord {
  id: string;
  /** Epoch milliseconds. */
  generatedAt: number;
  rows: QuotaUtilizationInfo[];
}

export const requestCollection = defineCollection<RequestRecord>('requests', 'region');
export const tagsCollection = defineCollection<TagsRecord>('tags', 'region');
export const managementCollection = defineCollection<ManagementRecord>('management', 'region');
export const reportCollection = defineCollection<ReportRecord>('reports', 'region');

export const collections = [requestCollection, tagsCollection, managementCollection, reportCollection] as const;
