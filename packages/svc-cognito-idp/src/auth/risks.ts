import { BlockList, isIP } from 'node:net';
import { invalid, invalidPassword } from '../errors.ts';
import type { Client, Pool, RiskRecord } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { isCompromised } from './events.ts';

/** Key of a risk configuration: of a client, or of the pool. */
export const riskKey = (poolId: string, clientId = ''): string => `${poolId}/${clientId}`;

/**
 * Ranges of addresses.
 * @throws AwsError `InvalidParameterException` for a text that is none
 */
export function addressesIn(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', length] = range.split('/');
    const version = isIP(address);
    const bits = Number(length);
    if (
      version === 0 ||
      length === undefined ||
      !Number.isInteger(bits) ||
      bits < 0 ||
      bits > (version === 4 ? 32 : 128)
    )
      throw invalid(`${range} is not a valid CIDR range.`);
    list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** The configuration that holds for a client: its own, or its pool's; undefined where the pool has no protection. */
export function riskOf(pool: Pool, client: Client, state: CognitoState): Readonly<RiskRecord> | undefined {
  if ((pool.settings.UserPoolAddOns?.AdvancedSecurityMode ?? 'OFF') === 'OFF') return undefined;
  const risk = state.risks.get(riskKey(pool.id, client.id)) ?? state.risks.get(riskKey(pool.id));
  return risk as Readonly<RiskRecord> | undefined;
}

/** Where an address stands with a configuration: refused always, let in always, or neither. */
export function standingOf(
  risk: Readonly<RiskRecord> | undefined,
  ip: string | undefined,
): 'blocked' | 'skipped' | undefined {
  const version = isIP(ip ?? '');
  if (!risk?.exceptions || version === 0) return undefined;
  const kind = version === 4 ? 'ipv4' : 'ipv6';
  const { BlockedIPRangeList: blocked = [], SkippedIPRangeList: skipped = [] } = risk.exceptions;
  if (addressesIn(blocked).check(ip!, kind)) return 'blocked';
  return addressesIn(skipped).check(ip!, kind) ? 'skipped' : undefined;
}

/**
 * Refuses a new password that attackers know, where the pool enforces protection and its configuration does not leave it.
 * @throws AwsError `InvalidPasswordException`
 */
export function refuseCompromised(
  pool: Pool,
  client: Client,
  state: CognitoState,
  password: string,
  event: 'SIGN_UP' | 'PASSWORD_CHANGE',
): void {
  if (pool.settings.UserPoolAddOns?.AdvancedSecurityMode !== 'ENFORCED') return;
  if (!isCompromised(state, pool.id, password)) return;
  const { Actions, EventFilter } = riskOf(pool, client, state)?.compromised ?? {};
  if (Actions?.EventAction === 'NO_ACTION' || (EventFilter?.length && !EventFilter.includes(event))) return;
  throw invalidPassword('Provided password cannot be used for security reasons.');
}
