import type { OwnQuota } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { type Api, throttled } from '../errors.ts';
import { SENDING_QUOTA, SENDING_RATE } from '../quotas.ts';
import type { SesState } from '../state.ts';

/** Sending limits of an account: recipients in 24 hours and per second. */
export interface SendingLimits {
  day: number;
  second: number;
}

/** Limits outside the sandbox: common initial values, as AWS sets individual ones. */
const PRODUCTION: SendingLimits = { day: 50_000, second: 14 };

/** Returns a quota of an account: AWS's default applies to the sandbox, other values were requested. */
function limitOf(state: SesState, quota: OwnQuota<SesState>, production: number): number {
  const applied = state.scope.service.quotaValue(quota, state.accountId, state.region);
  return state.account.production && applied === quota.defaultValue ? production : applied;
}

/** Returns the limits of an account. */
export const limitsOf = (state: SesState): SendingLimits => ({
  day: limitOf(state, SENDING_QUOTA, PRODUCTION.day),
  second: limitOf(state, SENDING_RATE, PRODUCTION.second),
});

/** Whether a quota is enforced. */
const isEnforced = (state: SesState, quota: OwnQuota<SesState>): boolean =>
  Number.isFinite(state.scope.service.quotaLimit(quota, state.accountId, state.region));

/**
 * Returns the error for a mail above the limits: the daily limit always applies in the sandbox, others if enforced.
 * @see https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html
 */
export function rateRefusal(state: SesState, recipients: number, api: Api): AwsError | undefined {
  const { day, second } = limitsOf(state);
  if (!state.account.production || isEnforced(state, SENDING_QUOTA)) {
    if (state.statistics.lastDay() + recipients > day) return throttled(api, 'Daily message quota exceeded.');
  }
  if (isEnforced(state, SENDING_RATE) && !state.rate.take(recipients, second, state.clock.now()))
    return throttled(api, 'Maximum sending rate exceeded.');
  return undefined;
}
