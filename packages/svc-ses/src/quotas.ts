import { type AnyQuota, defineQuotas, type OwnQuota, PER_SECOND } from '@emu/core/service';
import type { SesOperations } from '@emu/service-types/ses';
import type { SesContext } from './context.ts';
import { apiOf, tooManyResources } from './errors.ts';
import type { SesState } from './state.ts';

/** AWS lists the values of the sandbox; outside of it `PRODUCTION` in `mail/limits.ts` applies. */
const ses = (code: string, name: string, defaultValue: number) => ({
  serviceCode: 'ses',
  code,
  name,
  defaultValue,
  adjustable: true,
  page: 'https://docs.aws.amazon.com/talent/latest/adminguide/endpoints-quotas.html',
  own: true as const,
});

/** Recipients in 24 hours. */
export const SENDING_QUOTA: OwnQuota<SesState> = {
  ...ses('L-804C8AE8', 'Sending quota', 200),
  usage: (state) => state.statistics.lastDay(),
};

/** Recipients per second. */
export const SENDING_RATE: OwnQuota<SesState> = { ...ses('L-CDEF9B6B', 'Sending rate', 1), period: PER_SECOND };

const resource = (code: string, name: string, defaultValue: number) => ({
  ...ses(code, name, defaultValue),
  page: 'https://docs.aws.amazon.com/ses/latest/dg/quotas.html',
});

/** Configuration sets, created by both APIs. */
export const CONFIGURATION_SETS: OwnQuota<SesState> = {
  ...resource('L-10E24536', 'Configuration set count', 10_000),
  usage: ({ sets }) => sets.size,
};

/** Tenants. */
export const TENANTS: OwnQuota<SesState> = {
  ...resource('L-E7F21B4C', 'Tenant count', 10_000),
  usage: ({ tenants }) => tenants.size,
};

/**
 * Rejects another resource if an enforced quota is reached.
 * @throws AwsError `LimitExceededException`
 */
export function checkCount(quota: OwnQuota<SesState>, { state, service }: SesContext): void {
  const most = state.scope.service.quotaLimit(quota, state.accountId, state.region);
  if (quota.usage!(state) >= most) throw tooManyResources(apiOf({ service }));
}

/** Quotas of SES. */
export const quotas: readonly AnyQuota[] = defineQuotas<SesOperations, SesState>([
  SENDING_QUOTA,
  SENDING_RATE,
  CONFIGURATION_SETS,
  TENANTS,
]);
