import { integer, withDefault } from '@emu/core/options';

/** Settings of Kinesis. */
export const KINESIS_OPTIONS = {
  EMULATOR_KINESIS_LATENCY: withDefault('0', {
    flag: 'kinesis-latency',
    schema: integer(0),
    description:
      'Milliseconds of the clock for which streams and consumers are CREATING, UPDATING or DELETING; 0 to skip these states.',
    placeholder: 'MS',
    services: ['kinesis'],
  }),
};
