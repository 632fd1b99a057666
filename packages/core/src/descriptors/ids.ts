import type { Ids } from '../base/ids.ts';

/** The form of a resource's ids. */
export interface IdForm {
  /** Returns a new id. */
  make(ids: Ids): string;
  /** Whether a text has the form; texts of other forms name no resource. */
  matches(text: string): boolean;
}

const LOWER_ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyz0123456789';
const HEX_LENGTH = 17;
/** Ids of EC2 that were made before 2018 have 8 digits. */
const HEX_LENGTHS = '(?:[0-9a-f]{8}|[0-9a-f]{17})';

/**
 * Ids of a prefix and 17 hexadecimal digits, as EC2's; old ones of 8 digits are valid too.
 * @param prefix e.g. `vpc-`
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/resource-ids.html
 */
export function hexId(prefix: string): IdForm {
  const form = new RegExp(`^${prefix}${HEX_LENGTHS}$`);
  return { make: (ids) => prefix + ids.hex(HEX_LENGTH), matches: (text) => form.test(text) };
}

/** Ids of lower-case letters and digits, as API Gateway's; requests may name any text. */
export function lowerId(length: number): IdForm {
  return { make: (ids) => ids.chars(length, LOWER_ALPHANUMERIC), matches: () => true };
}
