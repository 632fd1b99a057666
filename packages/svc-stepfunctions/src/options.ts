import { optional, text } from '@emu/core/options';

/** Settings of Step Functions. */
export const STEPFUNCTIONS_OPTIONS = {
  SFN_MOCK_CONFIG: optional('none', {
    schema: text('a path'),
    description:
      'File of mocked integrations, as Step Functions Local has it: an execution that is started on <state machine ARN>#<test case> calls no service where it has a response.',
    placeholder: 'FILE',
    services: ['stepfunctions'],
  }),
  LOCALSTACK_SFN_MOCK_CONFIG: optional('none', {
    schema: text('a path'),
    description: 'The same, for those who come from LocalStack; SFN_MOCK_CONFIG goes first.',
    placeholder: 'FILE',
    services: ['stepfunctions'],
  }),
};
