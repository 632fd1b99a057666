import { boolean, withDefault } from '@emu/core/options';

/** Settings of CloudFormation. */
export const CLOUDFORMATION_OPTIONS = {
  EMULATOR_CLOUDFORMATION_SKIP_UNSUPPORTED: withDefault('false', {
    flag: 'cloudformation-skip-unsupported',
    schema: boolean,
    description:
      'Go on where a template has a resource type that emu does not have: a warning and a placeholder take its place instead of failing the stack.',
    boolean: true,
    services: ['cloudformation'],
  }),
};
