import { boolean, withDefault } from '@emu/core/options';

/** Settings of CloudFormation. */
export const CLOUDFORMATION_OPTIONS = {
  EMULATOR_CLOUDFORMATION_SKIP_UNSUPPORTED: withDefault('false', {
    flag: 'cloudformation-skip-unsupported',
    schema: boolean,
    description:
      'Replace resource types that emu does not support by placeholders and log a warning, instead of failing the stack.',
    boolean: true,
    services: ['cloudformation'],
  }),
};
