import { BlockList, isIP } from 'node:net';
import type { RiskConfigurationType } from '@emu/service-types/cognito-idp';
import { invalidParameter, invalidPassword, notAuthorized } from '../errors.ts';
import { type RiskLevel, riskTarget } from '../journal.ts';
import type { LocatedClient } from '../lookup.ts';
import type { Client, Pool, RiskRecord, User } from '../records.ts';
import type { CognitoState } from '../state.ts';
import type { Auth } from './auth.ts';
import { isCompromised, recordEvent, recordSignIn } from './events.ts';
import { factorsOf } from './mfa.ts';
import type { RequestOrigin } from './origin.ts';
import { notifyOfRisk } from './risk-notification.ts';

/** Returns the key of a risk configuration, of a client or of the pool. */
export const riskKey = (poolId: string, clientId = ''): string => `${poolId}/${clientId}`;

/**
 * Parses address ranges.
 * @throws AwsError `InvalidParameterException` for an invalid range
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
      throw invalidParameter(`${range} is not a valid CIDR range.`);
    list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/**
 * Returns the effective risk configuration of a client, its own or the pool's; undefined if the pool has no protection.
 */
export function riskOf(pool: Pool, client: Client, state: CognitoState): Readonly<RiskRecord> | undefined {
  if ((pool.settings.UserPoolAddOns?.AdvancedSecurityMode ?? 'OFF') === 'OFF') return undefined;
  const risk = state.risks.get(riskKey(pool.id, client.id)) ?? state.risks.get(riskKey(pool.id));
  return risk as Readonly<RiskRecord> | undefined;
}

/** Returns whether a configuration always blocks or always allows an address. */
export function addressStanding(
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
 * Rejects requests from blocked addresses before any other check.
 * @throws AwsError `NotAuthorizedException`
 */
export function refuseBlocked(
  { pool, client, state }: LocatedClient,
  username: string,
  eventType: 'SignIn' | 'SignUp' | 'ForgotPassword' | 'PasswordChange' | 'ResendCode',
  origin: RequestOrigin,
): void {
  if (addressStanding(riskOf(pool, client, state), origin.ip) !== 'blocked') return;
  recordEvent(state, pool, username, client, { eventType, eventResponse: 'Fail', riskDecision: 'Block' }, origin);
  throw notAuthorized('Request not allowed due to security reasons.');
}

/**
 * Rejects a compromised new password if the pool enforces protection and its configuration blocks them.
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

/** Returns the risk of a sign-in set by a control route: for the user and address, else for either, else for all. */
function levelOf({ pool, state, origin }: Auth, { username }: User): RiskLevel | undefined {
  const levels = state.journal.risks.get(pool.id);
  return (
    levels?.get(riskTarget(username, origin.ip)) ??
    levels?.get(riskTarget(username)) ??
    levels?.get(riskTarget('', origin.ip)) ??
    levels?.get(riskTarget())
  );
}

type AccountTakeover = NonNullable<RiskConfigurationType['AccountTakeoverRiskConfiguration']>;

/**
 * Assesses a sign-in after the first factor: records its risk, notifies the user, and returns whether a second factor
 * is required.
 * @param kind of flow: custom flows have a protection setting of their own
 * @throws AwsError `NotAuthorizedException` if the configuration blocks it
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-adaptive-authentication.html
 */
export async function assess(auth: Auth, user: User, kind: 'standard' | 'custom' = 'standard'): Promise<boolean> {
  const { pool, client, state, origin } = auth;
  const { AdvancedSecurityMode = 'OFF', AdvancedSecurityAdditionalFlows } = pool.settings.UserPoolAddOns ?? {};
  const mode = kind === 'custom' ? (AdvancedSecurityAdditionalFlows?.CustomAuthMode ?? 'OFF') : AdvancedSecurityMode;
  if (mode === 'OFF') return false;
  const risk = riskOf(pool, client, state);
  const level = levelOf(auth, user);
  if (level === undefined || addressStanding(risk, origin.ip) === 'skipped') return false;
  const takeover = mode === 'ENFORCED' ? (risk?.takeover as AccountTakeover | undefined) : undefined;
  const action = takeover?.Actions[`${level}Action`];
  const needsFactor = action?.EventAction === 'MFA_IF_CONFIGURED' || action?.EventAction === 'MFA_REQUIRED';
  const hasFactor = needsFactor && factorsOf(pool, user, true).length > 0;
  const isBlocked = action?.EventAction === 'BLOCK' || (action?.EventAction === 'MFA_REQUIRED' && !hasFactor);
  const event = recordSignIn(auth, user.username, {
    eventResponse: isBlocked ? 'Fail' : 'InProgress',
    riskDecision: isBlocked ? 'Block' : 'AccountTakeover',
    riskLevel: level,
  });
  if (action?.Notify && takeover?.NotifyConfiguration) {
    const kindOfMail = isBlocked ? 'BlockEmail' : hasFactor ? 'MfaEmail' : 'NoActionEmail';
    await notifyOfRisk(auth, user, takeover.NotifyConfiguration, kindOfMail, event);
  }
  if (isBlocked) throw notAuthorized('Unable to login because of security reasons.');
  return hasFactor;
}
