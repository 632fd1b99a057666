import { integer, withDefault } from '@emu/core/options';

/** Settings of KMS. */
export const KMS_OPTIONS = {
  EMULATOR_KMS_XKS_PROXY_PORT: withDefault('443', {
    flag: 'kms-xks-proxy-port',
    schema: integer(1, ''),
    description: 'Port by which the proxies of external key stores are reached: their endpoints name none.',
    placeholder: 'PORT',
    services: ['kms'],
  }),
};
