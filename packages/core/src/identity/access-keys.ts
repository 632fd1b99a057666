import type { Ids } from '../base/ids.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** After the prefix an id is 80 bits in base32: one bit that is set, 40 bits of account, 39 bits of chance. */
const BODY_LENGTH = 16;
const ACCOUNT_SHIFT = 39n;
const ACCOUNT_MASK = (1n << 40n) - 1n;

/**
 * Makes an access key id that encodes its account the way AWS's ids have since 2019, so that `GetAccessKeyInfo` and
 * tools that read the account from the id agree.
 * @param prefix `AKIA` for long-term keys, `ASIA` for temporary ones
 * @param accountId 12 digits
 */
export function newAccessKeyId(prefix: 'AKIA' | 'ASIA', accountId: string, ids: Ids): string {
  const chance = ids.bytes(5).readUIntBE(0, 5);
  let bits = (1n << 79n) | (BigInt(accountId) << ACCOUNT_SHIFT) | (BigInt(chance) >> 1n);
  let body = '';
  for (let index = 0; index < BODY_LENGTH; index++, bits >>= 5n) body = BASE32[Number(bits & 31n)] + body;
  return prefix + body;
}

/** The account that an `AKIA…` or `ASIA…` id encodes; undefined where the string is no such id. */
export function accountOfAccessKeyId(accessKeyId: string): string | undefined {
  if (!/^(AKIA|ASIA)[A-Z2-7]{16}$/.test(accessKeyId)) return undefined;
  let bits = 0n;
  for (const char of accessKeyId.slice(4)) bits = (bits << 5n) | BigInt(BASE32.indexOf(char));
  const account = ((bits >> ACCOUNT_SHIFT) & ACCOUNT_MASK).toString();
  return account.length > 12 ? undefined : account.padStart(12, '0');
}
