import { choice, withDefault } from '@emu/core/options';

/** Settings of Service Quotas. */
export const SERVICE_QUOTAS_OPTIONS = {
  EMULATOR_QUOTA_REQUESTS: withDefault('auto', {
    flag: 'quota-requests',
    schema: choice('auto', 'manual'),
    description: 'Decide on quota increases at once, or leave them to the control routes.',
    placeholder: 'auto|manual',
    services: ['servicequotas'],
  }),
};
