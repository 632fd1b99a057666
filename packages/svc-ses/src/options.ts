import { address, boolean, choice, matching, optional, text, withDefault } from '@emu/core/options';
import type { DeclaredOptions } from '@emu/core/service';

const services = ['ses'];

/** Settings of SES. */
export const SES_OPTIONS = {
  EMULATOR_SES_VERIFICATION: withDefault('auto', {
    schema: choice('auto', 'manual'),
    description:
      "Whether identities are verified immediately, or by the link in SES's mail to the address or the domain's postmaster.",
    services,
  }),
  EMULATOR_SES_OUTBOX: optional('no files', {
    schema: text('a directory'),
    description: 'Directory in which each sent mail is also written to a file, <message id>.eml.',
    placeholder: 'PATH',
    services,
  }),
  EMULATOR_SES_SMTP_RELAY: optional('nothing leaves emu', {
    schema: matching(/^smtps?:\/\/\S+$/, 'a URL such as smtp://user:password@mail.example.com:587'),
    description: 'SMTP server that also receives each sent mail: smtp:// or smtps://.',
    placeholder: 'URL',
    services,
  }),
  EMULATOR_SMTP: withDefault('false', {
    flag: 'smtp',
    schema: boolean,
    description: 'Accept mail by SMTP: submissions with SES credentials, and mail for receipt rules.',
    boolean: true,
    services,
  }),
  EMULATOR_SMTP_ADDR: withDefault('127.0.0.1:2525', {
    flag: 'smtp-addr',
    schema: address,
    description: 'Address of the SMTP server; requires --smtp.',
    placeholder: 'HOST:PORT',
    services,
  }),
};

/** Checks rules between settings. */
export const checkOptions: NonNullable<DeclaredOptions<typeof SES_OPTIONS>['check']> = (settings) => {
  if (settings.of(SES_OPTIONS).EMULATOR_SMTP || !settings.has('EMULATOR_SMTP_ADDR')) return undefined;
  return `${settings.by('EMULATOR_SMTP_ADDR')} can be used only with --smtp (EMULATOR_SMTP).`;
};
