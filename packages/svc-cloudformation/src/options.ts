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
  EMULATOR_CLOUDFORMATION_AWS_ENDPOINTS: withDefault('false', {
    flag: 'cloudformation-aws-endpoints',
    schema: boolean,
    description:
      "Keep AWS's addresses of emu's APIs, function URLs and user pool domains in outputs and properties of stacks, instead of local ones.",
    boolean: true,
    services: ['cloudformation'],
  }),
};
