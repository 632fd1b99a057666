import { defineCollection, type Principal } from '@emu/core';
import type {
  GeneratedTemplateDeletionPolicy,
  GeneratedTemplateResourceStatus,
  GeneratedTemplateStatus,
  GeneratedTemplateUpdateReplacePolicy,
  ResourceScanStatus,
  WarningDetail,
} from '@emu/service-types/cloudformation';

/** On whose behalf resources are read, as it is kept. */
export interface AskerRecord {
  principal: Principal;
  endpoint: string;
  cause?: string;
}

/** A scan of the resources of an account and region, kept by the last part of its ARN. Times are epoch milliseconds. */
export interface ResourceScanRecord {
  uuid: string;
  status: ResourceScanStatus;
  reason?: string;
  startedAt: number;
  endedAt?: number;
  percentage: number;
  /** Types, or their beginnings with a star, that are looked at; all where absent. */
  filter?: string[];
  types: string[];
  scanned: number;
  read: number;
  token?: string;
  asker: AskerRecord;
}

/** A resource that a scan found, kept by the scan's uuid and its number. */
export interface ScannedRecord {
  scan: string;
  type: string;
  identifier: Record<string, string>;
  tags: Record<string, string>;
  /** Numbers of the resources that it names, and that name it. */
  related: number[];
}

/** A resource of a generated template. */
export interface GeneratedResourceRecord {
  type: string;
  logicalId: string;
  identifier: Record<string, string>;
  status: GeneratedTemplateResourceStatus;
  reason?: string;
  warnings: WarningDetail[];
  /** JSON of what it was when it was read. */
  read?: string;
}

/** A generated template, kept by the last part of its ARN. Times are epoch milliseconds. */
export interface GeneratedTemplateRecord {
  uuid: string;
  name: string;
  status: GeneratedTemplateStatus;
  reason?: string;
  createdAt: number;
  updatedAt: number;
  /** The stack that it goes on from, and the JSON of that one's template. */
  stackId?: string;
  base?: string;
  deletionPolicy: GeneratedTemplateDeletionPolicy;
  updateReplacePolicy: GeneratedTemplateUpdateReplacePolicy;
  resources: GeneratedResourceRecord[];
  /** JSON of the template as it was complete last. */
  body?: string;
  asker: AskerRecord;
}

export const resourceScanCollection = defineCollection<ResourceScanRecord>('resource-scans', 'region');
export const scannedCollection = defineCollection<ScannedRecord>('scanned-resources', 'region', {
  content: ['identifier', 'tags'],
});
export const generatedTemplateCollection = defineCollection<GeneratedTemplateRecord>('generated-templates', 'region', {
  content: ['base', 'body', 'resources'],
});
