import { choice, withDefault } from '@emu/core/options';

/** Settings of Service Quotas. */
export const SERVICE_QUOTAS_OPTIONS = {
  EMULATOR_QUOTA_REQUESTS: withDefault('auto', {
    flag: 'quota-requests',
    schema: choice('auto', 'manual'),
    description: 'Decide on quota increases immediately, or leave the decision to the control routes.',
    placeholder: 'auto|manual',
    services: ['servicequotas'],
  }),
};
