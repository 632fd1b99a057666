import type { Collection } from '@emu/core/service';
import type { AliasRecord, Key, KeyRecord } from '../records.ts';

/** Look-up of the keys and aliases of one account and region. */
export interface KeyRegistry {
  readonly keys: Collection<KeyRecord>;
  readonly aliases: Collection<AliasRecord>;
  /** Returns the key after applying its due changes. */
  find(id: string): Key | undefined;
  update(id: string, change: (draft: KeyRecord) => void): Key;
}
