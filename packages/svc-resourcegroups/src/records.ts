import { defineCollection } from '@emu/core/service';
import type { GroupConfigurationItem, GroupingStatusesItem, ResourceQuery } from '@emu/service-types/resourcegroups';

/** A group. Its members are computed on request. */
export interface GroupRecord {
  /** For an application group, `<given name>/<26 characters>`. */
  name: string;
  description?: string | undefined;
  criticality?: number | undefined;
  owner?: string | undefined;
  displayName?: string | undefined;
  query?: ResourceQuery;
  configuration?: GroupConfigurationItem[];
  tags: Record<string, string>;
}

/** Outcome of the latest grouping or ungrouping of a resource. */
export interface GroupingRecord {
  group: string;
  arn: string;
  action: NonNullable<GroupingStatusesItem['Action']>;
  status: 'SUCCESS' | 'FAILED';
  errorCode?: string;
  errorMessage?: string;
  /** Epoch milliseconds. */
  updatedAt: number;
}

/** A tag-sync task of an application. */
export interface TagSyncTaskRecord {
  id: string;
  group: string;
  tagKey?: string;
  tagValue?: string;
  query?: ResourceQuery;
  roleArn: string;
  /** ARNs of the resources that it added to the application. */
  members: string[];
  /** Error of the latest synchronization. */
  errorMessage?: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

export const groupCollection = defineCollection<GroupRecord>('groups', 'region', {
  content: ['tags'],
});
export const groupingCollection = defineCollection<GroupingRecord>('groupings', 'region');

export const tagSyncTaskCollection = defineCollection<TagSyncTaskRecord>('tag-sync-tasks', 'region');

export const collections = [groupCollection, groupingCollection, tagSyncTaskCollection] as const;
