import { boolean, withDefault } from '@emu/core/options';

/** Settings of SNS. */
export const SNS_OPTIONS = {
  EMULATOR_SNS_SMS_SANDBOX: withDefault('false', {
    flag: 'sns-sms-sandbox',
    schema: boolean,
    description:
      'Keep accounts in the SMS sandbox, like new AWS accounts: only numbers verified with VerifySMSSandboxPhoneNumber receive SMS.',
    boolean: true,
    services: ['sns'],
  }),
};
