import { StepFailure } from '../failures.ts';
import { textOf } from '../values.ts';
import { callApi } from './api.ts';
import type { Action } from './types.ts';

/** https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-runcommand.html */
export const runCommand: Action = {
  timeout: 3600,
  async run(step) {
    throw new StepFailure(`Not yet ${textOf(step.name)}${typeof callApi}`);
  },
};
