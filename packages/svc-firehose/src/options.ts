import { integer, withDefault } from '@emu/core/options';

/** Settings of Firehose. */
export const FIREHOSE_OPTIONS = {
  EMULATOR_FIREHOSE_LATENCY: withDefault('0', {
    flag: 'firehose-latency',
    schema: integer(0),
    description:
      'Milliseconds of the clock for which delivery streams are CREATING or DELETING, and their encryption is ENABLING or DISABLING; 0 to skip these states.',
    placeholder: 'MS',
    services: ['firehose'],
  }),
};
