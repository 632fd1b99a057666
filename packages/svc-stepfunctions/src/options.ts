import { optional, text } from '@emu/core/options';

/** Settings of Step Functions. */
export const STEPFUNCTIONS_OPTIONS = {
  SFN_MOCK_CONFIG: optional('none', {
    schema: text('a path'),
    description:
      'File of mocked integrations, in the format of Step Functions Local: an execution started on <state machine ARN>#<test case> uses its responses instead of calling services.',
    placeholder: 'FILE',
    services: ['stepfunctions'],
  }),
  LOCALSTACK_SFN_MOCK_CONFIG: optional('none', {
    schema: text('a path'),
    description: 'Same as SFN_MOCK_CONFIG, which takes precedence; for compatibility with LocalStack.',
    placeholder: 'FILE',
    services: ['stepfunctions'],
  }),
};
