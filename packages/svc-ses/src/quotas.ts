import { type AnyQuota, defineQuotas, type OwnQuota } from '@emu/core';
import type { SesOperations } from '@emu/service-types/ses';
import type { SesState } from './state.ts';

/** AWS lists what an account has in the sandbox; out of it an account has what `PRODUCTION` of `mail/limits.ts` says. */
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

/** Recipients in a second. */
export const SENDING_RATE: OwnQuota<SesState> = { ...ses('L-CDEF9B6B', 'Sending rate', 1), unit: 'Count/Second' };

/** Quotas of SES that can be enforced. */
export const quotas: readonly AnyQuota[] = defineQuotas<SesOperations, SesState>([SENDING_QUOTA, SENDING_RATE]);
