import { defineCollection } from '@emu/core';
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
  /** Who asks, as JSON text. */
  requester: string;
  /** Whether automatic management made it. */
  automatic?: true;
  /** Id of the support case that was opened for it. */
  caseId?: string;
}

/** Tags of a quota. */
export interface TagsRecord {
  service: string;
  code: string;
  global: boolean;
  tags: Record<string, string>;
}

/** How quotas are managed automatically. */
export interface ManagementRecord {
  level: OptInLevel;
  type: OptInType;
  /** Quota codes by service code; none of a service means all of it. */
  exclusions: Record<string, string[]>;
  /** The greatest threshold, in percent, that was told of each quota, by service and quota code. */
  told: Record<string, number>;
}

/** A report about how much of the quotas is used. */
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
