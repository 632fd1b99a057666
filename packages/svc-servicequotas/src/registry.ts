import type { Collection, StateScope } from '@emu/core/service';
import type { RequestRecord, TagsRecord } from './records.ts';

/** Look-up of the requests and tags of one account and region. */
export interface QuotasRegistry {
  readonly accountId: string;
  readonly region: string;
  readonly scope: StateScope;
  /** By id, in order of creation. */
  readonly requests: Collection<RequestRecord>;
  /** By `<service code>/<quota code>`. */
  readonly tags: Collection<TagsRecord>;
}
