import type { Collection, StateScope } from '@emu/core';
import type { RequestRecord, TagsRecord } from './records.ts';

/** What Service Quotas keeps of one account and region, as requests and tags are looked for. */
export interface QuotasRegistry {
  readonly accountId: string;
  readonly region: string;
  readonly scope: StateScope;
  /** By id, in the order in which they were made. */
  readonly requests: Collection<RequestRecord>;
  /** By `<service code>/<quota code>`. */
  readonly tags: Collection<TagsRecord>;
}
