import { boolean, withDefault } from '@emu/core/options';

/** Settings of SQS. */
export const SQS_OPTIONS = {
  EMULATOR_SQS_NO_WAITS: withDefault('false', {
    flag: 'sqs-no-waits',
    schema: boolean,
    description:
      'Let a queue be purged, and one of its name be made after its deletion, at once instead of after the 60 seconds of AWS.',
    boolean: true,
    services: ['sqs'],
  }),
};
