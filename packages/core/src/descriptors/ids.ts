import type { Ids } from '../base/ids.ts';

/** Format of a resource's ids. */
export interface IdForm {
  /** Returns a new id. */
  make(ids: Ids): string;
  /** Whether a text has the format; other texts name no resource. */
  matches(text: string): boolean;
}

const LOWER_ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyz0123456789';
const HEX_LENGTH = 17;
/** EC2's ids from before 2018 have 8 digits. */
const HEX_LENGTHS = '(?:[0-9a-f]{8}|[0-9a-f]{17})';

/**
 * Returns the format of EC2's ids: a prefix and 17 hexadecimal digits. Old ids of 8 digits are valid too.
 * @param prefix e.g. `vpc-`
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/resource-ids.html
 */
export function hexId(prefix: string): IdForm {
  const form = new RegExp(`^${prefix}${HEX_LENGTHS}$`);
  return { make: (ids) => prefix + ids.hex(HEX_LENGTH), matches: (text) => form.test(text) };
}

/** Returns the format of ids of lower-case letters and digits, as in API Gateway; requests may contain any text. */
export function lowerId(length: number): IdForm {
  return { make: (ids) => ids.chars(length, LOWER_ALPHANUMERIC), matches: () => true };
}
