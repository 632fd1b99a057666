import { integer, withDefault } from '@emu/core/options';

/** Settings of KMS. */
export const KMS_OPTIONS = {
  EMULATOR_KMS_XKS_PROXY_PORT: withDefault('443', {
    flag: 'kms-xks-proxy-port',
    schema: integer(1, ''),
    description: 'Port of the proxies of external key stores, whose endpoints contain none.',
    placeholder: 'PORT',
    services: ['kms'],
  }),
};
