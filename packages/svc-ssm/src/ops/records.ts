import { defineCollection } from '@emu/core/service';
import type { OpsItemDataValue, OpsItemNotification, OpsItemStatus, RelatedOpsItem } from '@emu/service-types/ssm';

/** Times of an OpsItem given by its author, in epoch milliseconds. */
export interface OpsItemTimes {
  ActualStartTime?: number | undefined;
  ActualEndTime?: number | undefined;
  PlannedStartTime?: number | undefined;
  PlannedEndTime?: number | undefined;
}

/** An operational work item. */
export interface OpsItemRecord {
  id: string;
  type: string;
  title: string;
  description: string;
  source: string;
  status: OpsItemStatus;
  priority?: number | undefined;
  category?: string | undefined;
  severity?: string | undefined;
  operationalData: Record<string, OpsItemDataValue>;
  notifications: OpsItemNotification[];
  relatedItems: RelatedOpsItem[];
  times: OpsItemTimes;
  version: number;
  tags: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
  createdBy: string;
  modifiedAt: number;
  modifiedBy: string;
}

/** An event in the history of an OpsItem. */
export interface OpsItemEventRecord {
  id: string;
  opsItemId: string;
  detailType: string;
  /** JSON text. */
  detail: string;
  /** Epoch milliseconds. */
  at: number;
  by: string;
}

/** A resource related to an OpsItem. */
export interface RelatedItemRecord {
  id: string;
  opsItemId: string;
  associationType: string;
  resourceType: string;
  resourceUri: string;
  /** Epoch milliseconds. */
  createdAt: number;
  createdBy: string;
}

/** Metadata of an application of Application Manager. */
export interface OpsMetadataRecord {
  /** The part of its ARN after `opsmetadata/`. */
  id: string;
  resourceId: string;
  metadata: Record<string, string>;
  tags: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
  modifiedAt: number;
  modifiedBy: string;
}

/** A resource policy that shares a resource with other accounts. */
export interface ResourcePolicyRecord {
  id: string;
  /** Hash of this version of the policy. */
  hash: string;
  resourceArn: string;
  policy: string;
}

export const opsItemCollection = defineCollection<OpsItemRecord>('opsItems', 'region', {
  content: ['title', 'description', 'operationalData'],
});
export const opsItemEventCollection = defineCollection<OpsItemEventRecord>('opsItemEvents', 'region', {
  content: ['detail'],
});
export const relatedItemCollection = defineCollection<RelatedItemRecord>('opsItemRelatedItems', 'region');
export const opsMetadataCollection = defineCollection<OpsMetadataRecord>('opsMetadata', 'region', {
  content: ['metadata'],
});
export const resourcePolicyCollection = defineCollection<ResourcePolicyRecord>('resourcePolicies', 'region');

export const opsCollections = [
  opsItemCollection,
  opsItemEventCollection,
  relatedItemCollection,
  opsMetadataCollection,
  resourcePolicyCollection,
] as const;
