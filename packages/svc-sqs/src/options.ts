import { boolean, withDefault } from '@emu/core/options';

/** Settings of SQS. */
export const SQS_OPTIONS = {
  EMULATOR_SQS_NO_WAITS: withDefault('false', {
    flag: 'sqs-no-waits',
    schema: boolean,
    description: "Skip AWS's 60-second waits after PurgeQueue and DeleteQueue.",
    boolean: true,
    services: ['sqs'],
  }),
};
