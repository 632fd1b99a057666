import { defineCollection } from '@emu/core';
import type { GroupConfigurationItem, GroupingStatusesItem, ResourceQuery } from '@emu/service-types/resourcegroups';

/** A group. Its members are found when somebody asks for them. */
export interface GroupRecord {
  /** Of an application group, `<given name>/<26 characters>`. */
  name: string;
  description?: string | undefined;
  criticality?: number | undefined;
  owner?: string | undefined;
  displayName?: string | undefined;
  query?: ResourceQuery;
  configuration?: GroupConfigurationItem[];
  tags: Record<string, string>;
}

/** How the latest grouping or ungrouping of a resource went. */
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

export const groupCollection = defineCollection<GroupRecord>('groups', 'region', {
  content: ['tags'],
});
export const groupingCollection = defineCollection<GroupingRecord>('groupings', 'region');

export const collections = [groupCollection, groupingCollection] as const;
