import { baseUrl, list, withDefault } from '@emu/core/options';

/** Settings of STS. */
export const STS_OPTIONS = {
  EMULATOR_ALLOW_ISSUER: withDefault('', {
    flag: 'allow-issuer',
    schema: list(baseUrl),
    description:
      'OpenID Connect issuer whose keys may be fetched from a private or loopback address; may be repeated. Keys of other issuers come from public addresses only.',
    placeholder: 'URL',
    repeatable: true,
    services: ['sts'],
  }),
};
