import type { Ids } from '../base/ids.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/**
 * Layout of an id after the prefix: 80 bits in base32, namely one bit that is set, 40 bits of account, 39 random bits.
 */
const BODY_LENGTH = 16;
const ACCOUNT_SHIFT = 39n;
const ACCOUNT_MASK = (1n << 40n) - 1n;

/**
 * Creates an access key id that encodes its account as AWS's ids have done since 2019, so that `GetAccessKeyInfo` and
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

/** Returns the account that an `AKIA…` or `ASIA…` id encodes; undefined for any other string. */
export function accountOfAccessKeyId(accessKeyId: string): string | undefined {
  if (!/^(AKIA|ASIA)[A-Z2-7]{16}$/.test(accessKeyId)) return undefined;
  let bits = 0n;
  for (const char of accessKeyId.slice(4)) bits = (bits << 5n) | BigInt(BASE32.indexOf(char));
  const account = ((bits >> ACCOUNT_SHIFT) & ACCOUNT_MASK).toString();
  return account.length > 12 ? undefined : account.padStart(12, '0');
}
