import type { Ids } from '@emu/core/service';

/**
 * Prefixes of IAM's unique ids.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
 */
export type IdPrefix = 'AIDA' | 'AGPA' | 'AROA' | 'AIPA' | 'ANPA' | 'ASCA' | 'APKA' | 'ACCA' | 'ACIA';

/** Returns a unique id: its prefix and 17 letters and digits. */
export const uniqueId = (prefix: IdPrefix, ids: Ids): string => prefix + ids.chars(17);
