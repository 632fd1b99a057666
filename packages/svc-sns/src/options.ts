import { boolean, withDefault } from '@emu/core/options';

/** Settings of SNS. */
export const SNS_OPTIONS = {
  EMULATOR_SNS_SMS_SANDBOX: withDefault('false', {
    flag: 'sns-sms-sandbox',
    schema: boolean,
    description:
      'Keep accounts in the SMS sandbox, as new ones are on AWS: SMS go only to numbers that VerifySMSSandboxPhoneNumber has verified.',
    boolean: true,
    services: ['sns'],
  }),
};
