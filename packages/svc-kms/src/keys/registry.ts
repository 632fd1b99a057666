import type { Collection } from '@emu/core';
import type { AliasRecord, Key, KeyRecord } from '../records.ts';

/** The keys and aliases of one account and region, as resources are found in them. */
export interface KeyRegistry {
  readonly keys: Collection<KeyRecord>;
  readonly aliases: Collection<AliasRecord>;
  /** A key as it is now: what fell due has been done. */
  find(id: string): Key | undefined;
}
