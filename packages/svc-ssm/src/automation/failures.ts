/** Stage in which a step failed, as in its failure details. */
export type FailureStage = 'InputResolution' | 'Invocation' | 'Verification';

const WHERE: Readonly<Record<FailureStage, string>> = {
  InputResolution: 'validating and resolving the step inputs',
  Invocation: 'Execute/Cancelling action',
  Verification: 'Poll action status for completion',
};

/**
 * Failure of a step.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-troubleshooting.html
 */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  constructor(
    /** Cause of the failure. */
    readonly reason: string,
    readonly stage: FailureStage = 'Invocation',
    /** Kind of failure, for example a service's error code. */
    readonly type = 'Action',
    /** Overrides AWS's text for the stage. */
    where = WHERE[stage],
  ) {
    super(
      `Step fails when it is ${where}. ${reason}. Please refer to Automation Service Troubleshooting Guide for more diagnosis details.`,
    );
  }
}

/** Early end of an execution or a step, with the reason. */
export class Ended extends Error {
  override readonly name = 'Ended';
  constructor(readonly why: 'suspended' | 'cancelled' | 'stopped' | 'timed-out' | 'alarm') {
    super(why);
  }
}

/** End of an execution because a step failed. */
export class ExecutionFailure extends Error {
  override readonly name = 'ExecutionFailure';
  constructor(
    message: string,
    readonly status: 'Failed' | 'TimedOut' | 'Rejected' = 'Failed',
  ) {
    super(message);
  }
}
