import { defineCollection, type Principal } from '@emu/core/service';
import type {
  GeneratedTemplateDeletionPolicy,
  GeneratedTemplateResourceStatus,
  GeneratedTemplateStatus,
  GeneratedTemplateUpdateReplacePolicy,
  ResourceScanStatus,
  WarningDetail,
} from '@emu/service-types/cloudformation';

/** Caller on whose behalf resources are read, as stored. */
export interface AskerRecord {
  principal: Principal;
  endpoint: string;
  cause?: string;
}

/**
 * A scan of the resources of an account and region, keyed by the last part of its ARN. Times are epoch milliseconds.
 */
export interface ResourceScanRecord {
  uuid: string;
  status: ResourceScanStatus;
  reason?: string;
  startedAt: number;
  endedAt?: number;
  percentage: number;
  /** Types, or prefixes with a star; all if absent. */
  filter?: string[];
  types: string[];
  scanned: number;
  read: number;
  token?: string;
  asker: AskerRecord;
}

/** A resource found by a scan, keyed by the scan's uuid and a number. */
export interface ScannedRecord {
  scan: string;
  type: string;
  identifier: Record<string, string>;
  tags: Record<string, string>;
  /** Numbers of related resources, in both directions. */
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
  /** JSON of its state when it was read. */
  read?: string;
}

/** A generated template, keyed by the last part of its ARN. Times are epoch milliseconds. */
export interface GeneratedTemplateRecord {
  uuid: string;
  name: string;
  status: GeneratedTemplateStatus;
  reason?: string;
  createdAt: number;
  updatedAt: number;
  /** The base stack, and the JSON of its template. */
  stackId?: string;
  base?: string;
  deletionPolicy: GeneratedTemplateDeletionPolicy;
  updateReplacePolicy: GeneratedTemplateUpdateReplacePolicy;
  resources: GeneratedResourceRecord[];
  /** JSON of the last complete template. */
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
